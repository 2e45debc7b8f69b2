internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive

/// The command `coffer check VAULT`.
struct CheckCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the backups in a vault are whole and recent.",
    usage: "coffer check <vault> [--read-data] [<options>]",
    discussion: HelpText.discussion(
      """
      Checks that every backup has what it needs, by the names of files. With --read-data, reads \
      every file against its digests, and names each that is damaged and the backups that need it.
      """,
      examples: [
        "coffer check Backups --max-age 26h",
        "coffer check Backups --read-data --min-size-ratio 0.5",
      ],
      statuses: [
        (.done, "nothing is wrong"), (.failed, nil), (.findings, "something is wrong"),
        (.unusableInput, "it is not a vault; no such store in it"), (.newerFormat, nil),
        (.refused, "refused: --read-data of an encrypted vault without a key"), (.usage, nil),
        (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The vault.", valueName: "vault"))
  var vault: String

  @Flag(help: "Read every file completely, against its digests.")
  var readData = false

  @Option(
    help: ArgumentHelp(
      "The greatest age of the latest backup of each store: 26h, 8d.", valueName: "duration"))
  var maxAge: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The smallest size of a full archive in proportion to the one before.",
      valueName: "ratio"))
  var minSizeRatio: Double?

  @Option(
    help: ArgumentHelp(
      "Check only the backups of this store: its UUID or its name.", valueName: "store"))
  var store: String?

  @Option(help: ArgumentHelp("The output format (default: text).", valueName: "format"))
  var format: VaultCheckFormat?

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if let minSizeRatio, !(0...1).contains(minSizeRatio) {
      throw ValidationError("The ratio must be between 0 and 1, not \(minSizeRatio).")
    }
    if output.json, let format, format != .json {
      throw ValidationError("'--json' and '--format \(format.rawValue)' cannot be combined.")
    }
    if format == .json { output.json = true }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var source = try Vault(vault)
    source.archiveAccess = try reading.access(session)
    var options = VaultCheckOptions()
    options.readsData = readData
    options.greatestAge = maxAge?.seconds
    options.smallestSizeRatio = minSizeRatio
    let message = CheckMessage(summary: try source.check(options, of: store), vault: vault)
    session.eraseProgress()
    if format == .junit {
      try CheckJUnit(message).write(to: LineWriter(answerStream))
    } else {
      try session.printer.print(message)
    }
    return message.status
  }
}

/// The output format of a check.
enum VaultCheckFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Text.
  case text
  /// Lines of JSON.
  case json
  /// JUnit XML, with a test case for each backup.
  case junit
}

/// The result of a check.
struct CheckMessage: Message {
  var summary: VaultCheckSummary
  /// The vault, as given.
  var vault: String

  /// The exit status.
  var status: ExitStatus { summary.problems.isEmpty ? .done : .findings }

  func write(to printer: TextPrinter) throws {
    for problem in summary.problems {
      try printer.complain(Terminal.printable("\(problem.backup.fileName): \(problem.detail)"))
    }
    let backups = QuantityText.count(summary.backups.count, "backup")
    let stores = QuantityText.count(Set(summary.backups.map(\.storeUUID)).count, "store")
    let read = summary.readByteCount
    try printer.line(
      "Checked \(backups) of \(stores)\(read > 0 ? ", read \(QuantityText.bytes(read))" : "")")
    guard status == .findings else { return }
    if !summary.unusable.isEmpty {
      let ids = summary.backups.map(\.id).filter(summary.unusable.contains)
      try printer.complain("cannot be restored: \(ids.joined(separator: ", "))")
    }
    try printer.complain(QuantityText.count(summary.problems.count, "problem"))
  }

  func write(to printer: JSONPrinter) throws {
    for problem in summary.problems {
      try printer.line(
        "problem",
        [
          "problem": .string(problem.kind.rawValue), "storeUUID": .string(problem.storeUUID),
          "id": .string(problem.backup.id), "file": .string(problem.backup.fileName),
          "detail": .string(problem.detail),
        ])
    }
    try printer.summary(
      status,
      [
        "vault": .string(vault), "backups": .number(summary.backups.count),
        "stores": .number(Set(summary.backups.map(\.storeUUID)).count),
        "problems": .number(summary.problems.count),
        "unusable": .array(
          summary.backups.map(\.id).filter(summary.unusable.contains).map { .string($0) }),
        "readBytes": .number(summary.readByteCount),
      ])
  }
}

/// Writes a check as JUnit XML: a test suite for each store, with a test case for each backup.
struct CheckJUnit {
  private let message: CheckMessage

  init(_ message: CheckMessage) { self.message = message }

  func write(to answer: LineWriter) throws {
    let summary = message.summary
    let stores = Dictionary(grouping: summary.backups, by: \.storeUUID)
    try answer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    try answer.line(tag("testsuites", [("name", "coffer check")], summary.backups))
    for store in stores.keys.sorted() {
      let backups = stores[store] ?? []
      let name = backups.first?.storeName ?? store
      try answer.line("  " + tag("testsuite", [("name", name)], backups))
      for backup in backups { try write(backup, to: answer) }
      try answer.line("  </testsuite>")
    }
    try answer.line("</testsuites>")
    try answer.flush()
  }

  private func problems(of backup: Backup) -> [VaultProblem] {
    message.summary.problems.filter { $0.backup == backup }
  }

  private func isFailed(_ backup: Backup) -> Bool {
    message.summary.unusable.contains(backup.id) || !problems(of: backup).isEmpty
  }

  private func tag(_ name: String, _ attributes: [(String, String)], _ backups: [Backup]) -> String
  {
    let counts = [("tests", backups.count), ("failures", backups.count(where: isFailed))]
    return XMLText.tag(name, attributes + counts.map { ($0.0, String($0.1)) }) + ">"
  }

  private func write(_ backup: Backup, to answer: LineWriter) throws {
    let tag = XMLText.tag(
      "testcase", [("classname", "coffer.\(backup.storeUUID)"), ("name", backup.id)])
    guard isFailed(backup) else { return try answer.line("    \(tag)/>") }
    let found = problems(of: backup)
    let kind = found.first?.kind.rawValue ?? VaultProblem.Kind.brokenChain.rawValue
    let text =
      found.isEmpty
      ? "it needs a file that is damaged" : found.map(\.detail).joined(separator: "\n")
    let failure = XMLText.tag("failure", [("type", kind), ("message", kind)])
    try answer.line("    \(tag)>")
    try answer.line("      \(failure)>\(XMLText.escaped(text))</failure>")
    try answer.line("    </testcase>")
  }
}
