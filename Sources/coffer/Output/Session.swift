internal import CofferKit

/// The output of a command: its result and its progress.
struct Session {
  /// The printer of the result.
  let printer: Printer
  /// The backups that the command reads.
  let sources = BackupSources()
  /// The stream for the answer.
  let answer: StandardStream
  private let line: ProgressLine?

  init(_ options: OutputOptions, command: String, answer: StandardStream) {
    self.answer = answer
    printer = Printer(options, command: command, answer: answer)
    line = options.progressForm.map { ProgressLine(.error, form: $0) }
  }

  /// The receiver of the progress.
  var progress: any ProgressReporter { line ?? SilentProgress() }

  /// Ends the progress and removes it from the terminal.
  ///
  /// Call it before printing anything else.
  func eraseProgress() { line?.erase() }
}
