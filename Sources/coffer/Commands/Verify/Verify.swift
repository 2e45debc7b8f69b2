internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The command `coffer verify STORE|ARCHIVE|-`.
struct Verify: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a store or an archive for defects.",
    usage: """
      coffer verify <file> [<options>]
      coffer verify --explain <code>
      coffer verify --list
      """,
    discussion: HelpText.discussion(
      """
      Checks everything that must be true of a Core Data store, in a store or directly in an \
      archive. Reports where each defect is, what it means and what to do. Changes nothing. Reads a \
      change file completely.
      """,
      examples: [
        "coffer verify Trips.sqlite",
        "coffer verify Tuesday.coffer.tar.gz --against Monday.coffer.tar.gz",
        "coffer verify --explain dangling-relationship",
      ],
      statuses: [
        .done: "no finding reaches --fail-on", .findings: "some finding reaches --fail-on",
        .unusableInput: "the file does not exist or is neither a store nor an archive", .busy: nil,
        .damaged: nil, .newerFormat: nil,
        .refused: "refused: an archive from a terminal, --against with a pipe, no key",
      ]))

  @Argument(
    help: .value("file", "The store or the archive; - is an archive on standard input."),
    completion: .file())
  var file: String?

  @Option(
    name: .customLong("check"), help: .value("name", "Run only this check; repeatable."),
    completion: .list(CheckName.allCases.map(\.rawValue)), transform: KnownName.check)
  var checks: [CheckName] = []

  @Option(
    name: .customLong("skip"), help: .value("code", "Do not report this code; repeatable."),
    completion: .list(FindingCode.allCases.map(\.text)), transform: KnownName.code)
  var skippedCodes: [FindingCode] = []

  @Option(help: .value("severity", "The lowest severity that ends with 3."))
  var failOn = FailureThreshold.error

  @Option(
    help: .value("file", "Compare with an older state of the store, in a store or an archive."),
    completion: .file())
  var against: String?

  @Flag(help: "Also check every index of a store; takes much longer.")
  var deep = false

  @Flag(help: "Show every finding, not only examples.")
  var all = false

  @Option(help: .value("format", "The output format (default: text)."))
  var format: VerificationFormat?

  @Option(
    help: .value("path", "The folder for temporary data that does not fit in memory."),
    completion: .directory)
  var temporaryFolder: String?

  @Option(
    help: .value("code", "Explain a code; takes no file."),
    completion: .list(FindingCode.allCases.map(\.text)), transform: KnownName.code)
  var explain: FindingCode?

  @Flag(help: "List all checks and codes; takes no file.")
  var list = false

  @OptionGroup var comparing: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var answerStream: StandardStream { .outputOrNothing }

  mutating func validate() throws {
    try validateFile()
    if output.json, let format, format != .json {
      throw ValidationError("'--json' and '--format \(format.rawValue)' cannot be combined.")
    }
    if format == .json { output.json = true }
    if all, format == .junit {
      throw ValidationError(
        "'--all' and '--format junit' cannot be combined; '--format sarif' lists more findings.")
    }
  }

  private func validateFile() throws {
    guard explain != nil || list else {
      if file == nil { throw ValidationError("Missing expected argument '<file>'") }
      return
    }
    let option = list ? "--list" : "--explain"
    if list, explain != nil {
      throw ValidationError("'--list' and '--explain' cannot be combined.")
    }
    if file != nil { throw ValidationError("'\(option)' takes no file.") }
    if let format, format == .junit || format == .sarif {
      throw ValidationError("'\(option)' does not support '--format \(format.rawValue)'.")
    }
  }

  /// The options of the verification.
  private func options(_ session: Session) throws -> VerificationOptions {
    var options = VerificationOptions()
    options.environment = try reading.environment(session, reading: file ?? "", model: comparing)
    if all { options.environment.limits.findings = ArchiveLimits.Name.findings.largestValue }
    if !checks.isEmpty { options.checks = Set(checks) }
    options.skippedCodes = Set(skippedCodes)
    options.isDeep = deep
    options.environment.temporaryFolder = temporaryFolder
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    if let explain {
      try session.printer.print(CodeMessage(code: explain))
    } else if list {
      try session.printer.print(CodeListMessage(codes: FindingCode.allCases))
    } else if let file {
      LargeBlocks.giveBack()
      return try verify(file, session)
    }
    return .done
  }

  private func verify(_ file: String, _ session: Session) throws -> ExitStatus {
    let report = report(on: file == "-" ? "standard input" : file, session.answer)
    let began = ContinuousClock.now
    let summary: VerificationSummary
    do {
      summary = try findings(of: file, session, report)
      session.eraseProgress()
    } catch {
      session.eraseProgress()
      let failure = Failure(error, isInterrupted: Task.isCancelled)
      // Print the findings so far, unless the user interrupted the program or closed the output.
      if failure.status != .interrupted, !failure.isOutputLost { try report.failed(failure) }
      throw error
    }
    let status = failOn.status(summary.count)
    try report.verified(
      VerificationOutcome(summary: summary, status: status, elapsed: ContinuousClock.now - began))
    try EmptyStoreNote.print(file, objectCount: summary.objectCount, session)
    return status
  }

  private func findings(
    of file: String, _ session: Session, _ report: any VerificationReport
  ) throws -> VerificationSummary {
    // Erase the progress before printing anything.
    let isMixed = (all || output.json || format == .sarif) && answerStream.isTerminal
    let verifier = Verifier(
      options: try options(session), progress: isMixed ? SilentProgress() : session.progress)
    let environment = verifier.options.environment
    if let against {
      guard file != "-" else {
        throw CofferError(
          .refused, path: "standard input",
          detail: "an archive from a pipe cannot be compared",
          advice: "With --against, pass the path of a store or an archive.")
      }
      let files = try [file, against].map { try session.path(of: $0, environment) }
      return try verifier.verify(files[0], against: files[1]) { try report.found($0) }
    }
    guard file == "-" else {
      let file = try session.path(of: file, environment)
      do {
        return try verifier.verify(file) { finding in try report.found(finding) }
      } catch let error as CofferError where error.isAboutChanges {
        return try StoreChanges(file, environment: environment).verify()
      }
    }
    if Terminal.isTerminal(0) {
      throw CofferError(
        .refused, path: "standard input", detail: "an archive cannot be read from a terminal",
        advice: "Pass the path of a store or an archive, or redirect one: coffer verify - < ARCHIVE"
      )
    }
    do {
      return try verifier.verify(fileDescriptor: 0) { finding in try report.found(finding) }
    } catch let error as CofferError where error.code == .notAnArchive {
      throw CofferError(
        .notAnArchive, path: "standard input", detail: error.detail,
        advice: error.isAboutChanges
          ? "Pass the path of the change file."
          : "Only an archive can be read from a pipe. For a store, pass its path.")
    }
  }

  private func report(on file: String, _ answer: StandardStream) -> any VerificationReport {
    let path = SecretText.redacted(file)
    return switch format ?? (output.json ? .json : .text) {
    case .text:
      TextVerification(
        TextPrinter(output, answer: answer), path: path, showsAll: all, threshold: failOn)
    case .json: JSONVerification(JSONPrinter(Self.fullName, answer: answer), path: path)
    case .junit:
      JUnitVerification(LineWriter(answer), path: path, threshold: failOn)
    case .sarif: SARIFVerification(LineWriter(answer), path: path)
    }
  }
}
