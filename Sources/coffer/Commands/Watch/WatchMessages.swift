internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// What a watch tells.
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
    var words = [changes.time.description]
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

  /// What is said of the store as such; nil for events of its content.
  private var state: (name: String, message: String)? {
    switch event {
    case .replaced:
      ("replaced", "\(store): another store has taken its place and is watched from now on")
    case .removed:
      ("removed", "\(store): the store is gone; if it comes back, it is watched again")
    case .waiting(let error): ("waiting", error.description)
    default: nil
    }
  }

  func write(to printer: JSONPrinter) throws {
    switch event {
    case .changes(let changes):
      try printer.line(
        "changes",
        [
          "time": .string(changes.time.description),
          "commits": changes.commitCount.map(JSONValue.number) ?? .null,
          "replaced": .bool(changes.isReplaced),
        ])
    case .difference(let difference):
      try DifferenceMessage(difference: difference).write(to: printer)
    case .newFinding(let finding):
      try FindingsMessage.line(finding, ["change": .string("new")], to: printer)
    case .goneFinding(let finding):
      try FindingsMessage.line(finding, ["change": .string("gone")], to: printer)
    case .replaced, .removed, .waiting:
      guard let state else { return }
      try printer.line(
        "state", ["state": .string(state.name), "message": .string(state.message)])
    }
  }
}

/// What a watch has told, at its end.
struct WatchSummary: Message {
  private var changes = 0
  private var objects: [ChangeKind: Int] = [:]
  private var newFindings = 0
  private var hasNewError = false

  /// Counts an event.
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

  /// The exit status of a watch that was ended.
  var status: ExitStatus { hasNewError ? .findings : .done }

  func write(to printer: TextPrinter) {}

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      status,
      [
        "changes": .number(changes), "added": .number(objects[.added] ?? 0),
        "removed": .number(objects[.removed] ?? 0), "changed": .number(objects[.changed] ?? 0),
        "newFindings": .number(newFindings),
      ])
  }
}
