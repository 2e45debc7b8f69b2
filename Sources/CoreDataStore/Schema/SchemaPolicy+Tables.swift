extension SchemaPolicy {
  /// Words with which a table constraint begins; none of them can be the name of a column.
  private static let tableConstraints: Set<String> = [
    "CHECK", "CONSTRAINT", "FOREIGN", "PRIMARY", "UNIQUE",
  ]

  /// Words with which a column constraint begins, after its type.
  private static let columnConstraints: Set<String> = [
    "AS", "CHECK", "COLLATE", "CONSTRAINT", "DEFAULT", "GENERATED", "NOT", "NULL", "PRIMARY",
    "REFERENCES", "UNIQUE",
  ]

  /// The objection to the creation of a table, from its kind on.
  func table(_ reader: inout SQLTokenReader) -> String? {
    guard reader.take("TABLE"), reader.takeName() != nil else { return "does not create a table" }
    guard let body = reader.takeParenthesis() else {
      return reader.next?.keyword == "AS"
        ? "takes its rows from a query" : "does not create a table"
    }
    for part in SQLTokenReader.list(body) {
      var piece = SQLTokenReader(part)
      if !Self.tableConstraints.contains(piece.next?.keyword ?? ""),
        let objection = column(&piece)
      {
        return objection
      }
      if let objection = scan(piece.rest, SchemaFunctions.scalar) { return objection }
    }
    return options(reader.rest)
  }

  /// Takes the name and the type of a column.
  private func column(_ piece: inout SQLTokenReader) -> String? {
    guard piece.takeName() != nil else { return "has a column without a name" }
    while let token = piece.next, !Self.columnConstraints.contains(token.keyword) {
      if token.isSign("(") {
        let isLength =
          piece.takeParenthesis()?.allSatisfy {
            $0.kind == .number || ["+", "-", ",", "."].contains($0.text)
          } ?? false
        return isLength ? nil : "has a column of a type that is none"
      }
      guard piece.takeName() != nil else { return "has a column of a type that is none" }
    }
    return nil
  }

  /// The text after the columns.
  private func options(_ tokens: ArraySlice<SQLToken>) -> String? {
    let allowed: Set<[String]> = [
      [], ["STRICT"], ["WITHOUT", "ROWID"], ["STRICT", ",", "WITHOUT", "ROWID"],
      ["WITHOUT", "ROWID", ",", "STRICT"],
    ]
    let words = tokens.map { $0.kind == .word ? $0.keyword : $0.text }
    if words.contains(";") { return "holds more than one statement" }
    return allowed.contains(words) ? nil : "has something behind its columns"
  }
}
