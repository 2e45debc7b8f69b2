internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// A fetch from the old store in an expression: the objects of an entity and its subentities that meet a predicate.
struct MappedFetch: Hashable {
  let entity: Name
  /// The predicate; nil for all objects.
  let condition: String?

  /// Reads the arguments of a fetch.
  ///
  /// - Throws: `ExpressionProblem` for all but a request of the migration manager in the old store.
  init(
    _ request: ModelExpression, in context: ModelExpression, _ old: ManagedObjectModel
  ) throws(ExpressionProblem) {
    guard
      case .function(
        .some(.variable("manager")), "fetchRequestForSourceEntityNamed:predicateString:",
        let arguments) = request, arguments.count == 2,
      case .constant(.some(.string(let name))) = arguments[0],
      case .constant(.some(.string(let text))) = arguments[1]
    else {
      throw ExpressionProblem(text: "a fetch needs a request of the manager with constants")
    }
    switch context {
    case .keyPath(.some(.variable("manager")), "sourceContext"),
      .function(.some(.variable("manager")), "sourceContext", []):
      break
    default: throw ExpressionProblem(text: "a fetch is carried out in $manager.sourceContext only")
    }
    entity = Name(name)
    guard old[entity] != nil else {
      throw ExpressionProblem(text: "the old model has no entity \(entity)")
    }
    condition = MappedKeys.condition(text)
    guard let condition else { return }
    do throws(CofferError) {
      _ = try ObjectCondition(condition, of: entity, in: old, path: "")
    } catch {
      throw ExpressionProblem(
        text: "the predicate \(condition) of a fetch is wrong: \(error.detail)")
    }
  }
}

/// The fetches of a mapping model, carried out once.
struct MappedFetches {
  /// A result of a fetch.
  struct Result {
    /// The temporary table with the keys of its objects, as `k`.
    var table: String
    var count: Int64
  }

  private var results: [MappedFetch: Result] = [:]

  /// The result of a fetch; nil for one that was not carried out.
  subscript(_ fetch: MappedFetch) -> Result? { results[fetch] }

  /// No fetches: each finds nothing.
  init() {}

  /// Carries out all fetches that a mapping model can need, while the database is in use; those that cannot be
  /// read are left out.
  init(_ mapping: CustomMapping, _ store: PersistentStore, _ database: SQLiteDatabase) throws {
    for rule in mapping.carried {
      for expression in (rule.attributes + rule.relationships).compactMap(\.expression) {
        for fetch in expression.fetches(store.model) where results[fetch] == nil {
          let table = "temp.coffer_fetch_\(results.count)"
          let selection = ObjectSelection(
            entityNames: [fetch.entity], condition: fetch.condition)
          let count = try MappedKeys.write(selection, to: table, store, database)
          results[fetch] = Result(table: table, count: count)
        }
      }
    }
  }
}

/// The keys of objects that a predicate chooses.
enum MappedKeys {
  /// A predicate; nil for one that chooses all objects.
  static func condition(_ text: String?) -> String? {
    text.flatMap { ["", "TRUEPREDICATE"].contains($0.uppercased()) ? nil : $0 }
  }

  /// Writes the keys of the objects of a selection to a temporary table, and returns their number.
  static func write(
    _ selection: ObjectSelection, to table: String, _ store: PersistentStore,
    _ database: SQLiteDatabase
  ) throws -> Int64 {
    let rows = StoreRowSource(store, database, StoreTables(store))
    let selected = try SelectedObjects(selection, of: store.model, rows.entities, path: store.path)
    var keys: [Int64] = []
    _ = try selected.forEach(in: rows) { key, _ in keys.append(key) }
    var statements = [
      "DROP TABLE IF EXISTS \(table)", "CREATE TABLE \(table) (k INTEGER PRIMARY KEY)",
    ]
    for start in stride(from: 0, to: keys.count, by: 500) {
      let part = keys[start..<min(start + 500, keys.count)]
      let values = part.map { "(\($0))" }.joined(separator: ", ")
      statements.append("INSERT OR IGNORE INTO \(table) VALUES \(values)")
    }
    try database.runTemporarily(statements)
    return Int64(keys.count)
  }
}
