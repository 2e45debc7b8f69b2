package import CoreDataModel
package import CoreDataStore

/// The schema of a fresh store, as Core Data would create it for a model.
///
/// A pure value; ``StoreBuilder`` writes it. A ``StoreLayout`` gives the meaning of the columns
/// once the tables exist. Source: store-format, section 5.
package struct StoreDesign: Sendable {
  /// The model, as the store keeps it: with the fetch indexes that the framework adds.
  package let model: ManagedObjectModel
  /// The framework whose spelling the statements have.
  package let era: FrameworkEra
  /// The entities with their numbers; no primary key is handed out.
  ///
  /// The framework's own entities have no rows before the first transaction of a persistent history
  /// (store-format, section 7).
  package let registry: EntityRegistry
  /// The tables of objects, relationships and the persistent history.
  package let tables: [SchemaStatement]
  /// The indexes.
  package let indexes: [SchemaStatement]
  /// The virtual tables; their shadow tables come into being with them and are not listed.
  package let virtualTables: [SchemaStatement]
  /// The rows that virtual tables need for existing objects.
  let fillings: [String]
  /// The triggers, which call functions that only Core Data registers.
  package let triggers: [SchemaStatement]
  /// The triggers by the attributes that they keep.
  package let attributeTriggers: [(attribute: PropertyReference, triggers: [SchemaStatement])]
  /// The choices that neither the model nor the given decisions determine; the design contains a
  /// guess for each.
  package let undecided: [UndecidedChoice]
  /// The parts that Core Data would also create, left out because their form is not known: a sentence
  /// each, without capital and full stop.
  package let notes: [String]

  /// All statements in the order of their creation: tables, indexes, virtual tables, triggers.
  package var statements: [SchemaStatement] { tables + indexes + virtualTables + triggers }

  /// The choices that must be decided before such a store is written, because Core Data would look
  /// for other names.
  package var blocking: [UndecidedChoice] { undecided.filter { !$0.isHarmless } }

  /// The meaning of the tables.
  ///
  /// - Returns: the layout of a store with this design.
  /// - Throws: ``CofferError``: the errors of ``SchemaCatalog/init(ofTablesIn:place:)``.
  package func layout(place: String) throws(CofferError) -> StoreLayout {
    StoreLayout(
      model: model, registry: registry,
      catalog: try SchemaCatalog(ofTablesIn: tables, place: place))
  }

  /// Designs a store.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - numbers: the numbers of all its entities; if it is nil or lacks one, the rule determines
  ///     the numbers.
  ///   - era: the framework whose spelling to use.
  ///   - choices: the decisions that the model leaves open.
  package init(
    model: ManagedObjectModel, numbers: [Name: Int64]? = nil, era: FrameworkEra,
    choices: DesignChoices = DesignChoices()
  ) {
    let model = era.hasFetchIndexes ? model.withAddedFetchIndexes : model
    self.model = model
    self.era = era
    registry = Self.registry(model, numbers)
    var parts = DesignParts(
      model: model, numbering: EntityNumbering(model: model, registry: registry), era: era,
      choices: choices)
    parts.addAll()
    tables = parts.tables
    indexes = parts.indexes
    virtualTables = parts.virtualTables
    fillings = parts.fillings
    triggers = parts.triggers
    attributeTriggers = parts.attributeTriggers
    undecided = parts.undecided
    notes = parts.notes
  }

  private static func registry(
    _ model: ManagedObjectModel, _ numbers: [Name: Int64]?
  ) -> EntityRegistry {
    let isComplete = model.entities.allSatisfy { numbers?[$0.name] != nil }
    let computed = isComplete ? [:] : EntityNumbering.computedNumbers(of: model)
    let all = isComplete ? numbers ?? [:] : computed
    return EntityRegistry(
      rows: model.entities.compactMap { entity in
        all[entity.name].map { number in
          EntityRegistry.Row(
            number: number, name: entity.name,
            superentityNumber: entity.superentityName.flatMap { all[$0] } ?? 0)
        }
      })
  }
}
