/// Why a store of one model cannot become one of another without a mapping written by hand.
public struct MappingProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
  public struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    public let text: String

    private init(_ text: String) { self.text = text }

    /// Two entities that had no entity in common above them would share a hierarchy.
    public static let mergedHierarchies = Code("merged-hierarchies")
    /// Two entities or properties of the new model claim to be the same one of the old model.
    public static let ambiguousRenaming = Code("ambiguous-renaming")
    /// An attribute became a relationship, or the other way round.
    public static let changedKind = Code("changed-kind")
    /// An attribute has another type, and no rule turns the one into the other.
    public static let changedType = Code("changed-type")
    /// The elements of a composite attribute are others.
    public static let changedElements = Code("changed-elements")
    /// A required attribute has no value for the objects that are there.
    public static let missingDefault = Code("missing-default")
    /// A derived attribute is new or derived in another way.
    public static let changedDerivation = Code("changed-derivation")
    /// A relationship leads to objects of other entities.
    public static let changedDestination = Code("changed-destination")
    /// Two relationships with values of their own became each other's inverse.
    public static let changedInverse = Code("changed-inverse")
    /// A model names an entity or an inverse that it lacks.
    public static let incompleteModel = Code("incomplete-model")
    /// The objects that are there do not meet a condition of the new model.
    public static let unmetCondition = Code("unmet-condition")
    /// The data of the store do not fit its own model.
    public static let unexplainedRows = Code("unexplained-rows")
    /// Something that lightweight migration can do and this program does not.
    public static let notSupported = Code("not-supported")
  }

  /// The kind.
  public var code: Code
  /// The entity of the new model that it is about; of the old one where the new one lacks it.
  public var entityName: String
  /// The property, or nil where it is about the entity.
  public var propertyName: String?
  /// What is the matter, as a sentence without the name and without a point.
  public var sentence: String
  /// What would make it possible, as a sentence.
  public var remedy: CofferError.Advice

  /// Creates a problem.
  public init(
    _ code: Code, entity: String, property: String? = nil, _ sentence: String,
    remedy: CofferError.Advice
  ) {
    self.code = code
    entityName = entity
    propertyName = property
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The entity, with the property where there is one: `Person.name`.
  public var place: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }

  /// The place and the sentence.
  public var description: String { "\(place): \(sentence)" }
}
