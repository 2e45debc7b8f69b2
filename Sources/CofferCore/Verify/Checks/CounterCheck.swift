internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks the primary key counters: one for each root entity, and one for each of the framework's
/// own entities.
///
/// The check of entity numbers reports entities without a counter.
final class CounterCheck: RunCheck, Check {
  static let name = CheckName.counters
  /// The counter that old frameworks give an entity without saved objects.
  private static let untouched: Int64 = -1

  func rowsDone() throws {
    guard let registry = context.administration.registry else {
      if context.subject.model.entities.isEmpty { return }
      return try context.reportNotRun(Self.name, "the store has no primary key counters")
    }
    let names = context.subject.layout.entities.names
    for row in registry.rows {
      let name = names[row.number] ?? row.name
      if isSubentity(row, name) {
        try checkSubentity(row, name)
      } else {
        try check(row, name, context.table(ofEntity: name))
      }
    }
    for row in registry.systemRows {
      try check(row, row.name, context.table(named: StoredName.systemTable(ofEntity: row.name)))
    }
  }

  private func isSubentity(_ row: EntityRegistry.Row, _ name: Name) -> Bool {
    if let entity = context.subject.model[name] { return entity.superentityName != nil }
    return (row.superentityNumber ?? 0) > 0
  }

  private func checkSubentity(_ row: EntityRegistry.Row, _ name: Name) throws {
    guard let counter = try counter(row, name), counter > 0 else { return }
    try context.report(.primaryKeyCounterOnSubentity, entityName: name, detail: "it is \(counter)")
  }

  /// Compares the counter with the keys of its table, which is nil if it is missing.
  private func check(_ row: EntityRegistry.Row, _ name: Name, _ table: VerifiedTable?) throws {
    guard let counter = try counter(row, name), let table,
      let highest = context.keys(of: table)?.maximum, counter < highest
    else { return }
    try context.report(
      .primaryKeyCounterBehind, entityName: name,
      detail: "it is \(counter), but the highest key is \(highest)")
  }

  /// The counter; nil, and reported, if it is invalid.
  private func counter(_ row: EntityRegistry.Row, _ name: Name) throws -> Int64? {
    if let counter = row.maximumPrimaryKey.integer, counter >= 0 || counter == Self.untouched {
      return counter
    }
    let detail: String =
      switch row.maximumPrimaryKey {
      case .null: "there is none"
      case .integer(let counter): "it is \(counter)"
      default: "it is not an integer"
      }
    try context.report(.primaryKeyCounterInvalid, entityName: name, detail: detail)
    return nil
  }
}
