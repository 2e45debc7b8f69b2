internal import CoreDataModel
internal import CoreDataStore

@testable internal import CofferCore
@testable internal import CofferTables

/// The objects that a query finds by each part of the way: by its condition alone, and by what SQLite is asked.
struct ConditionPaths {
  /// The keys of the objects that fulfil the condition, asked of every row.
  private(set) var rows: [Int64] = []
  /// The keys of the objects that SQLite leaves, without a look at them; nil where it is asked nothing.
  private(set) var left: [Int64]?
  /// Whether SQLite can tell all of the condition.
  private(set) var isExact = true

  init(_ query: ObjectQuery, in source: StoreRowSource) throws {
    let wanted = Set(source.model.tree(of: query.entityName).map(\.name))
    guard let text = query.condition, let shape = source.table(of: query.entityName) else { return }
    let condition = try ObjectCondition(
      text, of: query.entityName, in: source.model, path: source.path)
    let scope = ConditionScope(source)
    let columns = ObjectColumns(shape, source.entities)
    for name in columns.entityNames.values {
      guard let test = condition.test(of: name), let places = columns.places(of: name) else {
        continue
      }
      if ConditionFilter(places, key: columns.key).exact(test) == nil { isExact = false }
    }
    try source.visitRows(of: shape) { rows in
      if let object = columns.object(rows), wanted.contains(object.id.entityName),
        try condition.holds(for: object, in: scope)
      {
        self.rows.append(object.id.primaryKey)
      }
      return true
    }
    guard let filter = columns.filter(wanted, condition) else { return }
    var keys: [Int64] = []
    try source.visitRows(of: shape, filter: filter) { rows in
      if let object = columns.object(rows), wanted.contains(object.id.entityName) {
        keys.append(object.id.primaryKey)
      }
      return true
    }
    left = keys
  }

  /// What contradicts; nil for nothing.
  var contradiction: String? {
    guard let left else { return nil }
    if !Set(rows).isSubset(of: left) { return "SQLite passes over \(Set(rows).subtracting(left))" }
    return isExact && left != rows ? "SQLite finds \(left), not \(rows)" : nil
  }
}
