/// An attribute of an entity.
public struct AttributeDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  public var name: Name
  /// The type of its values.
  public var type: AttributeType
  /// Whether the value may be missing.
  public var isOptional: Bool
  /// Whether the attribute exists only in memory.
  ///
  /// A transient attribute has no column.
  public var isTransient: Bool
  /// Whether the app cannot set its values.
  public var isReadOnly: Bool
  /// Whether it has an index of the kind used before fetch indexes.
  public var isIndexed: Bool
  /// Whether it is indexed by Spotlight.
  public var isIndexedBySpotlight: Bool
  /// The value of a new object, or nil.
  public var defaultValue: ModelValue?
  /// The name of the class of its values, or nil.
  public var valueClassName: Name?
  /// The name of the value transformer of a transformable attribute, or nil for the default.
  public var valueTransformerName: Name?
  /// Whether large values may be stored in separate files.
  public var allowsExternalBinaryDataStorage: Bool
  /// Whether the last value is kept in the persistent history when an object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Whether CloudKit mirroring encrypts the value.
  public var allowsCloudEncryption: Bool
  /// The rules that a value must meet.
  package var validationPredicates: [ValidationPredicate]
  /// The computation of the value from others, for a derived attribute; nil for all others.
  package var derivation: Derivation?
  /// The elements of a composite attribute in declared order; empty for all others.
  public var elements: [AttributeDescription]
  /// The name of the attribute in an older model, if it is different; nil otherwise.
  public var renamingIdentifier: Name?
  /// The modifier that is part of the version hash, or nil.
  public var versionHashModifier: Name?
  /// The user info dictionary; empty if there is none.
  public var userInfo: [Name: ModelValue]

  /// Creates an attribute that is optional and persistent and has no default, unless you say
  /// otherwise.
  package init(
    name: Name,
    type: AttributeType,
    isOptional: Bool = true,
    isTransient: Bool = false,
    isReadOnly: Bool = false,
    isIndexed: Bool = false,
    isIndexedBySpotlight: Bool = false,
    defaultValue: ModelValue? = nil,
    valueClassName: Name? = nil,
    valueTransformerName: Name? = nil,
    allowsExternalBinaryDataStorage: Bool = false,
    preservesValueInHistoryOnDeletion: Bool = false,
    allowsCloudEncryption: Bool = false,
    validationPredicates: [ValidationPredicate] = [],
    derivation: Derivation? = nil,
    elements: [AttributeDescription] = [],
    renamingIdentifier: Name? = nil,
    versionHashModifier: Name? = nil,
    userInfo: [Name: ModelValue] = [:]
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

  /// Whether the store computes the attribute from other values.
  public var isDerived: Bool { derivation != nil }
  /// Whether the attribute consists of elements.
  public var isComposite: Bool { type == .composite }

  /// The default value as people read it, by the type of the attribute; nil if there is none.
  ///
  /// A value that the type cannot have is described as not of the type.
  package var defaultText: String? {
    switch (type, defaultValue) {
    case (_, nil): nil
    case (.boolean, .bool(let flag)?): flag ? "true" : "false"
    case (.boolean, .integer(let number)?) where number == 0 || number == 1:
      number == 1 ? "true" : "false"
    case (.uuid, .string?): defaultValue.map { "\($0.formatDescription), which is not a UUID" }
    case (_, let value?): value.formatDescription
    }
  }
}

/// The computation of a derived attribute from other values.
package struct Derivation: Sendable, Equatable {
  /// The expression, such as a key path or `count:(items)`.
  package var expression: ModelExpression
  /// The condition that selects the objects to aggregate, or nil.
  package var filteringPredicate: ModelPredicate?

  /// Creates a derivation from an expression and an optional filter.
  package init(expression: ModelExpression, filteringPredicate: ModelPredicate? = nil) {
    self.expression = expression
    self.filteringPredicate = filteringPredicate
  }
}
