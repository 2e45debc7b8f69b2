internal import CoreDataLayout

/// How much a store or an archive contains.
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

  /// Adds the rows of a table.
  ///
  /// - Parameters:
  ///   - rowCount: the number of rows.
  ///   - kind: what the rows are.
  ///   - toOneCount: the number of to-one relationships in them that have a destination.
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
