package import CoreDataModel

/// The tables that Core Data makes for a model: names, columns, indexes and triggers.
///
/// Follows store-format, section 5, for frameworks from 865 on. The code is apart from the product's
/// on purpose: what the product reads is not what the product itself would have written.
package struct StoreSchema: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// The numbers of the entities: 1 for the first (store-format, section 2.1).
  package let entityNumbers: [Name: Int]
  /// The tables of entities, in the order of their numbers.
  package internal(set) var tables: [StoreTable] = []
  /// The tables of many-to-many relationships.
  package internal(set) var joinTables: [JoinTable] = []

  /// The columns of attributes and to-one relationships.
  var columnNames: [PropertyPath: String] = [:]
  /// The columns with the entity numbers of destinations.
  var entityColumnNames: [PropertyPath: String] = [:]
  /// The columns that order the many side, by the to-one relationship.
  var orderColumnNames: [PropertyPath: String] = [:]
  /// The columns of to-many relationships without inverse.
  var ownerColumns: [PropertyPath: OwnerColumn] = [:]
  /// The directions of many-to-many relationships.
  var joinSides: [PropertyPath: JoinSide] = [:]

  /// Lays out a model.
  package init(_ model: ManagedObjectModel) {
    self.model = model
    var numbers: [Name: Int] = [:]
    for root in model.rootEntities {
      for entity in model.tree(of: root.name) { numbers[entity.name] = numbers.count + 1 }
    }
    entityNumbers = numbers
    for root in model.rootEntities { addTable(root) }
    addJoinTables()
  }

  /// The number of an entity; 0 for an entity that the model lacks.
  package func number(_ entity: Name) -> Int { entityNumbers[entity] ?? 0 }

  /// The entities in the order of their numbers.
  package var entitiesInOrder: [EntityDescription] {
    model.rootEntities.flatMap { model.tree(of: $0.name) }
  }

  /// The table of an entity.
  package func table(of entity: Name) throws -> StoreTable {
    let root = model.root(of: entity)?.name
    guard let table = tables.first(where: { $0.rootEntityName == root }) else {
      throw GeneratorError("the model has no entity \(entity)")
    }
    return table
  }

  /// The column of an attribute, an element or a to-one relationship that the entity or one above
  /// it declares; nil when there is none.
  package func column(_ entity: Name, _ path: Name) -> String? {
    find(columnNames, entity, path)
  }

  /// The column with the entity numbers of the destinations of a to-one relationship, or nil.
  package func entityColumn(_ entity: Name, _ toOne: Name) -> String? {
    find(entityColumnNames, entity, toOne)
  }

  /// The column that orders the objects of an entity for the inverse of a to-one relationship, or
  /// nil.
  package func orderColumn(_ entity: Name, _ toOne: Name) -> String? {
    find(orderColumnNames, entity, toOne)
  }

  /// The column that leads back from the destinations of a to-many relationship without inverse.
  package func ownerColumn(_ entity: Name, _ toMany: Name) -> OwnerColumn? {
    find(ownerColumns, entity, toMany)
  }

  /// The place of a direction of a many-to-many relationship, or nil.
  package func joinSide(_ entity: Name, _ toMany: Name) -> JoinSide? {
    find(joinSides, entity, toMany)
  }

  private func find<Value>(
    _ values: [PropertyPath: Value], _ entity: Name, _ path: Name
  ) -> Value? {
    for declarer in model.lineage(of: entity).reversed() {
      if let value = values[PropertyPath(declarer.name, path)] { return value }
    }
    return nil
  }
}
