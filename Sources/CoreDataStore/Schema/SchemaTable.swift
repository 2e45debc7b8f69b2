/// A column of a table, as the schema declares it.
package struct SchemaColumn: Sendable, Equatable {
  /// The name.
  package var name: String
  /// The declared type as written, such as `VARCHAR`; empty if there is none.
  package var declaredType: String
  /// The place in the primary key, from 1; 0 outside of it.
  package var primaryKeyPosition: Int
  /// Whether the value is computed from others, so that it cannot be written.
  package var isGenerated: Bool
  /// Whether it is a hidden column of a virtual table.
  package var isHidden: Bool
}

/// A table, as the schema declares it.
package struct SchemaTable: Sendable, Equatable {
  /// The kinds of tables.
  package enum Kind: Sendable, Equatable {
    /// A table with its own rows.
    case ordinary
    case virtual(module: String)
    /// A shadow table with content of the virtual table of that name.
    case shadow(of: String)
  }

  /// The name.
  package var name: String
  /// The text of the statement that creates it.
  package var sql: String
  /// The kind.
  package var kind: Kind
  /// The columns in declared order; empty for a virtual table whose module is not at hand.
  package var columns: [SchemaColumn]
  /// Whether it has no rowid: only its primary key identifies its rows.
  package var isWithoutRowID: Bool
  /// The name of the column that is an alias of the rowid, or nil if there is none.
  package var rowIDAlias: String?

  /// The column with a name, ignoring case as SQLite does; nil if there is none.
  package func column(_ name: String) -> SchemaColumn? {
    let wanted = SchemaName(name)
    return columns.first { SchemaName($0.name) == wanted }
  }

  /// Whether SQL can name the numbers of its rows: it has some, and its columns do not take all their names.
  package var canNameRows: Bool {
    let stored = columns.filter { !$0.isGenerated && !$0.isHidden }.map(\.name)
    return !isWithoutRowID && column(RowPlan.hiddenRowNumber(besides: stored)) == nil
  }

  /// A statement that creates the table with its columns and row numbers, and without conditions; nil
  /// where nothing is known of its columns.
  package var plainStatement: SchemaStatement? {
    let stored = columns.filter { !$0.isGenerated && !$0.isHidden }
    guard !stored.isEmpty else { return nil }
    let elements = stored.map { column in
      let name = quotedIdentifier(column.name)
      if column.name == rowIDAlias { return name + " INTEGER PRIMARY KEY" }
      return column.hasPlainType ? "\(name) \(column.declaredType)" : name
    }
    return SchemaStatement(
      kind: .table, name: name, tableName: name,
      sql: "CREATE TABLE \(quotedIdentifier(name)) (\(elements.joined(separator: ", ")))")
  }
}

extension SchemaColumn {
  /// Whether the type is a word, perhaps with a length.
  fileprivate var hasPlainType: Bool {
    var reader = SQLTokenReader(declaredType)
    guard reader.next?.kind == .word else { return false }
    reader.skip()
    _ = reader.takeParenthesis()
    return reader.rest.isEmpty
  }
}

/// A name of the schema as SQLite compares it: ASCII letters match in either case, all other bytes
/// exactly.
///
/// Swift's own text comparison would take differently composed accents for equal, which are
/// different names to SQLite.
package struct SchemaName: Sendable, Hashable {
  /// The bytes with ASCII capitals turned to small letters.
  private let folded: [UInt8]

  /// The comparable form of a name.
  package init(_ name: String) {
    folded = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// A name as an SQL identifier: in double quotes, with quotes inside doubled.
///
/// Source: <https://sqlite.org/lang_keywords.html>.
package func quotedIdentifier(_ name: String) -> String {
  var quoted = "\""
  for scalar in name.unicodeScalars {
    if scalar == "\"" { quoted.unicodeScalars.append("\"") }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}
