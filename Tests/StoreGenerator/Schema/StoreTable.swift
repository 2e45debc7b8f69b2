package import CoreDataModel

/// A table of a store: one inheritance tree of entities, with the columns in their order.
package struct StoreTable: Sendable {
  /// The name, such as `ZTODOENTITY`.
  package let name: String
  /// The name of the root entity.
  package let rootEntityName: Name
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, in order.
  package var columns: [StoreColumn]

  /// The statement that creates the table.
  var statement: String {
    let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    let own = columns.map { ", \($0.name) \($0.type)" }.joined()
    return "CREATE TABLE \(name) ( \(system)\(own) )"
  }

  /// The names of all columns in order.
  package var columnNames: [String] { ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name) }
}

/// A column of a table of entities.
package struct StoreColumn: Sendable {
  /// The name.
  package let name: String
  /// The type in SQL.
  package let type: String
  /// The place of its kind in the order of columns.
  let rank: Int
}

/// A table that holds the pairs of a many-to-many relationship.
package struct JoinTable: Sendable {
  /// The name, such as `Z_4TAGS`.
  package let name: String
  /// The columns in order: two primary keys, then the order keys there are.
  package let columns: [String]

  /// The statement that creates the table.
  var statement: String {
    let list = columns.map { "\($0) INTEGER" }.joined(separator: ", ")
    return "CREATE TABLE \(name) ( \(list), PRIMARY KEY (\(columns[0]), \(columns[1])) )"
  }

  /// The statement that creates the index for the opposite direction.
  var indexStatement: String {
    "CREATE INDEX \(name)_\(columns[1])_INDEX ON \(name) (\(columns[1]), \(columns[0]))"
  }
}

/// How one direction of a many-to-many relationship stands in its table.
package struct JoinSide: Sendable {
  /// The name of the table.
  package let table: String
  /// The column with the primary keys of the objects that the relationship starts from.
  package let ownerColumn: String
  /// The column with the primary keys of its destinations.
  package let destinationColumn: String
  /// The column that orders the destinations of an owner, or nil.
  package let orderColumn: String?
}

/// Where the destinations of a to-many relationship without inverse refer to their owner.
package struct OwnerColumn: Sendable {
  /// The table of the destinations.
  package let table: String
  /// The column with the primary key of the owner.
  package let column: String
  /// The column that orders the destinations of an owner, or nil.
  package let orderColumn: String?
}

/// A property by the entity that declares it; elements of composite attributes by dotted paths.
package struct PropertyPath: Hashable, Sendable {
  /// The name of the declaring entity.
  package let entity: Name
  /// The name of the property, or the path of an element.
  package let path: Name

  /// Creates a path.
  package init(_ entity: Name, _ path: Name) {
    self.entity = entity
    self.path = path
  }
}
