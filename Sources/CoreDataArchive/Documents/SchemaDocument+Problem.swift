extension SchemaDocument {
  /// The reason why the statements cannot be those of one store; nil if they can.
  ///
  /// Triggers have names of their own; everything else shares its names, in either letter case.
  package var problem: String? {
    var names: Set<[UInt8]> = []
    for (position, statement) in statements.enumerated() {
      let space = statement.kind == "trigger" ? "trigger " : ""
      guard names.insert(Array(space.utf8) + foldedName(statement.name)).inserted else {
        return "statements[\(position)]: the name comes twice"
      }
    }
    return nil
  }
}

/// A name as SQLite compares it: its bytes, with ASCII capitals turned to small letters.
///
/// Swift's own comparison takes differently composed accents for equal, which are different names.
func foldedName(_ name: String) -> [UInt8] {
  name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
}
