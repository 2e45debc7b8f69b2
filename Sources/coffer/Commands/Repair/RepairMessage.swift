internal import CofferKit
internal import CoreDataModel

/// The result of a repair, or the plan of one.
struct RepairMessage: ResultMessage {
  /// The maximum number of examples of each code.
  private static let shown = 5
  /// The commands that are suggested for the remaining defects.
  private static let namedTools: Set<FindingTool> = [.decision, .rescueWithModel]

  var summary: RepairSummary
  var options: RepairOptions
  /// The path of the store, as given.
  var store: String
  /// The path of the file for the plan, as given; nil for none.
  var plan: String?
  /// Whether the repair was carried out.
  var isApplied: Bool
  /// The outcome of every finding, to show all; nil to show examples.
  var all: [RepairOutcome]?

  var status: ExitStatus {
    summary.errorCount > 0 || !isApplied && changeCount > 0 ? .findings : .done
  }

  private var changeCount: Int { summary.repairCount + summary.decidedCount }

  // MARK: Text

  func write(to printer: TextPrinter) throws {
    try printer.line(printer.style.bold(title))
    for change in summary.decidedChanges {
      try write(change, to: printer)
    }
    try writeRepairs(to: printer)
    if changeCount > 0 {
      try printer.heading(isApplied ? "What was changed" : "What would be changed")
      try printer.block(ComparisonMessage.block(summary.differences))
    }
    try writeRest(to: printer)
    if let plan, let written = summary.plan {
      let size = QuantityText.bytes(written.byteCount)
      try printer.heading("Wrote the plan to \(Terminal.printable(plan)) (\(size))")
    }
  }

  private func write(_ change: DecidedChange, to printer: TextPrinter) throws {
    try printer.line("")
    let count = QuantityText.count(change.objectCount)
    switch change.decision {
    case .set(let entity, let attribute, let value):
      try printer.line(Terminal.printable("set \(entity).\(attribute) to \(value) (\(count))"))
    case .delete(let entity):
      let rest = QuantityText.count(change.cascadedCount)
      try printer.line(
        Terminal.printable("delete \(entity) (\(count))")
          + (change.cascadedCount > 0 ? ", and \(rest) by delete rules" : ""))
    }
    for (ids, total, words) in [
      (change.objects, change.objectCount, ""),
      (change.cascaded, change.cascadedCount, ": by a delete rule"),
    ] {
      for id in ids.prefix(all == nil ? Self.shown : .max) {
        try printer.line("  \(Terminal.printable(id.description))\(words)")
      }
      let named = min(ids.count, all == nil ? Self.shown : .max)
      if total > named { try printer.line("  … and \(QuantityText.count(total - named)) more") }
    }
  }

  /// Writes the changes, code by code.
  func writeRepairs(to printer: TextPrinter) throws {
    for (code, repairs) in grouped {
      let count = summary.repairCounts[code] ?? 0
      try printer.line("")
      try printer.line("\(code.text), \(code.fix.kind.rawValue) (\(QuantityText.count(count)))")
      for repair in all == nil ? repairs.prefix(Self.shown) : repairs[...] {
        try printer.line("  \(Terminal.printable(repair.finding.place)): \(repair.change)")
      }
      if all == nil, count > Self.shown {
        try printer.line("  … and \(QuantityText.count(count - Self.shown)) more; --all shows them")
      }
    }
  }

  private var title: String {
    let name = Terminal.printable(store)
    guard changeCount > 0 else {
      return "\(name): "
        + (summary.errorCount == 0 ? "nothing to repair" : "no repair without a decision")
    }
    let count = QuantityText.count(changeCount, "repair")
    return isApplied
      ? "\(name): \(count) made"
      : "\(name): \(count) planned; --apply makes \(changeCount == 1 ? "it" : "them")"
  }

