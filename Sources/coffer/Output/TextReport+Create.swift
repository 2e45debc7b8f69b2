internal import CofferKit

extension TextReport {
  func created(_ summary: CreationSummary, at store: String, status: ExitStatus) throws {
    let parts = [
      QuantityText.count(summary.entityCount, "entity", "entities"),
      QuantityText.count(summary.tableCount, "table"),
      QuantityText.count(summary.indexCount, "index", "indexes"),
      QuantityText.count(summary.triggerCount, "trigger"),
    ]
    try line("Created \(printable(store)): \(parts.joined(separator: ", "))")
    try line("  framework      \(summary.frameworkVersion) (\(summary.frameworkEra))")
    try line("  store UUID     \(summary.storeUUID)")
    try line("  version hashes \(summary.hasVersionHashes ? "yes" : "none")")
    for note in summary.notes { try line("Note: \(printable(note)).") }
  }
}
