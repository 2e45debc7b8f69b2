internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The number of a store's objects that a migration loses.
///
/// Another app's model lacks every entity: a migration to it could be inferred, but would lose
/// everything.
struct ObjectLoss {
  /// The number of objects in the first store of the migration.
  private let total: Int64
  private(set) var lost: Int64 = 0

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

  /// Counts the objects of a store, and those that an inferred mapping leaves behind.
  init(of store: PersistentStore, by mapping: ModelMapping) throws {
    try self.init(of: store)
    let removed = mapping.entities.filter { $0.kind == .removed }.compactMap(\.sourceName)
    lost = try store.use { database throws(CofferError) in
      var lost: Int64 = 0
      for name in removed {
        guard let table = store.layout.entityTable(of: name),
          let number = store.layout.numbering.number(of: name)
        else { continue }
        lost +=
          try database.value(
            "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) WHERE "
              + "\(quotedIdentifier(StoredName.entityNumber)) = \(number)")?.integer ?? 0
      }
      return lost
    }
  }

  /// Counts the objects of an archive, and those that an inferred mapping leaves behind.
  init(
    ofArchiveAt path: String, by mapping: ModelMapping, _ environment: WorkEnvironment
  ) throws {
    let removed = Set(mapping.entities.filter { $0.kind == .removed }.compactMap(\.sourceName))
    let entities = try StoreInspector(environment: environment).inspect(path).entities
    total = entities.reduce(0) { $0 &+ Int64($1.objectCount) }
    lost = entities.reduce(0) { removed.contains($1.name) ? $0 &+ Int64($1.objectCount) : $0 }
  }

  var isMost: Bool { lost > total / 2 }

  mutating func add(_ count: Int64) { lost += count }

  /// The reason to refuse the migration, whose model lacks an entity, unless the loss is allowed; nil if most
  /// objects are kept.
  func problem(with entity: Name) -> MappingProblem? {
    guard isMost else { return nil }
    let what =
      switch (lost, total) {
      case (1, 1): "the only object of the store"
      case (total, _): "all \(total) objects of the store"
      default: "\(lost) of the store's \(total) objects"
      }
    return MappingProblem(
      .lostObjects, entity: entity,
      "\(what) would not be carried over because the new model lacks "
        + (lost == 1 ? "its entity" : "their entities"),
      remedy: .allowLoss)
  }
}
