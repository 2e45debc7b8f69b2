/// An attribute of an entity.
public struct AttributeDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// Whether it may have no value.
  public var isOptional: Bool
  /// Whether it exists in memory only; a transient attribute has no column.
  public var isTransient: Bool
  /// Whether its values may not be set by the app.
  public var isReadOnly: Bool
  /// Whether it has an index of the kind used before fetch indexes.
  public var isIndexed: Bool
  /// Whether it takes part in the system's search index.
  public var isIndexedBySpotlight: Bool
  /// The value of a new object, or nil.
  public var defaultValue: ModelValue?
  /// The name of the class of its values, or nil.
  public var valueClassName: String?
  /// The name of the value transformer of a transformable attribute, or nil for the default.
  public var valueTransformerName: String?
  /// Whether large values may be kept in files beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the last value is kept in the persistent history when an object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether CloudKit mirroring encrypts the value.
  public var allowsCloudEncryption: Bool
  /// The rules that a value must meet.
  public var validationPredicates: [ValidationPredicate]
  /// How the value is computed from others, for a derived attribute; nil for all others.
  public var derivation: Derivation?
  /// The elements of a composite attribute in declared order; empty for all others.
  public var elements: [AttributeDescription]
  /// The name of the attribute in an older model, where it differs; nil otherwise.
  public var renamingIdentifier: String?
  /// The modifier that enters the version hash, or nil.
  public var versionHashModifier: String?
  /// The user info dictionary; empty when there is none.
  public var userInfo: [ExactString: ModelValue]

  /// Creates an attribute.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = true,
    isTransient: Bool = false,
    isReadOnly: Bool = false,
    isIndexed: Bool = false,
    isIndexedBySpotlight: Bool = false,
    defaultValue: ModelValue? = nil,
    valueClassName: String? = nil,
    valueTransformerName: String? = nil,
    allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false,
    allowsCloudEncryption: Bool = false,
    validationPredicates: [ValidationPredicate] = [],
    derivation: Derivation? = nil,
    elements: [AttributeDescription] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [ExactString: ModelValue] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isReadOnly = isReadOnly
    self.isIndexed = isIndexed
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.defaultValue = defaultValue
    self.valueClassName = valueClassName
    self.valueTransformerName = valueTransformerName
    self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.allowsCloudEncryption = allowsCloudEncryption
    self.validationPredicates = validationPredicates
    self.derivation = derivation
    self.elements = elements
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether the attribute is computed by the store from other values.
  public var isDerived: Bool { derivation != nil }
  /// Whether the attribute is a structure of elements.
  public var isComposite: Bool { type == .composite }
}
