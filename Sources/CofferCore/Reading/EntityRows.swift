package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel

/// The selected objects of a table, by the names of their entities.
package enum EntityFilter: Equatable {
  case only(Set<Name>)
  /// All except objects of some entities: also objects whose entity is not known.
  case allBut(Set<Name>)
}

extension RowSource {
  /// Begins to read the objects of some entities, in the order of their keys; returns the rows, each loaded.
  package func rows(of shape: TableLayout, _ filter: EntityFilter) throws -> EntityRows<Rows> {
    EntityRows(try rows(of: shape), of: shape, filter, entities)
  }
}

/// The rows of a table of objects that are of some entities.
package final class EntityRows<Rows: RowCursor>: RowCursor {
  private let rows: Rows
  private let entityColumn: Int?
  private let numbers: Set<Int64>
  /// Whether the numbers are the entities to read, not the entities to skip.
  private let isOnly: Bool

  fileprivate init(
    _ rows: Rows, of shape: TableLayout, _ filter: EntityFilter, _ entities: NumberedEntities
  ) {
    self.rows = rows
    entityColumn = shape.fields.firstIndex { $0.role == .entityNumber }
    let names: Set<Name>
    switch filter {
    case .only(let wanted): (names, isOnly) = (wanted, true)
    case .allBut(let others): (names, isOnly) = (others, false)
    }
    numbers = Set(names.compactMap { entities.numbers[$0] })
  }

  package var row: Row { rows.row }

  package func advance() throws -> Bool {
    while try rows.next() {
      let number = entityColumn.flatMap { rows.row.integer($0) }
      if number.map(numbers.contains) ?? false == isOnly { return true }
    }
    return false
  }

  package func load() {}

  package func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try unsafe rows.readValue(column, body)
  }

  package func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    try rows.digest(of: column, from: offset)
  }
}

/// The size of the content of a store or an archive.
public struct ContentCounts: Sendable, Equatable {
  /// The number of managed objects.
  public var objectCount = 0
  /// The number of references between objects: to-one relationships with a destination, and pairs
  /// of many-to-many relationships.
  public var relationshipCount = 0
  /// The number of entities in the model.
  public var entityCount = 0
  /// The number of rows of persistent history and of other tables.
  public var otherRowCount = 0
  /// The number of external binary data files.
  public var externalFileCount = 0

  package init() {}

  mutating func add(_ rowCount: Int, of kind: TableLayout.Kind, toOneCount: Int) {
    switch kind {
    case .entity: objectCount += rowCount
    case .relationship: relationshipCount += rowCount
    case .metadata, .primaryKeys, .modelCache: break
    default: otherRowCount += rowCount
    }
    relationshipCount += toOneCount
  }
}
