internal import CofferKit

extension QuantityText {
  /// How many objects of how many entities.
  static func objects(_ count: Int, entities: Int) -> String {
    "\(self.count(count, "object")) of \(self.count(entities, "entity", "entities"))"
  }
}

extension TextPrinter {
  /// Adds what an archive holds beside objects, where it does.
  func others(rows: Int, files: Int) throws {
    if files > 0 { try line("  external data  \(QuantityText.count(files, "file"))") }
    if rows > 0 { try line("  other rows     \(QuantityText.count(rows))") }
  }
}
