internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Sets the counters of primary keys, and the superentities of entities.
struct NumberingFixer {
  static let codes = counterCodes.union([.primaryKeyCounterOnSubentity, .wrongSuperentity])
  /// The codes that can be fixed with keys and numbers alone, without knowing the meaning of the
  /// tables.
  static let counterCodes: Set<FindingCode> = [
    .primaryKeyCounterBehind, .primaryKeyCounterInvalid, .changeBeyondCounter,
  ]
  private let context: RepairContext
  /// The root entities whose counters were raised for the history: doing it once is enough for all its
  /// changes.
  private let raised = MendedSubjects<Name>()

  init(_ context: RepairContext) { self.context = context }

  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard let name = finding.entityName else { return .refused("its entity is not known") }
    guard let entity = context.store.layout.model[name] else {
      let table = StoredName.systemTable(ofEntity: name)
      guard let number = try context.counters.systemNumber(of: name),
        context.store.catalog.table(table) != nil
      else { return .refused("its entity is not known") }
      return try raise(number, table, to: 0)
    }
    if finding.code == .changeBeyondCounter { return try raiseForHistory(entity) }
    let numbering = context.store.layout.numbering
    guard let number = numbering.number(of: name) else {
      return .refused("its entity has no number")
    }
    if finding.code == .wrongSuperentity {
      let above = entity.superentityName.flatMap { numbering.number(of: $0) } ?? 0
      try context.counters.setSuperentity(of: number, to: above)
      return .repaired("set the number of its superentity to \(above)")
    }
    guard entity.superentityName == nil else {
      try context.counters.set(entity: number, to: 0)
      return .repaired("set the counter to 0")
    }
    guard let table = context.schema.table(of: name) else {
      return .refused("its entity has no table")
    }
    return try raise(
      number, context.schema.tables[table].tableName,
      to: context.editor.highestNamedKey(of: table))
  }

  /// Raises the counter of an entity's root to the highest key that the history names.
  private func raiseForHistory(_ entity: EntityDescription) throws(CofferError) -> FixOutcome {
    let layout = context.store.layout
    guard let root = layout.model.root(of: entity.name)?.name,
      let number = layout.numbering.number(of: root), let table = context.schema.table(of: root)
    else { return .refused("its entity has no table") }
    if raised.count(root) != nil { return .settled }
    raised.note(root)
    let before = try context.counters.counter(of: number)?.integer ?? 0
    try context.counters.raise(entity: number, to: context.editor.highestNamedKey(of: table))
    let counter = try context.counters.counter(of: number)?.integer ?? 0
    return counter > before ? .repaired("set the counter to \(counter)") : .settled
  }

  /// Raises a counter to the highest key of its table, or to a higher key that is still referenced.
  private func raise(
    _ number: Int64, _ table: String, to named: Int64
  ) throws(CofferError) -> FixOutcome {
    if try !context.counters.raise(entity: number, table: table, primaryKey: StoredName.primaryKey)
    {
      // An invalid counter of a table without objects.
      let counter = try context.counters.counter(of: number)?.integer
      guard counter.map({ $0 < -1 }) ?? true else { return .settled }
      try context.counters.set(entity: number, to: 0)
    }
    try context.counters.raise(entity: number, to: named)
    let counter = try context.counters.counter(of: number)?.integer ?? 0
    return .repaired("set the counter to \(counter)")
  }
}
