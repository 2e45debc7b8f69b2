internal import CofferKit

/// What a command shows its work and its result with.
struct Session {
  /// The result goes here.
  let printer: Printer
  private let line: ProgressLine?

  init(_ options: OutputOptions, command: String, answer: StandardStream) {
    printer = Printer(options, command: command, answer: answer)
    line = options.progressForm.map { ProgressLine(.error, form: $0) }
  }

  /// The progress of the work goes here.
  var progress: any ProgressReporter { line ?? SilentProgress() }

  /// Ends the progress, and removes it from the terminal; to be called before anything else is shown.
  func eraseProgress() { line?.erase() }
}
