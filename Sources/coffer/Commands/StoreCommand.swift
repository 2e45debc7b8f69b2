internal import ArgumentParser

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
  /// - Throws: ``CofferError``; `CancellationError`.
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
