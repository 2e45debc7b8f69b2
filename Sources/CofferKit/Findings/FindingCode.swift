/// What a finding is about: a stable text in kebab case with a severity.
///
/// The texts never change; each has a paragraph in `docs/findings.md`. This is the only place where
/// codes and severities stand, for every command that reports findings. The severities follow what
/// was measured in real stores (store-format, section 8).
public struct FindingCode: Sendable, Hashable, CaseIterable {
  /// The stable text, such as `dangling-relationship`.
  public let text: String
  /// How bad it is.
  public let severity: FindingSeverity
  /// What it means, in one sentence without the object's name.
  public let meaning: String

  /// A to-one relationship leads to an object that is not there.
  public static let danglingRelationship = FindingCode(
    text: "dangling-relationship", severity: .error,
    meaning: "the relationship leads to an object that is not there")
  /// A pair of a many-to-many relationship names an object that is not there.
  public static let danglingPair = FindingCode(
    text: "dangling-pair", severity: .error,
    meaning: "a pair of the many-to-many relationship names an object that is not there")
  /// A pair of a relationship that is its own inverse names an object that is not there.
  public static let danglingReflexivePair = FindingCode(
    text: "dangling-reflexive-pair", severity: .warning,
    meaning: "a pair of the self-inverse relationship names an object that is not there")
  /// A relationship leads to an object of an entity that it does not allow.
  public static let wrongDestination = FindingCode(
    text: "wrong-destination", severity: .error,
    meaning: "the relationship leads to an object of an entity that is not its destination")
  /// The entity that is noted beside a relationship is not that of the object it leads to.
  public static let wrongDestinationEntity = FindingCode(
    text: "wrong-destination-entity", severity: .error,
    meaning: "the entity noted beside the relationship is not that of the object it leads to")
  /// The object at the other end of a one-to-one relationship leads elsewhere.
  public static let inverseMismatch = FindingCode(
    text: "inverse-mismatch", severity: .error,
    meaning: "the object at the other end of the one-to-one relationship leads elsewhere")
  /// The object at the other end of a one-to-one relationship leads nowhere.
  public static let inverseMissing = FindingCode(
    text: "inverse-missing", severity: .warning,
    meaning: "the object at the other end of the one-to-one relationship does not lead back")
  /// A file of external binary data that is referred to is not there.
  public static let missingExternalData = FindingCode(
    text: "missing-external-data", severity: .error,
    meaning: "the file with the external binary data is not there")
  /// The counter of primary keys lagged behind the objects and was raised.
  public static let primaryKeyCounterRaised = FindingCode(
    text: "primary-key-counter-raised", severity: .info,
    meaning: "the counter of primary keys lagged behind the objects and was raised")
  /// Something in the support folder is neither a file nor a folder and was left out.
  public static let irregularExternalData = FindingCode(
    text: "irregular-external-data", severity: .warning,
    meaning: "something in the folder of external binary data is not a plain file; it was left out")
  /// The store's data contradict its model: a table or column that the model asks for is not there.
  public static let missingProperty = FindingCode(
    text: "missing-property", severity: .warning,
    meaning: "the store has no place for a property of its model")

  /// Every code, in the order of their texts.
  public static let allCases: [FindingCode] = [
    .danglingPair, .danglingReflexivePair, .danglingRelationship, .inverseMismatch,
    .inverseMissing, .irregularExternalData, .missingExternalData, .missingProperty,
    .primaryKeyCounterRaised, .wrongDestination, .wrongDestinationEntity,
  ]
}
