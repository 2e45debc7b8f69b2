internal import CofferKit

/// The result of creating a store.
struct CreateMessage: Message {
  var summary: CreationSummary
  /// The path of the store, as given.
  var store: String

  func write(to printer: TextPrinter) throws {
    let parts = [
      QuantityText.count(summary.entityCount, "entity", "entities"),
      QuantityText.count(summary.tableCount, "table"),
      QuantityText.count(summary.indexCount, "index", "indexes"),
      QuantityText.count(summary.triggerCount, "trigger"),
    ]
    try printer.line("Created \(Terminal.printable(store)): \(parts.joined(separator: ", "))")
    try printer.line("  framework      \(summary.frameworkVersion) (\(summary.frameworkEra))")
    try printer.line("  store UUID     \(summary.storeUUID)")
    try printer.line("  version hashes \(summary.hasVersionHashes ? "yes" : "none")")
    for note in summary.notes { try printer.line("Note: \(Terminal.printable(note)).") }
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "store": store, "storeUUID": summary.storeUUID,
        "frameworkVersion": summary.frameworkVersion, "frameworkEra": summary.frameworkEra,
        "entities": summary.entityCount, "tables": summary.tableCount,
        "indexes": summary.indexCount, "triggers": summary.triggerCount,
        "versionHashes": summary.hasVersionHashes, "notes": summary.notes,
      ])
  }
}
