/// A property with the entity that declares it.
public struct PropertyPlace: Sendable, Hashable {
  /// The name of the entity that declares the property.
  public var entityName: String
  /// The name of the property.
  public var propertyName: String

  /// Creates a place.
  public init(entity: String, property: String) {
    entityName = entity
    propertyName = property
  }
}

/// Where the values of one property of a new model come from, for the objects of one entity.
public struct PropertyMapping: Sendable, Hashable {
  /// What a property is.
  public enum Kind: String, Sendable {
    /// An attribute.
    case attribute
    /// A relationship.
    case relationship
  }

  /// What becomes of a property.
  public enum Change: Sendable, Hashable {
    /// It has another name.
    case renamed
    /// Another entity of the hierarchy declares it.
    case moved
    /// Its values get another type.
    case converted(from: AttributeType, to: AttributeType)
    /// Its values may be missing now.
    case madeOptional
    /// Its values may not be missing any more.
    case madeRequired
    /// It can lead to several objects now.
    case madeToMany
    /// It can lead to one object alone now.
    case madeToOne
    /// Its destinations have an order now.
    case madeOrdered
    /// Its destinations have no order any more.
    case madeUnordered
    /// It leads to another entity.
    case changedDestination(from: String, to: String)
    /// It has another inverse, or none; nil where there is none.
    case changedInverse(from: String?, to: String?)
    /// Large values may be kept in files now.
    case allowedExternalStorage
    /// Large values may not be kept in files any more.
    case disallowedExternalStorage
  }

  /// What the property is.
  public var kind: Kind
  /// The property of the old model; nil for one that is added.
  public var source: PropertyPlace?
  /// The property of the new model; nil for one that is removed.
  public var destination: PropertyPlace?
  /// What becomes of it; empty for one that is added, removed, or carried over as it is.
  public var changes: [Change]

  /// Whether it is new.
  public var isAdded: Bool { source == nil }
  /// Whether it is gone.
  public var isRemoved: Bool { destination == nil }
}

extension PropertyMapping.Change: CustomStringConvertible {
  /// What becomes of the property, in a few words.
  public var description: String {
    switch self {
    case .renamed: "renamed"
    case .moved: "moved in the hierarchy"
    case .converted(let old, let new): "converted from \(old.name) to \(new.name)"
    case .madeOptional: "made optional"
    case .madeRequired: "made required"
    case .madeToMany: "made to-many"
    case .madeToOne: "made to-one"
    case .madeOrdered: "made ordered"
    case .madeUnordered: "made unordered"
    case .changedDestination(let old, let new): "destination changed from \(old) to \(new)"
    case .changedInverse(let old, let new):
      "inverse changed from \(old ?? "none") to \(new ?? "none")"
    case .allowedExternalStorage: "external storage allowed"
    case .disallowedExternalStorage: "external storage no longer allowed"
    }
  }
}
