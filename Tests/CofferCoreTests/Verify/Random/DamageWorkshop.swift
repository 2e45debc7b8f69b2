internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// A store to damage at random: its tables, and the choices.
struct DamageWorkshop {
  /// The path of the store.
  let path: String
  /// What the tables and columns mean.
  let layout: StoreLayout
  /// The store, open for writing.
  let database: GeneratorDatabase
  /// What chooses.
  var random: SeededGenerator

  /// Opens a store; the same seed chooses the same.
  init(_ path: String, seed: UInt64) throws {
    self.path = path
    layout = try PersistentStore(readingFrom: path).layout
    database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    random = SeededGenerator(seed: seed)
  }

  /// The model.
  var model: ManagedObjectModel { layout.model }

  /// One element of a list; nil if it is empty.
  mutating func pick<T>(_ list: [T]) -> T? {
    list.isEmpty ? nil : list[random.below(list.count)]
  }

  /// The key of one of the rows that a condition names; nil if there is none.
  mutating func row(of table: EntityTable, where condition: String = "1") throws -> Int64? {
    let name = table.tableName
    let count = try database.integer("SELECT count(*) FROM \(name) WHERE \(condition)") ?? 0
    guard count > 0 else { return nil }
    return try database.integer(
      "SELECT Z_PK FROM \(name) WHERE \(condition) ORDER BY Z_PK LIMIT 1 OFFSET \(random.below(Int(count)))"
    )
  }

  /// An object by its name, such as `Person/p7`.
  func object(_ key: Int64, in table: EntityTable) throws -> String {
    let entity = try database.integer(
      "SELECT Z_ENT FROM \(table.tableName) WHERE Z_PK = \(key)")
    let name = entity.flatMap(layout.numbering.name(of:)) ?? table.rootEntityName
    return "\(name)/p\(key)"
  }

  /// Sets one value of a row.
  func set(
    _ column: String, to value: StoreValue, at key: Int64, in table: EntityTable
  ) throws {
    try database.run("UPDATE \(table.tableName) SET \(column) = ? WHERE Z_PK = \(key)", [value])
  }

  /// The numbers of an entity and all below it, for a condition.
  func numbers(_ entity: Name) -> String {
    model.tree(of: entity).compactMap { layout.numbering.number(of: $0.name) }.map(String.init)
      .joined(separator: ", ")
  }

  /// A condition for the rows that have a property of an entity.
  func has(_ entity: Name) -> String { "Z_ENT IN (\(numbers(entity)))" }

  /// Drops the indexes of a table that allow a value once.
  func dropUniqueIndexes(of table: EntityTable) throws {
    for row in try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE '%UNIQUE%'",
      [.string(table.tableName)])
    {
      if case .text(let name)? = row.first {
        try database.run("DROP INDEX \"\(String(decoding: name, as: UTF8.self))\"")
      }
    }
  }
}
