package import CoreDataModel

/// The table of an inheritance tree: the objects of the root entity and of all below it.
package struct EntityTable: Sendable, Equatable {
  /// The name of the root entity.
  package var rootEntityName: String
  /// The names of the root entity and of all below it, depth first.
  package var entityNames: [String]
  /// The name of the table.
  package var tableName: String
  /// Every column of the table, in declared order.
  package var columns: [EntityColumn]

  /// The position of the column with a role, or nil if there is none.
  package func position(of role: EntityColumn.Role) -> Int? {
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

/// A column of the table of an inheritance tree.
package struct EntityColumn: Sendable, Equatable {
  /// The roles of columns.
  package enum Role: Sendable, Hashable {
    /// The primary key of the object; this column is another name of the rowid.
    case primaryKey
    /// The number of the object's entity.
    case entityNumber
    /// The count of the object's saves.
    case version
    /// The value of an attribute that `declaredBy` declares.
    ///
    /// The path is the name of the attribute, followed by the names of elements for a leaf of a
    /// composite attribute.
    case attribute(
      path: [String], type: AttributeType, allowsExternalBinaryDataStorage: Bool,
      declaredBy: String)
    /// The primary key of the destination of a to-one relationship.
    case toOne(name: String, destination: String, declaredBy: String)
    /// The number of the entity of the destination of a to-one relationship.
    case toOneEntity(relationship: String, declaredBy: String)
    /// The position of the object among those of the destination of a to-one relationship, whose
    /// inverse is ordered.
    case order(relationship: String, declaredBy: String)
    /// The primary key of the object whose to-many relationship without an inverse leads here.
    ///
    /// The entity is the one that declares the relationship.
    case owner(entity: String, relationship: String)
    /// The position of the object in an ordered to-many relationship without an inverse.
    case ownerOrder(entity: String, relationship: String)
    /// Nothing that the model explains.
    case unknown
  }

  /// The name as the table declares it.
  package var name: String
  /// The declared type, such as `VARCHAR`; empty if there is none.
  package var declaredType: String
  /// Whether the value is computed from other columns, so that it cannot be written.
  package var isGenerated: Bool
  /// The role of the column; ``Role/unknown`` for every generated column.
  package var role: Role
}
