/// The columns of an index, regardless of its name and the spelling of its text, which differ
/// between eras.
package struct IndexElements: Hashable {
  /// A column of an index.
  struct Element: Hashable {
    var column: SchemaName
    /// Whether the order is descending.
    var isDescending: Bool
  }

  /// The table of the index.
  package var table: SchemaName
  /// The columns in order.
  var elements: [Element]

  /// The columns in order, ignoring the direction.
  package var columns: [SchemaName] { elements.map(\.column) }

  /// Parses the columns of an index; nil for an index on expressions.
  package init?(_ statement: SchemaStatement) {
    var reader = SQLTokenReader(statement.sql)
    guard statement.kind == .index, reader.takeUpTo("ON") != nil, let name = reader.takeName(),
      let list = reader.takeParenthesis()
    else { return nil }
    table = SchemaName(name)
    elements = []
    for piece in SQLTokenReader.list(list) {
      var piece = SQLTokenReader(piece)
      guard let column = piece.takeName() else { return nil }
      if piece.take("COLLATE"), piece.takeName() == nil { return nil }
      let isDescending = piece.take("DESC")
      if !isDescending { _ = piece.take("ASC") }
      guard piece.next == nil else { return nil }
      elements.append(Element(column: SchemaName(column), isDescending: isDescending))
    }
    // One column is read in both directions.
    if elements.count == 1 { elements[0].isDescending = false }
  }
}

extension SchemaStatement {
  /// Whether it creates a unique index.
  package var isUniqueIndex: Bool {
    var reader = SQLTokenReader(sql)
    return kind == .index && reader.take("CREATE") && reader.take("UNIQUE")
  }

  /// Whether it creates an index of only some rows.
  package var isPartialIndex: Bool {
    var reader = SQLTokenReader(sql)
    return kind == .index && reader.takeUpTo("WHERE") != nil
  }

  /// The columns of the uniqueness constraints in the text of a table, a list for each constraint.
  package var uniqueColumns: [[SchemaName]] {
    var reader = SQLTokenReader(sql)
    guard kind == .table, reader.take("CREATE"), reader.take("TABLE"), reader.takeName() != nil,
      let list = reader.takeParenthesis()
    else { return [] }
    return SQLTokenReader.list(list).compactMap { piece in
      var piece = SQLTokenReader(piece)
      let isConstraint = piece.take("CONSTRAINT")
      guard let name = piece.takeName(), piece.takeUpTo("UNIQUE") != nil else { return nil }
      guard isConstraint else { return [SchemaName(name)] }
      return piece.takeParenthesis().map { columns in
        SQLTokenReader.list(columns).compactMap { $0.first.map { SchemaName($0.text) } }
      }
    }
  }
}
