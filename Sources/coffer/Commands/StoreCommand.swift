internal import ArgumentParser

/// A command that works on stores and archives.
///
/// Parsing has no side effects. Files are opened only after it.
protocol StoreCommand: ParsableCommand {
  /// The options of every command.
  var output: OutputOptions { get }
  var answerStream: StandardStream { get }
  /// Whether the command only answers. Then a reader that closes the pipe has read enough, which is not a
  /// failure.
  var onlyAnswers: Bool { get }
  /// The paths of the files and folders that the command writes; `-` is standard output.
  ///
  /// Not a store that it changes in place.
  var outputs: [String?] { get }
  /// Runs the command and prints its result.
  func perform(_ session: Session) throws -> ExitStatus
}

extension StoreCommand {
  var answerStream: StandardStream { .output }
  var onlyAnswers: Bool { false }
  var outputs: [String?] { [] }

  /// Runs the command and prints its failure, if any.
  func complete(_ arguments: [String]) -> ExitStatus {
    let session = Session(output, command: Self.fullName, answer: answerStream)
    do {
      try MachineLimits.require()
      try OutputCheck.require(
        outputs.compactMap(\.self), arguments.dropFirst(Self.path.count))
      let status = try perform(session)
      for note in session.sources.notes { try session.printer.warn("rounded-decimals", note) }
      try session.printer.finish()
      return status
    } catch {
      session.eraseProgress()
      let named = session.sources.named(error)
      let failure = Failure(InputAdvice.explaining(named), isInterrupted: Task.isCancelled)
      if failure.isSilent, onlyAnswers { return .done }
      session.printer.fail(failure)
      return failure.status
    }
  }
}