  private var grouped: [(code: FindingCode, repairs: [Repair])] {
    var order: [FindingCode] = []
    var groups: [FindingCode: [Repair]] = [:]
    let repairs = all?.compactMap { if case .repaired(let repair) = $0 { repair } else { nil } }
    for repair in repairs ?? summary.repairs {
      let code = repair.finding.code
      if groups[code] == nil { order.append(code) }
      groups[code, default: []].append(repair)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  /// Writes the remaining findings.
  func writeRest(to printer: TextPrinter) throws {
    guard !summary.remaining.isEmpty else { return }
    try printer.heading(isApplied ? "What is left" : "What would be left")
    var block = FieldBlock()
    for rest in summary.remaining {
      let words = "\(rest.code.severity.rawValue), \(QuantityText.count(rest.count)): "
      block.add(rest.code.text, words + Self.advice(rest.code, options))
    }
    try printer.block(block)
    let unrepaired = all?.compactMap { if case .stays(let finding) = $0 { finding } else { nil } }
    for finding in unrepaired ?? Array(summary.unrepaired.prefix(Self.shown)) {
      try printer.line(
        "  \(Terminal.printable(finding.finding.place)) stays: \(finding.reason) "
          + "(\(finding.finding.code.text))")
    }
    for rest in summary.remaining where rest.code.tool.map(Self.namedTools.contains) == true {
      if let text = rest.code.commandText(store) { try printer.line("  What to do: \(text)") }
    }
  }

  private static func advice(_ code: FindingCode, _ options: RepairOptions) -> String {
    guard code.fix.isAutomatic else { return "see coffer verify --explain \(code.text)" }
    return options.repairs(code)
      ? "could not be repaired" : "add --fix \(code.text) to repair it (\(code.fix.kind.rawValue))"
  }

  // MARK: JSON

  func write(to printer: JSONPrinter) throws {
    for change in summary.decidedChanges {
      var object: JSONMembers = ["type": "decision", "entity": change.decision.entityName.text]
      if case .set(_, let attribute, let value) = change.decision {
        object.append("attribute", attribute.text)
        object.append("value", value)
      }
      object.append(contentsOf: [
        "objects": change.objects.map(\.description), "count": change.objectCount,
        "cascaded": change.cascaded.map(\.description), "cascadedCount": change.cascadedCount,
      ])
      try printer.line(object)
    }
    try writeRemaining(to: printer)
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONMembers = [
      "store": store, "storeUUID": orNull(summary.storeUUID), "applied": isApplied,
      "repairs": summary.repairCount, "decided": summary.decidedCount, "errors": summary.errorCount,
      "plan": summary.plan == nil ? nil : plan,
    ]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    try printer.summary(status, members)
  }

  func writeRemaining(to printer: JSONPrinter) throws {
    for rest in summary.remaining {
      try printer.line([
        "type": "remaining", "code": rest.code.text, "severity": rest.code.severity.rawValue,
        "count": rest.count, "fixKind": rest.code.fix.kind.rawValue,
        "repairable": rest.code.fix.isAutomatic,
      ])
    }
  }
}

/// The outcome of a finding, as a line of JSON.
///
/// As text, it is part of the message of the result.
struct RepairOutcomeMessage: Message {
  var outcome: RepairOutcome

  func write(to printer: TextPrinter) {}

  func write(to printer: JSONPrinter) throws {
    switch outcome {
    case .repaired(let repair):
      var object = Self.members(of: repair.finding)
      object.append("fixKind", repair.finding.code.fix.kind.rawValue)
      object.append("change", repair.change)
      try printer.line(["type": "repair"] + object)
    case .stays(let finding):
      var object = Self.members(of: finding.finding)
      object.append("reason", finding.reason)
      try printer.line(["type": "unrepaired"] + object)
    }
  }

  private static func members(of finding: Finding) -> JSONMembers {
    return [
      "code": finding.code.text, "entity": finding.entityName?.text,
      "object": finding.objectID?.description, "property": finding.propertyName?.text,
    ]
  }
}
