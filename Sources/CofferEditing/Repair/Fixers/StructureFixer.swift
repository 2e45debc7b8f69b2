internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Adds the tables, columns and numbers of entities that the store lacks.
///
/// It comes before all others: what it adds decides what the tables and columns mean, by which they edit
/// the objects.
final class StructureFixer {
  /// The codes, in the order in which they are mended: the names of columns depend on numbers.
  static let codes: [FindingCode] = [.unnumberedEntity, .missingTable, .missingProperty]
  private let editor: StructureEditor
  private let allowsSchemaChanges: Bool
  /// The root entities that got a number, and a counter for the objects that there are.
  private var numbered: [String] = []

  /// Begins to repair a copy.
  ///
  /// - Parameters:
  ///   - store: the store that was copied.
  ///   - database: the copy.
  ///   - allowsSchemaChanges: whether the structure may change, which no change file can hold.
  init(_ store: PersistentStore, _ database: SQLiteDatabase, allowsSchemaChanges: Bool) {
    editor = StructureEditor(database, of: store)
    self.allowsSchemaChanges = allowsSchemaChanges
  }

  /// The store with what was added.
  var store: PersistentStore { editor.store }

  /// Mends a finding as a whole or not at all.
  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard allowsSchemaChanges else { return .refused(Self.isOfSchema) }
    guard let entity = finding.entityName else { return .refused("its entity is not known") }
    do throws(CofferError) {
      return try editor.asOne { () throws(CofferError) in
        finding.code == .unnumberedEntity
          ? try number(entity) : try add(finding.propertyName, of: entity)
      }
    } catch {
      guard error.code == .refused else { throw error }
      return .refused(error.detail)
    }
  }

  /// Why a change of the structure stays out of a plan.
  static let isOfSchema = "a file of changes cannot hold a change of the schema"

  private func number(_ entity: String) throws(CofferError) -> FixOutcome {
    guard let number = try editor.addNumber(of: entity) else { return .settled }
    if store.model[entity]?.superentityName == nil { numbered.append(entity) }
    return .repaired("set its number to \(number)")
  }

  private func add(
    _ property: String?, of entity: String
  ) throws(CofferError) -> FixOutcome {
    let added = try editor.add(property, of: entity)
    return added.isEmpty ? .settled : .repaired(added.joined(separator: ", "))
  }

  /// The entities of whose objects a verification may find something once a finding is mended.
  func entities(concernedBy finding: Finding) -> [String] {
    guard finding.code != .unnumberedEntity, let entity = finding.entityName else { return [] }
    guard let property = finding.propertyName else {
      guard finding.code == .missingTable else { return [entity] }
      // Whatever leads to objects of a new table leads nowhere.
      let tree = Set(store.model.tree(of: entity).map { ExactString($0.name) })
      return [entity]
        + store.model.entities.filter { other in
          other.relationships.contains { tree.contains(ExactString($0.destinationName)) }
        }.map(\.name)
    }
    let relationship = store.model.relationship(property, of: entity)?.relationship
    return [entity] + [relationship?.destinationName].compactMap(\.self)
  }

  /// Raises counters so that referenced keys are never reused, once objects can be edited.
  ///
  /// - Parameter context: the copy, of the ``store``.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  func raiseCounters(_ context: RepairContext) throws(CofferError) {
    for entity in numbered {
      guard let table = context.schema.table(of: entity),
        let number = store.layout.numbering.number(of: entity)
      else { continue }
      try context.counters.raise(entity: number, to: context.editor.highestNamedKey(of: table))
    }
  }
}
