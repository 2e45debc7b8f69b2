package import CoreDataModel

/// Where a store keeps what its model describes: the plan of every table.
///
/// Every table of the store is in exactly one of ``entityTables``, ``joinTables`` and
/// ``otherTables``, and every column of the first two has exactly one role. Whatever the model does
/// not explain is unknown, never guessed. Source of the rules: store-format, section 5.
package struct StoreLayout: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// The numbers of the model's entities in this store.
  package let numbering: EntityNumbering
  /// The tables of objects, in ascending order of the root entities' numbers.
  package let entityTables: [EntityTable]
  /// The tables of relationships that are to-many on both sides.
  package let joinTables: [JoinTable]
  /// All other tables, in the order of the catalog.
  package let otherTables: [OtherTable]
  /// The parts of the model that the store lacks.
  package let missing: [MissingPart]

  private let tablesByEntity: [ExactString: Int]
  private let joinsByProperty: [PropertyReference: Int]

  /// Plans a store that has a model.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - registry: the entities as the store numbers them.
  ///   - catalog: the declarations of the store's schema.
  package init(model: ManagedObjectModel, registry: EntityRegistry, catalog: SchemaCatalog) {
    let numbering = EntityNumbering(model: model, registry: registry)
    let entities = EntityTablePlanner(
      model: model, numbering: numbering, registry: registry, catalog: catalog)
    let joins = JoinTablePlanner(
      model: model, numbering: numbering, catalog: catalog,
      claimed: Set(entities.tables.map { SchemaName($0.tableName) }))
    self.init(
      model: model, numbering: numbering, entityTables: entities.tables, joinTables: joins.tables,
      missing: entities.missing + joins.missing, registry: registry, catalog: catalog)
  }

  /// Completes a plan with the tables that are neither of objects nor of relationships.
  init(
    model: ManagedObjectModel, numbering: EntityNumbering, entityTables: [EntityTable],
    joinTables: [JoinTable], missing: [MissingPart], registry: EntityRegistry,
    catalog: SchemaCatalog
  ) {
    self.model = model
    self.numbering = numbering
    self.entityTables = entityTables
    self.joinTables = joinTables
    self.missing = missing
    var claimed: Set<SchemaName> = []
    var tablesByEntity: [ExactString: Int] = [:]
    for (position, table) in entityTables.enumerated() {
      claimed.insert(SchemaName(table.tableName))
      for name in table.entityNames { tablesByEntity[name] = position }
    }
    var joinsByProperty: [PropertyReference: Int] = [:]
    for (position, table) in joinTables.enumerated() {
      claimed.insert(SchemaName(table.tableName))
      joinsByProperty[table.source] = position
      joinsByProperty[table.destination] = position
    }
    self.tablesByEntity = tablesByEntity
    self.joinsByProperty = joinsByProperty
    otherTables = catalog.tables.filter { !claimed.contains(SchemaName($0.name)) }
      .map { OtherTable($0, registry: registry) }
  }

  /// The table of an entity's objects; nil when the model or the store lacks it.
  package func entityTable(of entity: String) -> EntityTable? {
    tablesByEntity[entity].map { entityTables[$0] }
  }

  /// The table of a relationship that is to-many on both sides, given with the entity that declares
  /// it; nil for every other relationship and when the store lacks it.
  package func joinTable(of relationship: PropertyReference) -> JoinTable? {
    joinsByProperty[relationship].map { joinTables[$0] }
  }
}
