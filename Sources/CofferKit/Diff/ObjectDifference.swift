public import CoreDataModel

/// A difference of one object.
public struct ObjectDifference: Sendable, Hashable {
  /// What became of the object.
  public var kind: ChangeKind
  /// The object, with the entity that it has in the second source, or in the first where it was
  /// removed.
  public var objectID: ManagedObjectID
  /// The properties that differ, in ascending order of names; empty unless the object was changed.
  public var properties: [PropertyDifference]
}
