internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import POSIX

/// The command `coffer watch STORE`.
struct Watch: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what an app saves to a store, as it saves.",
    usage: "coffer watch <store> [<options>]",
    discussion: HelpText.discussion(
      """
      Prints a line for every object that was inserted, updated or deleted, with the values that \
      changed, and for every pair of a many-to-many relationship. Compares rows, so it sees \
      every commit of every program; reports when it saw several commits together. Never blocks \
      the app. Keeps two private copies of the store in the folder for temporary files. Ends \
      with Ctrl-C, or when its output is closed.
      """,
      examples: [
        "coffer watch Trips.sqlite",
        "coffer watch Trips.sqlite --entity TodoEntity --json",
        "coffer watch Trips.sqlite --verify",
      ],
      statuses: [
        .done: "ended by Ctrl-C, SIGTERM or SIGHUP",
        .findings: "--verify: a change caused an error",
        .unusableInput: "the store does not exist; no such entity", .damaged: nil,
        .refused: "refused: a different model",
      ]))

  @Argument(help: .value("store", "The store."), completion: .file())
  var store: String

  @Option(
    name: .customLong("entity"),
    help: .value("name", "Show only objects of this entity and its subentities; repeatable."),
    completion: .entity)
  var entities: [Name] = []

  @Flag(help: "Verify the store after each change; show the findings that are new or gone.")
  var verify = false

  @Option(
    help: .value("path", "The folder for private copies of the store."), completion: .directory)
  var temporaryFolder: String?

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var output: OutputOptions

  var onlyAnswers: Bool { true }

  /// The number of milliseconds between two looks.
  private static let interval: Int32 = 50

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    var options = WatchOptions()
    options.entityNames = entities
    options.environment = try explaining.environment(session)
    options.verifies = verify
    options.environment.temporaryFolder = temporaryFolder
    var summary = WatchSummary()
    let tell = { (event: WatchEvent) in
      summary.add(event)
      try session.printer.print(WatchMessage(event: event, store: store))
    }
    let watch = try InputFile.explainedStore(store) {
      try StoreWatch.begin(store, options: options) {
        try tell($0)
        try session.printer.finish()
      }
    }
    if !output.quiet { try tellBeginning(watch) }
    do {
      while !Task.isCancelled {
        try watch.look(tell)
        try session.printer.finish()
        guard !FileIO.waitUntilClosed(answerStream.descriptor, milliseconds: Self.interval) else {
          throw CofferError(
            .outputClosed, path: answerStream.name, detail: "the reader closed it",
            evidence: LostAnswer())
        }
      }
    } catch  where Task.isCancelled {
      // A signal is how a watch ends, whatever it has interrupted.
    }
    try session.printer.print(summary)
    return summary.status
  }

  /// Reports that the first state is known: every later commit is reported.
  private func tellBeginning(_ watch: StoreWatch) throws {
    let stream = StandardStream.error
    if output.json {
      let printer = JSONPrinter(Self.fullName, answer: stream)
      var members: JSONMembers = ["type": "watching", "store": store]
      if verify { members.append("findings", watch.findings.count) }
      try printer.line(members)
      return try printer.finish()
    }
    let findings = QuantityText.count(watch.findings.count, "finding")
    let found = verify ? ", which has \(findings)" : ""
    let text = "Watching \(Terminal.printable(store))\(found). Press Ctrl-C to end.\n"
    try stream.write(Array(text.utf8))
  }
}

struct WatchMessage: Message {
  var event: WatchEvent
  /// The path of the store, as given.
  var store: String

  func write(to printer: TextPrinter) throws {
    switch event {
    case .changes(let changes): try write(changes, to: printer)
    case .difference(let difference):
      try DifferenceMessage(difference: difference, isOneLine: true).write(to: printer)
    case .newFinding(let finding): try write(finding, "new finding", to: printer)
    case .goneFinding(let finding): try write(finding, "finding gone", to: printer)
    case .replaced, .removed, .waiting:
      try printer.line(printer.style.yellow("! \(Terminal.printable(state?.message ?? ""))"))
    }
  }

  private func write(_ changes: WatchedChanges, to printer: TextPrinter) throws {
    var words = [changes.moment.description]
    if changes.isReplaced { words.append("the file was replaced") }
    if let count = changes.commitCount, count > 1 {
      words.append("\(QuantityText.count(count)) commits seen together")
    } else if changes.mayBeSeveral {
      words.append("one or more commits seen together")
    }
    try printer.line(printer.style.bold(words.joined(separator: "  ")))
  }

  private func write(_ finding: Finding, _ words: String, to printer: TextPrinter) throws {
    let text = "! \(words): \(Terminal.printable(finding.description))"
    if printer.isQuiet {
      try printer.complain(text, finding.severity)
    } else {
      try printer.line(printer.style.colored(text, finding.severity))
    }
  }

  /// The sentence about the store itself; nil for events of its content.
  private var state: (name: String, message: String)? {
    switch event {
    case .replaced:
      ("replaced", "\(store): another store has replaced it and is watched from now on")
    case .removed:
      ("removed", "\(store): the store is gone; if it appears again, it is watched again")
    case .waiting(let error): ("waiting", error.description)
    default: nil
    }
  }

  func write(to printer: JSONPrinter) throws {
    switch event {
    case .changes(let changes):
      try printer.line([
        "type": "changes", "time": changes.moment.description,
        "commits": orNull(changes.commitCount), "replaced": changes.isReplaced,
      ])
    case .difference(let difference):
      try DifferenceMessage(difference: difference).write(to: printer)
    case .newFinding(let finding):
      try FindingsMessage.line(finding, ["change": "new"], to: printer)
    case .goneFinding(let finding):
      try FindingsMessage.line(finding, ["change": "gone"], to: printer)
    case .replaced, .removed, .waiting:
      guard let state else { return }
      try printer.line(["type": "state", "state": state.name, "message": state.message])
    }
  }
}

/// The summary of a watch, at its end.
struct WatchSummary: Message {
  private var changes = 0
  private var objects: [ChangeKind: Int] = [:]
  private var newFindings = 0
  private var hasNewError = false

  mutating func add(_ event: WatchEvent) {
    switch event {
    case .changes: changes += 1
    case .difference(.object(let object)): objects[object.kind, default: 0] += 1
    case .newFinding(let finding):
      newFindings += 1
      hasNewError = hasNewError || finding.severity == .error
    default: break
    }
  }

  var status: ExitStatus { hasNewError ? .findings : .done }

  func write(to printer: TextPrinter) {}

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      status,
      [
        "changes": changes, "added": objects[.added] ?? 0, "removed": objects[.removed] ?? 0,
        "changed": objects[.changed] ?? 0, "newFindings": newFindings,
      ])
  }
}
