package import CoreDataLayout

/// The table of an inheritance tree: the objects of the root entity and of all below it.
package struct EntityTable: Sendable, Equatable {
  /// The name of the root entity.
  package var rootEntityName: String
  /// The names of the root entity and of all below it, depth first.
  package var entityNames: [String]
  /// The name of the table.
  package var tableName: String
  /// The columns that can be written, in declared order.
  package var columns: [FieldLayout]
  /// The columns whose values are computed from others, in declared order.
  package var generatedColumns: [String]

  /// The columns that the model does not explain, those with computed values last.
  package var unexplainedColumns: [String] {
    columns.filter { $0.role == .plain }.map(\.storedName) + generatedColumns
  }

  /// The position of the column of a role, or nil when the table has none.
  package func position(of role: FieldRole) -> Int? {
    columns.firstIndex { $0.role == role }
  }
}

extension EntityTable {
  /// The name of the table of a root entity (store-format, section 5.1).
  static func name(ofRoot root: String) -> String { "Z" + root.uppercased() }
}

extension SchemaCatalog {
  /// The table of that name when objects can be read from it, nil otherwise.
  ///
  /// It is not a virtual table, its primary key is Z_PK, and its rows name their entities.
  func entityTable(_ name: String) -> SchemaTable? {
    guard let table = table(name), table.kind == .ordinary,
      table.rowIDAlias.map({ SchemaName($0) }) == SchemaName("Z_PK"),
      let entity = table.column("Z_ENT"), !entity.isGenerated
    else { return nil }
    return table
  }
}
