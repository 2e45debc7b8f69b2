internal import CofferKit
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

struct RescueMessage: ResultMessage {
  /// The maximum number of examples of each kind.
  private static let shown = 5
  /// The codes that the tables of losses and the repairs cover.
  private static let toldElsewhere: Set<FindingCode> = [
    .lostRows, .lostValue, .lostTable, .danglingRelationship, .danglingPair,
  ]

  var summary: RescueSummary
  /// The path of the damaged store, as given.
  var store: String
  /// The path of the new store, as given.
  var newStore: String
  /// The path of the folder for objects recovered from loose pages, as given; nil if there was no search for them.
  var recovered: String?
  /// Whether every loss and every repair is shown.
  var showsAll: Bool

  var status: ExitStatus { summary.isWhole ? .done : .findings }

  private var repair: RepairMessage {
    var options = RepairOptions()
    options.codes = RescueOptions.lossyCodes
    return RepairMessage(
      summary: summary.repair, options: options, store: store, plan: nil, isApplied: true,
      all: showsAll ? outcomes : nil)
  }

  /// The outcomes of the findings to repair, as far as the summary has them.
  private var outcomes: [RepairOutcome] {
    summary.repair.repairs.map(RepairOutcome.repaired)
      + summary.repair.unrepaired.map(RepairOutcome.stays)
  }

  // MARK: Text

  func write(to printer: TextPrinter) throws {
    if let problem = summary.problem { try printer.warn(problem.description) }
    try FindingsMessage(summary.findings.filter { !Self.toldElsewhere.contains($0.code) })
      .write(to: printer)
    try printer.content(summary.content, "Rescued", to: newStore)
    try printer.line("  lost           \(summary.losses?.text ?? "nothing")")
    if !summary.lostTables.isEmpty {
      try printer.heading("What was lost")
      for table in summary.lostTables { try write(table, to: printer) }
    }
    try repair.writeRepairs(to: printer)
    if let problem = summary.repairProblem {
      try printer.warn("\(newStore) was not repaired: \(problem.detail)")
    }
    try repair.writeRest(to: printer)
    if let recovered { try writeRecovered(to: recovered, printer) }
  }

  private func writeRecovered(to folder: String, _ printer: TextPrinter) throws {
    guard !summary.recovered.isEmpty else {
      return try printer.heading("Found no objects that the new store lacks")
    }
    try printer.heading(
      "Found on loose pages, in \(Terminal.printable(folder)) and not in the new store; "
        + "objects on free pages may have been deleted")
    var block = FieldBlock()
    for objects in summary.recovered {
      var text = QuantityText.count(objects.count, "object")
      if objects.freeCount > 0 {
        text += ", \(QuantityText.count(objects.freeCount)) of them on free pages"
      }
      if objects.incompleteCount > 0 {
        text += ", \(QuantityText.count(objects.incompleteCount)) of them without some values"
      }
      block.add(objects.entityName.text, text)
    }
    try printer.block(block)
  }

  private func write(_ table: SalvageDocument.Table, to printer: TextPrinter) throws {
    let unit = table.folder.hasPrefix("entities/") ? "object" : "row"
    var parts: [String] = []
    if table.lostCount > 0 || !table.isExact {
      let count = QuantityText.count(table.lostCount, unit)
      let isBounded = table.lostCount > 0 && table.rows.allSatisfy { $0.last != nil }
      parts.append(
        table.isExact ? count : isBounded ? "up to \(count)" : "an unknown number of \(unit)s")
    }
    if table.lostValueCount > 0 { parts.append(QuantityText.count(table.lostValueCount, "value")) }
    let read = QuantityText.count(table.readCount, unit)
    try printer.line(
      "\(Terminal.printable(table.folder)): lost \(parts.joined(separator: " and ")), read \(read)")
    try write(table.rows.map(Self.text), as: "numbers", to: printer)
    try write(table.values.map { "\($0.property) of \($0.key)" }, as: "values", to: printer)
  }

  private func write(_ items: [String], as name: String, to printer: TextPrinter) throws {
    guard !items.isEmpty else { return }
    let shown = showsAll ? items[...] : items.prefix(Self.shown)
    let rest = items.count - shown.count
    try printer.line(
      "  \(name) \(Terminal.printable(shown.joined(separator: ", ")))"
        + (rest > 0 ? " … and \(QuantityText.count(rest)) more; --all shows them" : ""))
  }

  private static func text(_ keys: LostRows) -> String {
    guard let last = keys.last else { return "\(keys.first) and above, if there were any" }
    let range = keys.first == last ? "\(last)" : "\(keys.first) to \(last)"
    return keys.isExact ? range : "\(range), as far as there were any"
  }

  // MARK: JSON

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    for table in summary.lostTables { try printer.line(["type": "lost"] + Self.members(of: table)) }
    for outcome in outcomes { try RepairOutcomeMessage(outcome: outcome).write(to: printer) }
    try repair.writeRemaining(to: printer)
    for objects in summary.recovered {
      try printer.line([
        "type": "recovered", "entity": objects.entityName.text, "file": objects.fileName,
        "objects": objects.count, "free": objects.freeCount, "incomplete": objects.incompleteCount,
      ])
    }
    var members: JSONMembers = [
      "store": store, "target": newStore, "storeUUID": orNull(summary.storeUUID),
    ]
    members.append(contentsOf: summary.content.members)
    members.append(contentsOf: ExportMessage.members(of: summary.losses))
    members.append(contentsOf: [
      "repairs": summary.repair.repairCount, "lossyRepairs": summary.lossyRepairCount,
      "errors": summary.errorCount,
    ])
    if recovered != nil {
      members.append("recovered", summary.recovered.reduce(0) { $0 + $1.count })
    }
    members.append("problem", summary.problem?.description)
    members.append("repairProblem", summary.repairProblem?.detail)
    try printer.summary(status, members)
  }

  private static func members(of table: SalvageDocument.Table) -> JSONMembers {
    [
      "table": table.folder, "entity": table.entityName?.text,
      "read": table.readCount, "lost": table.lostCount,
      "exact": table.isExact,
      "keys": table.rows.map { keys in
        JSONMembers(["first": keys.first, "last": orNull(keys.last), "exact": keys.isExact])
      },
      "lostValues": table.lostValueCount,
      "values": table.values.map {
        JSONMembers(["key": $0.key, "property": $0.property.text])
      },
    ]
  }
}
