internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// The rows of all tables of objects of a store.
struct ObjectRows {
  /// Which row.
  struct Key: Hashable {
    var table: String
    var key: Int64
  }

  /// The number of columns by table.
  private(set) var columnCounts: [String: Int] = [:]
  /// The entity and version of each row.
  private(set) var identities: [Key: [StoreValue]] = [:]
  private let model: ManagedObjectModel

  /// The recovered rows.
  var keys: Set<Key> { Set(identities.keys) }

  init(of path: String) throws {
    model = try PersistentStore(readingFrom: path).model
    for entity in model.entities where entity.superentityName == nil {
      let name = table(of: entity.name)
      let database = try GeneratorDatabase(path: path)
      columnCounts[name] = try database.rows("SELECT * FROM pragma_table_info('\(name)')").count
      for row in try database.rows("SELECT Z_PK, Z_ENT, Z_OPT FROM \(name)") {
        if case .integer(let key) = row[0] {
          identities[Key(table: name, key: key)] = Array(row.dropFirst())
        }
      }
    }
  }

  /// The rows of both; where both have one, that of the first.
  func merging(_ other: ObjectRows) -> ObjectRows {
    var rows = self
    rows.identities.merge(other.identities) { first, _ in first }
    return rows
  }

  /// The table of the objects of an entity.
  func table(of entity: Name) -> String {
    "Z" + (model.root(of: entity)?.name ?? entity).text.uppercased()
  }
}

/// What the shell of SQLite recovers from a damaged database.
struct RecoveredDatabase {
  /// Whether there is a shell that can: it must have been built with `SQLITE_ENABLE_DBPAGE_VTAB`.
  static let isPossible: Bool = {
    guard let shell = ProcessRunner.find("sqlite3"), let folder = try? TemporaryDirectory(),
      let database = try? GeneratorDatabase(path: folder.file("A.sqlite")),
      (try? database.run("CREATE TABLE a (b)")) != nil
    else { return false }
    let result = try? ProcessRunner(shell).run([folder.file("A.sqlite"), ".recover"])
    return result?.output.contains("CREATE TABLE a") == true
  }()

  private let path: String

  /// Lets the shell recover a database.
  init(of damaged: String, _ folder: TemporaryDirectory) throws {
    guard let shell = ProcessRunner.find("sqlite3") else { throw GeneratorError("no sqlite3") }
    path = folder.file("Recovered.sqlite")
    let script = try ProcessRunner(shell).run([damaged, ".recover"])
    _ = try ProcessRunner(shell).run([path], input: script.outputBytes)
  }

  /// The rows of a sound store that were recovered, in their tables or among rows of unknown tables.
  func rows(like sound: ObjectRows) throws -> Set<ObjectRows.Key> {
    let database = try GeneratorDatabase(path: path)
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .compactMap { RescueOracle.text($0[0]) }
    var found: Set<ObjectRows.Key> = []
    func note(_ table: String, _ row: [StoreValue]) {
      guard case .integer(let number) = row[0] else { return }
      let key = ObjectRows.Key(table: table, key: number)
      if let identity = sound.identities[key], Array(row.dropFirst()) == identity {
        found.insert(key)
      }
    }
    for name in tables where sound.columnCounts[name] != nil {
      // What stands in the schema need not be a table that can be read.
      let rows = try? database.rows("SELECT rowid, Z_ENT, Z_OPT FROM \(name)")
      for row in rows ?? [] { note(name, row) }
    }
    for name in tables where name.hasPrefix("lost_and_found") {
      let columns = try database.rows("SELECT * FROM pragma_table_info('\(name)')").count
      guard columns >= 7 else { continue }
      for row in try database.rows("SELECT id, c1, c2, nfield FROM \(name)") {
        for (table, count) in sound.columnCounts where row[3] == .integer(Int64(count)) {
          note(table, Array(row.prefix(3)))
        }
      }
    }
    return found
  }
}
