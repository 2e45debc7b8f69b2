extension SchemaDocument {
  /// Why the statements cannot be those of one store; nil where they can.
  ///
  /// Triggers have names of their own; everything else shares its names, in either letter case.
  package var problem: String? {
    var names: Set<String> = []
    for (position, statement) in statements.enumerated() {
      let space = statement.kind == "trigger" ? "trigger " : ""
      guard names.insert(space + foldedName(statement.name)).inserted else {
        return "statements[\(position)]: the name comes twice"
      }
    }
    return nil
  }
}

/// A name as SQLite compares it: ASCII capitals turned to small letters.
func foldedName(_ name: String) -> String {
  String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
