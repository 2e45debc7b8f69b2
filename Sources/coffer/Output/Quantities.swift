internal import CofferKit

extension QuantityText {
  /// The number of objects and entities.
  static func objects(_ count: Int, entities: Int) -> String {
    "\(self.count(count, "object")) of \(self.count(entities, "entity", "entities"))"
  }

  /// The number of lost rows.
  static func lostRows(_ count: Int, isExact: Bool) -> String {
    let rows = self.count(count, "row")
    return isExact ? rows : count == 0 ? "an unknown number of rows" : "about \(rows)"
  }
}

extension TextPrinter {
  /// Writes the numbers of other rows and files, if there are any.
  func others(rows: Int, files: Int) throws {
    if files > 0 { try line("  external data  \(QuantityText.count(files, "file"))") }
    if rows > 0 { try line("  other rows     \(QuantityText.count(rows))") }
  }
}
