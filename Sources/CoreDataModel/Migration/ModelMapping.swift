/// How the objects of a store of one model become those of another, as lightweight migration infers
/// it.
///
/// ```swift
/// let mapping = try ModelMapping.infer(from: old, to: new)
/// for problem in mapping.problems { print(problem, problem.remedy) }
/// ```
///
/// Source of the rules: Apple, "Migrating your data model automatically". docs/migration.md says
/// which of them are read and which are guesses.
public struct ModelMapping: Sendable, Equatable {
  /// The old model.
  public let source: ManagedObjectModel
  /// The new model.
  public let destination: ManagedObjectModel
  /// The entities: those of the new model in ascending order of names, followed by removed ones.
  public let entities: [EntityMapping]
  /// The reasons why the migration is not possible, in the order of the entities; empty if it is
  /// possible.
  public let problems: [MappingProblem]
  /// The conditions that the objects must meet, in the order of the entities.
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

  /// Infers the mapping between two models.
  ///
  /// A mapping with problems cannot be carried out.
  ///
  /// - Parameters:
  ///   - source: the model of the store.
  ///   - destination: the new model.
  /// - Returns: the mapping, including any problems.
  /// - Throws: ``CofferError``: `damaged-model` if an entity inherits from itself, `model-limit` if
  ///   the work would be too much.
  public static func infer(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(CofferError) -> ModelMapping {
    var inference = MappingInference(source: source, destination: destination)
    return try inference.run()
  }

  /// Whether the models alone allow the migration.
  public var isPossible: Bool { problems.isEmpty }

  /// Whether nothing in the store changes.
  public var isIdentity: Bool { entities.allSatisfy { $0.kind == .copied } }

  /// The mapping of an entity of the new model; nil if the model lacks it.
  public func mapping(to entity: String) -> EntityMapping? {
    positions[entity].map { entities[$0] }
  }

  /// The mapping of an entity of the old model; nil if the model lacks it.
  public func mapping(from entity: String) -> EntityMapping? {
    sourcePositions[entity].map { entities[$0] }
  }
}
