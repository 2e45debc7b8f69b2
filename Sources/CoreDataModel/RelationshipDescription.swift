/// A relationship of an entity to a destination entity.
public struct RelationshipDescription: Sendable, Equatable {
  /// The name, unique among the properties of the entity.
  public var name: Name
  /// The name of the destination entity.
  public var destinationName: Name
  /// The name of the destination's inverse relationship, or nil if there is none.
  public var inverseName: Name?
  /// The minimum number of destinations.
  public var minCount: Int
  /// The maximum number of destinations: 1 for to-one, 0 for no limit; -1 also occurs.
  public var maxCount: Int
  /// Whether the destinations have an order.
  public var isOrdered: Bool
  /// Whether the relationship may have no destination.
  public var isOptional: Bool
  /// Whether the relationship exists only in memory.
  public var isTransient: Bool
  /// The effect on the destinations when the object is deleted.
  public var deleteRule: DeleteRule
  /// Whether it is indexed by Spotlight.
  public var isIndexedBySpotlight: Bool
  /// Whether it has an index flag of the kind used before fetch indexes.
  public var isIndexed: Bool
  /// Whether the app cannot set it.
  public var isReadOnly: Bool
  /// The rules that the relationship must meet.
  package var validationPredicates: [ValidationPredicate]
  /// The name of the relationship in an older model, if it is different; nil otherwise.
  public var renamingIdentifier: Name?
  /// The modifier that is part of the version hash, or nil.
  public var versionHashModifier: Name?
  /// The user info dictionary; empty if there is none.
  public var userInfo: [Name: ModelValue]

  /// Creates a relationship that is optional, to-one and unordered, unless you say otherwise.
  package init(
    name: Name,
    destinationName: Name,
    inverseName: Name? = nil,
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
    renamingIdentifier: Name? = nil,
    versionHashModifier: Name? = nil,
    userInfo: [Name: ModelValue] = [:]
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
  /// A relationship is to-one if and only if its maximum is 1. Source: store-format, section 3.
  public var isToMany: Bool { maxCount != 1 }
}

/// The effect on the destinations of a relationship when its source is deleted.
///
/// The raw values are Core Data's numbers (store-format, section 3).
public enum DeleteRule: Int, Sendable, Hashable {
  /// The destinations are not changed, and refer to an object that no longer exists.
  case noAction = 0
  /// The inverse of the destinations is set to nil.
  case nullify = 1
  /// The destinations are deleted too.
  case cascade = 2
  /// The deletion is refused if there are destinations.
  case deny = 3

  /// The name that Xcode shows, such as `No Action`.
  public var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

/// The number of destinations that an object may have through a relationship.
package struct DestinationCount: Sendable, Hashable {
  /// The minimum.
  package var minimum: Int
  /// The maximum; nil for any number.
  package var maximum: Int?
  /// Whether it may be empty, regardless of the minimum.
  package var mayBeEmpty: Bool

  /// Creates a count.
  package init(minimum: Int, maximum: Int?, mayBeEmpty: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.mayBeEmpty = mayBeEmpty
  }

  /// Whether an object may have so many destinations.
  package func allows(_ count: Int) -> Bool {
    count == 0 && mayBeEmpty || count >= minimum && count <= maximum ?? .max
  }

  /// Whether every number that another count allows is allowed here too.
  func includes(_ other: DestinationCount) -> Bool {
    if other.allows(0), !allows(0) { return false }
    let least = max(other.minimum, 1)
    let most = other.maximum ?? .max
    return least > most || least >= minimum && most <= maximum ?? .max
  }
}

extension RelationshipDescription {
  /// The number of destinations that an object must and may have.
  ///
  /// A to-many relationship follows its counts: without a minimum, it may be empty even if it is
  /// not optional, and an optional one may be empty whatever its minimum is. Source: 8,636
  /// relationships of the former kind are empty in 58 stores that Core Data wrote, and none of 121
  /// with a minimum of 1. For a to-one relationship, only its optionality matters.
  package var allowedCount: DestinationCount {
    guard isToMany else {
      return DestinationCount(minimum: isOptional ? 0 : 1, maximum: 1, mayBeEmpty: isOptional)
    }
    let minimum = max(0, minCount)
    return DestinationCount(
      minimum: minimum, maximum: maxCount > 0 ? maxCount : nil,
      mayBeEmpty: isOptional || minimum == 0)
  }
}
