/// A reason why a store of one model cannot be migrated to another without a mapping model.
package struct MappingProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
  package struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    package let text: String

    private init(_ text: String) { self.text = text }

    /// Two entities without a common superentity would share a hierarchy.
    package static let mergedHierarchies = Code("merged-hierarchies")
    /// Two entities or properties of the new model claim to be the same one of the old model.
    package static let ambiguousRenaming = Code("ambiguous-renaming")
    /// An attribute became a relationship, or the reverse.
    package static let changedKind = Code("changed-kind")
    /// An attribute has another type, and no rule converts one to the other.
    package static let changedType = Code("changed-type")
    /// The elements of a composite attribute changed.
    package static let changedElements = Code("changed-elements")
    /// A required attribute has no value for existing objects.
    package static let missingDefault = Code("missing-default")
    /// A derived attribute is new or has another derivation.
    package static let changedDerivation = Code("changed-derivation")
    /// A relationship refers to objects of other entities.
    package static let changedDestination = Code("changed-destination")
    /// Two relationships with values of their own became each other's inverse.
    package static let changedInverse = Code("changed-inverse")
    /// A model refers to an entity or an inverse that it lacks.
    package static let incompleteModel = Code("incomplete-model")
    /// Existing objects do not meet a condition of the new model.
    package static let unmetCondition = Code("unmet-condition")
    /// Most objects would be left behind.
    package static let lostObjects = Code("lost-objects")
    /// The data of the store do not fit its own model.
    package static let unexplainedRows = Code("unexplained-rows")
    /// Names in the new store that the model does not determine; a store of the new model shows them.
    package static let undecidedNames = Code("undecided-names")
    /// A class of the app carries objects over, according to a mapping model.
    package static let customPolicy = Code("custom-policy")
    /// Lightweight migration can do this, but this program cannot.
    package static let notSupported = Code("not-supported")
  }

  /// The kind.
  package var code: Code
  /// The entity of the new model; of the old model if the new one lacks it.
  package var entityName: Name
  /// The property, or nil for a problem of the entity.
  package var propertyName: Name?
  /// The problem, as a sentence without the name and without a full stop.
  package var sentence: String
  /// The step that would make it possible, as a sentence.
  package var remedy: CofferError.Advice
  /// Whether the old store has a name for what the new model leaves undecided.
  package var hasOldName = true

  /// Creates a problem of an entity or a property.
  package init(
    _ code: Code, entity: Name, property: Name? = nil, _ sentence: String,
    remedy: CofferError.Advice
  ) {
    self.code = code
    entityName = entity
    propertyName = property
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The entity and the property, if there is one: `Person.name`.
  package var place: String { propertyName.map { "\(entityName).\($0)" } ?? entityName.text }

  /// The place and the sentence.
  package var description: String { "\(place): \(sentence)" }
}
