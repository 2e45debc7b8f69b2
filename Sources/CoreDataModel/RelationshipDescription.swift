/// A relationship of an entity to a destination entity.
public struct RelationshipDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The name of the destination entity.
  public var destinationName: String
  /// The name of the inverse relationship of the destination, or nil when there is none.
  public var inverseName: String?
  /// The least number of destinations.
  public var minCount: Int
  /// The greatest number of destinations: 1 for a to-one, 0 for no limit; -1 also occurs.
  public var maxCount: Int
  /// Whether the destinations have an order.
  public var isOrdered: Bool
  /// Whether it may have no destination.
  public var isOptional: Bool
  /// Whether it exists in memory only.
  public var isTransient: Bool
  /// What happens to the destinations when the object is deleted.
  public var deleteRule: DeleteRule
  /// Whether it takes part in the system's search index.
  public var isIndexedBySpotlight: Bool
  /// Whether it has the index flag of the kind used before fetch indexes.
  public var isIndexed: Bool
  /// Whether the app may not set it.
  public var isReadOnly: Bool
  /// The rules that the relationship must meet.
  public var validationPredicates: [ValidationPredicate]
  /// The name of the relationship in an older model, where it differs; nil otherwise.
  public var renamingIdentifier: String?
  /// The modifier that enters the version hash, or nil.
  public var versionHashModifier: String?
  /// The user info dictionary; empty when there is none.
  public var userInfo: [ExactString: ModelValue]

  /// Creates a relationship.
  public init(
    name: String,
    destinationName: String,
    inverseName: String? = nil,
    minCount: Int = 0,
    maxCount: Int = 1,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    isTransient: Bool = false,
    deleteRule: DeleteRule = .nullify,
    isIndexedBySpotlight: Bool = false,
    isIndexed: Bool = false,
    isReadOnly: Bool = false,
    validationPredicates: [ValidationPredicate] = [],
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    userInfo: [ExactString: ModelValue] = [:]
  ) {
    self.name = name
    self.destinationName = destinationName
    self.inverseName = inverseName
    self.minCount = minCount
    self.maxCount = maxCount
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.isIndexedBySpotlight = isIndexedBySpotlight
    self.isIndexed = isIndexed
    self.isReadOnly = isReadOnly
    self.validationPredicates = validationPredicates
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether it can have more than one destination.
  ///
  /// Source: store-format, section 3: a to-one is exactly a maximum count of 1.
  public var isToMany: Bool { maxCount != 1 }
}
