/// How the objects of a store of one model become those of another: what lightweight migration infers.
///
/// ```swift
/// let mapping = try ModelMapping.infer(from: old, to: new)
/// for problem in mapping.problems { print(problem, problem.remedy) }
/// ```
///
/// Source of the rules: Apple, "Migrating your data model automatically"; docs/migration.md says which
/// of them are read and which are guesses.
public struct ModelMapping: Sendable, Equatable {
  /// The old model.
  public let source: ManagedObjectModel
  /// The new model.
  public let destination: ManagedObjectModel
  /// The entities: those of the new model in ascending order of names, behind them those that are
  /// removed.
  public let entities: [EntityMapping]
  /// Why there is no way from the one to the other, in the order of the entities; empty where there is
  /// one.
  public let problems: [MappingProblem]
  /// What the objects have to meet; in the order of the entities.
  public let conditions: [MappingCondition]

  private let positions: [ExactString: Int]
  private let sourcePositions: [ExactString: Int]

  init(
    source: ManagedObjectModel, destination: ManagedObjectModel, entities: [EntityMapping],
    problems: [MappingProblem], conditions: [MappingCondition]
  ) {
    self.source = source
    self.destination = destination
    self.entities = entities
    self.problems = problems
    self.conditions = conditions
    var positions: [ExactString: Int] = [:]
    var sourcePositions: [ExactString: Int] = [:]
    for (position, entity) in entities.enumerated() {
      if let name = entity.destinationName { positions[name] = position }
      if let name = entity.sourceName { sourcePositions[name] = position }
    }
    self.positions = positions
    self.sourcePositions = sourcePositions
  }

  /// Infers the mapping between two models; one with problems cannot be carried out.
  ///
  /// - Parameters:
  ///   - source: the model of the store.
  ///   - destination: the model that it is to get.
  /// - Returns: the mapping, with all that keeps it from being possible.
  /// - Throws: ``CofferError``: `damaged-model` for entities that inherit from themselves,
  ///   `model-limit` where the work would be too much.
  public static func infer(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(CofferError) -> ModelMapping {
    var inference = MappingInference(source: source, destination: destination)
    return try inference.run()
  }

  /// Whether the models alone allow it.
  public var isPossible: Bool { problems.isEmpty }

  /// Whether nothing of what a store keeps changes.
  public var isIdentity: Bool { entities.allSatisfy { $0.kind == .copied } }

  /// The mapping of an entity of the new model; nil when that lacks it.
  public func mapping(to entity: String) -> EntityMapping? {
    positions[entity].map { entities[$0] }
  }

  /// The mapping of an entity of the old model; nil when that lacks it.
  public func mapping(from entity: String) -> EntityMapping? {
    sourcePositions[entity].map { entities[$0] }
  }
}
