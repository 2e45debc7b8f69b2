internal import CofferKit
internal import CoreDataModel

/// The result of comparing two stores.
struct ComparisonMessage: ResultMessage {
  var summary: ComparisonSummary
  /// The path of the first file, as given.
  var first: String
  /// The path of the second file, as given.
  var second: String
  /// Examples of differences that have not been printed yet.
  var examples: DifferenceExamples
  /// Whether the second file is the result of a change, which may have matched objects in another way.
  var isPreview = false
  /// The number of conflicts that prevent the previewed change.
  var conflictCount = 0

  var status: ExitStatus { conflictCount == 0 ? Self.status(of: summary) : .findings }

  static func status(of summary: ComparisonSummary) -> ExitStatus {
    summary.isEqual ? .done : .findings
  }

  func write(to printer: TextPrinter) throws {
    let names = "\(Terminal.printable(first)) and \(Terminal.printable(second))"
    guard !summary.isEqual else {
      let count = QuantityText.count(summary.firstObjectCount, "object")
      let start =
        conflictCount > 0 ? "Apart from \(QuantityText.count(conflictCount, "conflict")), " : ""
      try printer.line("\(start)\(names) are the same: \(count)")
      guard let digest = summary.firstContentDigest, digest == summary.secondContentDigest else {
        return
      }
      return try printer.line("  content digest \(digest)")
    }
    try printer.line(printer.style.bold("\(names) differ"))
    try printer.block(Self.block(summary, showingRules: !isPreview))
    try MatchingMessage(matching: summary.matching, paths: [first, second]).write(to: printer)
    guard !examples.shown.isEmpty else { return }
    try printer.line("")
    for difference in examples.shown {
      try DifferenceMessage(difference: difference).write(to: printer)
    }
    if examples.hiddenCount > 0 {
      try printer.line("… and \(QuantityText.count(examples.hiddenCount)) more; --all shows them")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try MatchingMessage(matching: summary.matching, paths: [first, second]).write(to: printer)
    try Self.writeCounts(summary, to: printer)
    var members: JSONMembers = [
      "first": first, "second": second, "firstObjects": summary.firstObjectCount,
      "secondObjects": summary.secondObjectCount,
      "firstContentDigest": orNull(summary.firstContentDigest),
      "secondContentDigest": orNull(summary.secondContentDigest),
    ]
    members.append(contentsOf: Self.members(of: summary))
    if conflictCount > 0 { members.append("conflicts", conflictCount) }
    try printer.summary(status, members)
  }

  static func writeCounts(_ summary: ComparisonSummary, to printer: JSONPrinter) throws {
    for entity in summary.entities {
      try printer.line(counts(entity.counts, ["type": "entity", "name": entity.entityName.text]))
    }
    for relationship in summary.relationships {
      let names: JSONMembers = [
        "type": "relationship", "entity": relationship.entityName.text,
        "name": relationship.relationshipName.text,
      ]
      try printer.line(counts(relationship.counts, names))
    }
  }

  /// The counts of everything.
  static func members(of summary: ComparisonSummary) -> JSONMembers {
    let objects = summary.objects
    return [
      "equal": summary.isEqual, "added": objects.added, "removed": objects.removed,
      "changed": objects.changed, "pairs": summary.pairs.total, "tables": summary.tables.count,
      "externalData": summary.externalData.total, "storeProperties": summary.store.total,
    ]
  }

  /// The counts of each entity, relationship and table, as lines.
  static func block(
    _ summary: ComparisonSummary, showingRules showsRules: Bool = false
  ) -> FieldBlock {
    var block = FieldBlock()
    if summary.store.total > 0 { block.add("store", text(of: summary.store)) }
    let rules = Dictionary(summary.matching.map { ($0.entityName, $0.rule.keyPaths) }) { $1 }
    for entity in summary.entities {
      let paths = showsRules ? rules[entity.entityName] ?? [] : []
      let words = paths.isEmpty ? "" : "; matched by \(paths.joined(separator: ", "))"
      block.add(entity.entityName.text, text(of: entity.counts) + words)
    }
    for pairs in summary.relationships {
      block.add("\(pairs.entityName).\(pairs.relationshipName)", "pairs: \(text(of: pairs.counts))")
    }
    for table in summary.tables {
      block.add(table.tableName, "rows: \(text(table.added, table.removed, table.changed))")
    }
    if summary.externalData.total > 0 {
      block.add("external data", text(of: summary.externalData))
    }
    return block
  }

  private static func text(of counts: ComparisonSummary.Counts) -> String {
    text(counts.added, counts.removed, counts.changed)
  }

  private static func text(_ added: Int, _ removed: Int, _ changed: Int) -> String {
    [(added, "added"), (removed, "removed"), (changed, "changed")]
      .filter { $0.0 > 0 }.map { "\(QuantityText.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private static func counts(
    _ counts: ComparisonSummary.Counts, _ names: JSONMembers
  ) -> JSONMembers {
    names + ["added": counts.added, "removed": counts.removed, "changed": counts.changed]
  }
}
