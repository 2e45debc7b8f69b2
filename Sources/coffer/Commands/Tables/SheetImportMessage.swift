internal import CofferKit

/// The result of importing tables, or of creating a store with invented objects.
struct SheetImportMessage: Message {
  var summary: SheetImportSummary
  /// The path of the store, as given.
  var store: String
  /// The seed for the values of invented objects; nil for tables.
  var seed: UInt64?

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    var parts = [QuantityText.count(summary.objectCount, "object")]
    if summary.pairCount > 0 { parts.append(QuantityText.count(summary.pairCount, "pair")) }
    if summary.externalFileCount > 0 {
      parts.append(QuantityText.count(summary.externalFileCount, "external file"))
    }
    let verb = seed == nil ? "Imported" : "Created"
    try printer.line("\(verb) \(Terminal.printable(store)): \(parts.joined(separator: ", "))")
    let width = summary.tables.map(\.name.count).max() ?? 0
    for table in summary.tables {
      let padding = String(repeating: " ", count: max(0, width - table.name.count))
      let unit = table.relationshipName == nil ? "object" : "pair"
      try printer.line(
        "  \(Terminal.printable(table.name))\(padding)  \(QuantityText.count(table.count, unit))")
    }
    if let seed { try printer.line("  seed           \(seed)") }
    try printer.line("  store UUID     \(summary.store.storeUUID)")
    try printer.line("  version hashes \(summary.store.hasVersionHashes ? "yes" : "none")")
    for note in summary.store.notes { try printer.line("Note: \(Terminal.printable(note)).") }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    var members: JSONMembers = [
      "store": store, "storeUUID": summary.store.storeUUID,
      "objects": summary.objectCount, "pairs": summary.pairCount,
      "externalFiles": summary.externalFileCount,
      "tables": summary.tables.map { table in
        JSONMembers([
          "name": table.name, "entity": table.entityName.text,
          "relationship": orNull(table.relationshipName?.text), "count": table.count,
        ])
      },
      "versionHashes": summary.store.hasVersionHashes,
      "notes": summary.store.notes,
    ]
    // A string: JSON numbers of other readers have 53 bits.
    members.append("seed", seed.map { "\($0)" })
    try printer.summary(.done, members)
  }
}
