public import CoreDataModel

/// An object as it is shown.
public struct ShownObject: Sendable, Equatable {
  /// Which object it is.
  public var id: ManagedObjectID
  /// How many times it was saved; nil where the store does not say.
  public var version: Int64?
  /// The attributes of its entity and of those above it, in ascending order of names; those without a
  /// value included, transient ones left out.
  public var attributes: [ShownAttribute]
  /// The relationships that are known: each to-one, and each that was asked to be followed.
  public var relationships: [ShownRelationship]
}

/// A relationship of an object with its destinations.
public struct ShownRelationship: Sendable, Equatable {
  /// The name.
  public var name: String
  /// Whether it can have more than one destination.
  public var isToMany: Bool
  /// The destinations: in their order where there is one, in ascending order of keys otherwise.
  ///
  /// The entity is that of the model where the store does not tell the destination's own.
  public var destinations: [ManagedObjectID]
  /// The first of the destinations as objects; nil where the relationship was not followed.
  ///
  /// What is not there is left out.
  public var objects: [ShownObject]?
}
