package import CoreDataLayout
internal import CoreDataStore

/// A table of the store that is being verified, with the columns that every check needs.
package struct VerifiedTable {
  /// Its index among the tables.
  package let index: Int
  /// Its content and the meaning of its columns.
  package let shape: TableLayout
  /// The column of the primary key; nil for join tables and for tables without one.
  let primaryKeyColumn: Int?
  /// The column of the object's entity number; nil for tables without objects.
  let entityColumn: Int?
  /// The column of the version counter, also in system tables; nil if there is none.
  let versionColumn: Int?

  init(_ shape: TableLayout, index: Int) {
    self.index = index
    self.shape = shape
    func column(_ role: FieldRole, _ storedName: String) -> Int? {
      let isSystem = [.history, .cloudKit, .system].contains(shape.kind)
      return shape.fields.firstIndex {
        $0.role == role || (isSystem && $0.storedName.hasSameBytes(as: storedName))
      }
    }
    primaryKeyColumn = column(.primaryKey, StoredName.primaryKey)
    entityColumn = column(.entityNumber, StoredName.entityNumber)
    versionColumn = column(.version, StoredName.version)
  }

  /// The column with a role, or nil.
  package func column(_ role: FieldRole) -> Int? { shape.fields.firstIndex { $0.role == role } }

  /// The column of a name in the store; nil where the table has none.
  package func column(named name: String) -> Int? {
    shape.fields.firstIndex { $0.storedName.hasSameBytes(as: name) }
  }

  /// Whether only some of its rows are read if only some are verified: findings about the history count its
  /// rows.
  var isPartial: Bool { shape.kind != .history }
}
