internal import CofferKit

extension TextPrinter {
  /// Adds the exported or imported quantities, and the target.
  func content(_ content: ContentCounts, _ verb: String, to path: String) throws {
    let objects = QuantityText.count(content.objectCount, "object")
    let entities = QuantityText.count(content.entityCount, "entity", "entities")
    try line("\(verb) \(objects) of \(entities) to \(Terminal.printable(path))")
    try line("  relationships  \(QuantityText.count(content.relationshipCount))")
    let files = content.externalFileCount
    if files > 0 { try line("  external data  \(QuantityText.count(files, "file"))") }
    let rows = content.otherRowCount
    if rows > 0 { try line("  other rows     \(QuantityText.count(rows))") }
  }
}

extension ContentCounts {
  var members: JSONMembers {
    [
      "objects": objectCount, "relationships": relationshipCount, "entities": entityCount,
      "otherRows": otherRowCount, "externalFiles": externalFileCount,
    ]
  }
}
