/// The mapping of the objects of a store of one model to another model, as lightweight
/// migration infers it.
///
/// ```swift
/// let mapping = try ModelMapping.infer(from: old, to: new)
/// for problem in mapping.problems { print(problem, problem.remedy) }
/// ```
///
/// Source of the rules: Apple, "Migrating your data model automatically". docs/migration.md marks
/// facts and guesses.
package struct ModelMapping: Sendable, Equatable {
  /// The old model.
  package let source: ManagedObjectModel
  /// The new model.
  package let destination: ManagedObjectModel
  /// The entities of the new model in ascending order of names, followed by the removed entities.
  package let entities: [EntityMapping]
  /// The reasons why the migration is not possible, in the order of the entities; empty if it is
  /// possible.
  package let problems: [MappingProblem]
  /// The conditions that the objects must meet, in the order of the entities.
  package let conditions: [MappingCondition]

  private let positions: [Name: Int]
  private let sourcePositions: [Name: Int]

  init(
    source: ManagedObjectModel, destination: ManagedObjectModel, entities: [EntityMapping],
    problems: [MappingProblem], conditions: [MappingCondition]
  ) {
    self.source = source
    self.destination = destination
    self.entities = entities
    self.problems = problems
    self.conditions = conditions
    var positions: [Name: Int] = [:]
    var sourcePositions: [Name: Int] = [:]
    for (position, entity) in entities.enumerated() {
      if let name = entity.destinationName { positions[name] = position }
      if let name = entity.sourceName { sourcePositions[name] = position }
    }
    self.positions = positions
    self.sourcePositions = sourcePositions
  }

  /// Infers the mapping between two models.
  ///
  /// A mapping with problems cannot be carried out.
  ///
  /// - Returns: the mapping, including any problems.
  /// - Throws: ``CofferError``: `damaged-model` if an entity inherits from itself, `model-limit` if
  ///   the work would be too much.
  package static func infer(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(CofferError) -> ModelMapping {
    var inference = MappingInference(source: source, destination: destination)
    return try inference.run()
  }

  /// Whether the models alone allow the migration.
  package var isPossible: Bool { problems.isEmpty }

  /// Whether nothing in the store changes.
  package var isIdentity: Bool { entities.allSatisfy { $0.kind == .copied } }

  /// The mapping of an entity of the new model; nil if the model lacks it.
  package func mapping(to entity: Name) -> EntityMapping? {
    positions[entity].map { entities[$0] }
  }

  /// The mapping of an entity of the old model; nil if the model lacks it.
  package func mapping(from entity: Name) -> EntityMapping? {
    sourcePositions[entity].map { entities[$0] }
  }
}

/// The source of the objects of one entity of a new model.
package struct EntityMapping: Sendable, Hashable {
  /// The treatment of an entity.
  package enum Kind: String, Sendable {
    /// The entity is new and has no objects.
    case added
    /// The entity was removed together with its objects.
    case removed
    /// The objects are copied without changes.
    case copied
    /// The objects are copied, and something about the entity changes.
    case transformed
  }

  /// The treatment of the entity.
  package var kind: Kind
  /// The name in the old model; nil for an added entity.
  package var sourceName: Name?
  /// The name in the new model; nil for a removed entity.
  package var destinationName: Name?
  /// The stored properties, including inherited ones.
  ///
  /// Those of the new model come first in ascending order of names, followed by removed ones. Empty
  /// for an added or removed entity.
  package var properties: [PropertyMapping]

  /// Whether the entity was renamed.
  package var isRenamed: Bool {
    sourceName != nil && destinationName != nil && sourceName != destinationName
  }

  /// The name in the new model, or the old one if it was removed.
  package var name: Name { destinationName ?? sourceName ?? "" }
}

/// The way from one version of a model to another, where the versions have an order.
///
/// A store goes from version to version as an app that is updated does: forward, through those
/// between. A version outside of this range would lose data that it lacks, and add properties that
/// no one requested.
package enum VersionRoute {
  /// The maximum number of versions between two that are examined.
  private static let limit = 200

  /// The minimum number of steps from a version to another.
  ///
  /// - Parameters:
  ///   - source: the position of the first version.
  ///   - destination: the index of the last version; if it precedes the first, only one direct step
  ///     is possible.
  ///   - isPossible: whether a step from one version to another can be inferred.
  /// - Returns: the positions from the first to the last; nil if there is no path.
  /// - Throws: errors from `isPossible`.
  package static func shortest<E: Error>(
    from source: Int, to destination: Int, isPossible: (Int, Int) throws(E) -> Bool
  ) throws(E) -> [Int]? {
    if try isPossible(source, destination) { return [source, destination] }
    guard destination > source + 1, destination - source < limit else { return nil }
    var ways = [[source]]
    var reached: Set<Int> = [source]
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        for next in (last + 1)...destination where !reached.contains(next) {
          guard try isPossible(last, next) else { continue }
          if next == destination { return way + [next] }
          reached.insert(next)
          longer.append(way + [next])
        }
      }
      ways = longer
    }
    return nil
  }
}
