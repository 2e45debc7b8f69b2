internal import ArgumentParser

/// The output format of a command that reports on many backups or stores.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text
  case json
  case junit

  /// Refuses a format that contradicts `--json`; the JSON format sets that option.
  static func validate(_ format: ReportFormat?, _ output: inout OutputOptions) throws {
    if output.json, let format, format != .json {
      throw ValidationError("'--json' and '--format \(format.rawValue)' cannot be combined.")
    }
    if format == .json { output.json = true }
  }
}

extension StoreCommand {
  /// Writes a JUnit document, also if the work fails, unless no one would read it.
  func writingJUnit(
    _ place: String, _ session: Session,
    _ body: (inout [JUnitDocument.Suite]) throws -> ExitStatus
  ) throws -> ExitStatus {
    var document = JUnitDocument(name: "coffer \(Self.fullName)", suites: [])
    do {
      let status = try body(&document.suites)
      session.eraseProgress()
      try document.write(to: LineWriter(answerStream))
      return status
    } catch {
      session.eraseProgress()
      let failure = Failure(InputAdvice.explaining(error), isInterrupted: Task.isCancelled)
      guard failure.status != .interrupted, !failure.isOutputLost else { throw error }
      document.suites.append(
        JUnitDocument.Suite(name: SecretText.redacted(place), cases: [.completion(failure)]))
      try document.write(to: LineWriter(answerStream))
      throw error
    }
  }
}
