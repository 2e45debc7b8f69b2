internal import TestSupport

/// A real terminal that a script can type into and look at: tmux is one.
enum Terminal {
  /// Whether the system has one.
  static let isThere = ProcessRunner.find("tmux") != nil

  /// What a script begins with.
  ///
  /// `terminal COLUMNS ROWS` opens one, `t kill-server` closes it. `type` types a text, `key` presses keys,
  /// `screen` prints what is to be seen, and `await` waits for a line of it, or ends the script with 9.
  ///
  /// Each script has its own socket. A server that was asked to end still answers on its socket for a moment,
  /// and a terminal that the next script opened there would end with it.
  static let functions = """
    exec 2>&1
    t() { tmux -S "./s$$" -f /dev/null "$@"; }
    terminal() { PS1='$ ' ENV= t new-session -d -x "$1" -y "$2" sh; }
    type() { t send-keys -l "$1"; }
    key() { t send-keys "$@"; }
    screen() { t capture-pane -p; }
    await() {
      for try in $(seq 3000); do screen | grep -qE "$1" && return; done
      echo "never seen: $1"; screen; exit 9
    }
    """
}
