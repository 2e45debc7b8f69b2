internal import CoreDataModel
internal import CoreDataStore

/// How many of the objects of a store a migration leaves behind.
///
/// A model of another app lacks every entity: the migration to it could be inferred, and would leave nothing.
struct ObjectLoss {
  /// How many objects the store had that the migration began with.
  private let total: Int64
  /// How many of them are left behind.
  private(set) var lost: Int64 = 0

  /// Counts the objects of a store.
  init(of store: PersistentStore) throws {
    let tables = store.layout.entityTables.map(\.tableName)
    total = try store.use { database throws(CofferError) in
      var total: Int64 = 0
      for table in tables {
        total += try database.value("SELECT count(*) FROM \(quotedIdentifier(table))")?.integer ?? 0
      }
      return total
    }
  }

  /// Notes what a step leaves behind.
  mutating func add(_ count: Int64) { lost += count }

  /// Why the migration is refused unless that is wanted.
  ///
  /// - Parameter entity: an entity that is gone.
  /// - Returns: the problem; nil where most objects stay.
  func problem(with entity: String) -> MappingProblem? {
    guard lost > total / 2 else { return nil }
    let what = lost == total ? "all \(total)" : "\(lost) of \(total)"
    return MappingProblem(
      .lostObjects, entity: entity,
      "\(what) objects of the store would not be carried over because the new model lacks their entities",
      remedy: .allowLoss)
  }
}
