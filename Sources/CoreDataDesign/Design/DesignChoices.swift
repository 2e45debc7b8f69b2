internal import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// Decisions that do not follow from a model: taken from another store, or left open.
///
/// They have no effect where the rules decide. Properties are named with the entities that declare
/// them, as in the model of the designed store.
package struct DesignChoices: Sendable, Equatable {
  /// The relationships that name the join tables of relationships.
  package var namingSides: Set<PropertyReference> = []
  /// The suffix of the column with a relationship's own objects in the table of a pair: empty, or a
  /// number.
  package var columnSuffixes: [PropertyReference: String] = [:]
  /// The places of the columns that other entities' relationships need, by the to-one relationship
  /// whose inverse is ordered, or the to-many relationship without inverse.
  package var columnOrder: [PropertyReference: Int] = [:]
  /// Whether there are tables of the persistent history.
  ///
  /// Core Data makes them when it opens a store with history tracking, and never without
  /// (store-format, section 7).
  package var includesHistory = false

  /// The triggers of a store of the same model that have Core Data's name prefix; nil to write the
  /// triggers whose form is known.
  ///
  /// A store that was migrated in place may lack triggers that a fresh one has, and Core Data writes some of
  /// which no rule is known.
  package var triggers: [SchemaStatement]?

  /// Decides nothing.
  package init() {}

  /// Decides as a store has it.
  package init(like layout: StoreLayout, catalog: SchemaCatalog) {
    for table in layout.joinTables {
      namingSides.insert(table.source)
      guard !table.isReflexive else { continue }
      columnSuffixes[table.source] = Self.suffix(
        of: table.sourceColumn, behind: table.destination.property)
      columnSuffixes[table.destination] = Self.suffix(
        of: table.destinationColumn, behind: table.source.property)
    }
    for column in layout.entityTables.flatMap(\.columns) {
      switch column.role {
      case .order(let relationship, let entity), .owner(let entity, let relationship):
        columnOrder[PropertyReference(entity: entity, property: relationship)] = columnOrder.count
      default: break
      }
    }
    includesHistory = catalog.table(StoredName.changes) != nil
  }

  /// The suffix of a relationship's name in a column name; nil if the column has another name.
  private static func suffix(of column: String, behind relationship: Name) -> String? {
    guard let numbered = NumberedName(column, prefix: "Z_") else { return nil }
    let base = relationship.text.uppercased()
    guard isNamesake(numbered.rest, of: base) else { return nil }
    return String(decoding: numbered.rest.utf8.dropFirst(base.utf8.count), as: UTF8.self)
  }
}
