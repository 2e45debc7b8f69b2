internal import ArgumentParser
internal import CofferKit

/// A command that works on stores and archives.
///
/// Parsing has no side effects; what was typed becomes a request, and only then is anything opened.
protocol StoreCommand: ParsableCommand {
  /// The options that every command has.
  var output: OutputOptions { get }
  /// Where the answer goes.
  var answerStream: StandardStream { get }
  /// Does the work and shows its result.
  ///
  /// - Throws: what the library throws; ``CofferError``; ``CofferError``.
  func perform(_ session: Session) throws -> ExitStatus
}

extension StoreCommand {
  var answerStream: StandardStream { .output }

  /// Does the work from beginning to end, and tells of its failure.
  func complete() -> ExitStatus {
    let session = Session(output, command: Self._commandName, answer: answerStream)
    do {
      let status = try perform(session)
      try session.printer.finish()
      return status
    } catch {
      session.eraseProgress()
      let failure = Failure(InputAdvice.explaining(error), isInterrupted: Task.isCancelled)
      session.printer.fail(failure)
      return failure.status
    }
  }
}

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
