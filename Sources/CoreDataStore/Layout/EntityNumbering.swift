package import CoreDataModel

/// The store's numbers of the model's entities.
///
/// A row of Z_PRIMARYKEY belongs to the entity with its name; otherwise to the one with that
/// renaming identifier, because a migration may leave an old name; otherwise to the entity with its
/// number by the rule (store-format, section 2.4). The framework's own entities are excluded.
package struct EntityNumbering: Sendable, Equatable {
  /// The way in which a row of Z_PRIMARYKEY was matched to an entity.
  package enum Match: Sendable, Equatable {
    case name
    /// By the entity's renaming identifier: the store carries the older name.
    case renamingIdentifier
    /// By the number that the rule gives to the entity.
    case computedNumber
  }

  /// The number of each entity that has one in the store.
  package private(set) var numbers: [Name: Int64] = [:]
  /// The name of the entity of each number.
  package private(set) var names: [Int64: Name] = [:]
  /// How each numbered entity was matched.
  package private(set) var matches: [Name: Match] = [:]
  /// The rows of Z_PRIMARYKEY that no entity of the model fits, in ascending order of numbers.
  package private(set) var unmatchedRows: [EntityRegistry.Row] = []
  /// The entities of the model without a number in the store, in ascending order of names.
  package private(set) var unmatchedEntityNames: [Name] = []

  /// Matches a registry to a model.
  package init(model: ManagedObjectModel, registry: EntityRegistry) {
    var open = registry.rows
    func match(by kind: Match, _ entityOf: (EntityRegistry.Row) -> Name?) {
      open.removeAll { row in
        guard let name = entityOf(row), numbers[name] == nil, names[row.number] == nil else {
          return false
        }
        numbers[name] = row.number
        names[row.number] = name
        matches[name] = kind
        return true
      }
    }
    match(by: .name) { model[$0.name]?.name }
    var renamed: [Name: [Name]] = [:]
    for entity in model.entities where numbers[entity.name] == nil {
      if let identifier = entity.renamingIdentifier {
        renamed[identifier, default: []].append(entity.name)
      }
    }
    match(by: .renamingIdentifier) { row in
      guard let entities = renamed[row.name], entities.count == 1 else { return nil }
      return entities.first
    }
    let computed = Self.computedNumbers(of: model)
    let byNumber = Dictionary(uniqueKeysWithValues: computed.map { ($0.value, $0.key) })
    match(by: .computedNumber) { byNumber[$0.number] }
    unmatchedRows = open
    unmatchedEntityNames = model.entities.map(\.name).filter { numbers[$0] == nil }
  }

  /// The numbers that Core Data gives to the entities of a model, from 1.
  ///
  /// Depth first, siblings in ascending order of their names without regard to letter case
  /// (store-format, section 2.1).
  package static func computedNumbers(of model: ManagedObjectModel) -> [Name: Int64] {
    var numbers: [Name: Int64] = [:]
    var next: Int64 = 1
    for root in model.rootEntities {
      for entity in model.tree(of: root.name) {
        numbers[entity.name] = next
        next += 1
      }
    }
    return numbers
  }

  /// The number of an entity, or nil if the store has none.
  package func number(of entity: Name) -> Int64? { numbers[entity] }

  /// The name of the entity with a number, or nil if the model has none.
  package func name(of number: Int64) -> Name? { names[number] }

  /// The entity and all below it, depth first, siblings in ascending order of their numbers.
  ///
  /// Entities without a number come last, in the order of the rule.
  package func tree(of name: Name, in model: ManagedObjectModel) -> [EntityDescription] {
    model.tree(of: name, siblings: inOrder)
  }

  /// The to-many relationships without an inverse, by the name of their destination, in the order of
  /// the numbers of the entities that declare them.
  package func oneSidedRelationships(
    in model: ManagedObjectModel
  ) -> [Name: [(entity: Name, relationship: RelationshipDescription)]] {
    var found: [Name: [(entity: Name, relationship: RelationshipDescription)]] = [:]
    for name in inOrder(model.entities.map(\.name)) {
      for relationship in model[name]?.relationships ?? []
      where relationship.isToMany && relationship.inverseName == nil && !relationship.isTransient {
        found[relationship.destinationName, default: []].append((name, relationship))
      }
    }
    return found
  }

  /// Names in ascending order of their numbers; names without a number last, in their original order.
  package func inOrder(_ names: [Name]) -> [Name] {
    names.enumerated().sorted { left, right in
      let (first, second) = (number(of: left.element), number(of: right.element))
      if let first, let second, first != second { return first < second }
      if (first == nil) != (second == nil) { return first != nil }
      return left.offset < right.offset
    }.map(\.element)
  }
}
