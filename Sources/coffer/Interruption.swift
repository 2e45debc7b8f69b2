internal import POSIX

/// Turns termination signals into a call, and a closed pipe or a file that grows too large into
/// errors.
///
/// The main thread waits for the signals, so that they end the work also where the process has no file
/// descriptor and no memory left.
struct Interruption {
  /// How long work may go on after the first signal, in seconds: then the process ends wherever it is, as if
  /// it was killed.
  static let patience: UInt32 = 20

  private let signals: HeldSignals

  /// Holds the signals back, for all threads that begin later.
  init() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // A program started by nohup should outlive its terminal.
    signals = HeldSignals(
      [SIGINT, SIGTERM, SIGALRM] + (HeldSignals.isIgnored(SIGHUP) ? [] : [SIGHUP]))
  }

  /// Waits for signals on this thread, until the second one, or ``patience`` after the first.
  ///
  /// - Parameter cancel: called for the first signal.
  func wait(cancel: () -> Void) {
    _ = signals.next()
    alarm(Self.patience)
    cancel()
    _ = signals.next()
  }
}
