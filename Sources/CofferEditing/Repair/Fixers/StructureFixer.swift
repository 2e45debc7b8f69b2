internal import CofferCore
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// Adds the tables, columns and numbers of entities that the store lacks.
///
/// It runs before all other fixers, because they edit objects by the meaning of the tables and columns
/// that it adds.
final class StructureFixer {
  /// The codes, in the order of fixing: the names of columns depend on numbers.
  static let codes: [FindingCode] = [.unnumberedEntity, .missingTable, .missingProperty]
  private let editor: StructureEditor
  private let allowsSchemaChanges: Bool
  /// The root entities that got a number, and a counter for the existing objects.
  private var numbered: [Name] = []

  /// Begins to repair a copy; a change file cannot record a changed schema.
  init(_ store: PersistentStore, _ database: SQLiteDatabase, allowsSchemaChanges: Bool) {
    editor = StructureEditor(database, of: store)
    self.allowsSchemaChanges = allowsSchemaChanges
  }

  var store: PersistentStore { editor.store }

  /// Fixes a finding completely or not at all.
  func fix(_ finding: Finding) throws(CofferError) -> FixOutcome {
    guard allowsSchemaChanges else { return .refused(Self.schemaReason) }
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

  /// The reason why a plan leaves out a change of the structure.
  static let schemaReason = "a change file cannot contain a change of the schema"

  private func number(_ entity: Name) throws(CofferError) -> FixOutcome {
    guard let number = try editor.addNumber(of: entity) else { return .settled }
    if store.model[entity]?.superentityName == nil { numbered.append(entity) }
    return .repaired("set its number to \(number)")
  }

  private func add(_ property: Name?, of entity: Name) throws(CofferError) -> FixOutcome {
    let added = try editor.add(property, of: entity)
    return added.isEmpty ? .settled : .repaired(added.joined(separator: ", "))
  }

  /// The entities whose objects a verification may report once a finding is fixed.
  func entities(concernedBy finding: Finding) -> [Name] {
    guard finding.code != .unnumberedEntity, let entity = finding.entityName else { return [] }
    guard let property = finding.propertyName else {
      guard finding.code == .missingTable else { return [entity] }
      // References to objects of a new table are dangling.
      let tree = Set(store.model.tree(of: entity).map(\.name))
      return [entity]
        + store.model.entities.filter { other in
          other.relationships.contains { tree.contains($0.destinationName) }
        }.map(\.name)
    }
    let relationship = store.model.relationship(property, of: entity)?.relationship
    return [entity] + [relationship?.destinationName].compactMap(\.self)
  }

  /// Raises counters so that referenced keys are never reused, once objects can be edited.
  func raiseCounters(_ context: RepairContext) throws(CofferError) {
    for entity in numbered {
      guard let table = context.schema.table(of: entity),
        let number = store.layout.numbering.number(of: entity)
      else { continue }
      try context.counters.raise(entity: number, to: context.editor.highestNamedKey(of: table))
    }
  }
}
