package import CofferCore
package import CoreDataModel

/// An object in the result of a query.
package struct ShownObject: Sendable, Equatable {
  /// The ID of the object.
  package var id: ManagedObjectID
  /// The version counter, which counts saves; nil if the store has none.
  package var version: Int64?
  /// The attributes of its entity and superentities, sorted by name, including attributes without a
  /// value, but not transient ones.
  package var attributes: [ShownAttribute]
  /// The to-one relationships, and the to-many ones that were followed or counted.
  package var relationships: [ShownRelationship]
}

/// A relationship of an object with its destinations.
package struct ShownRelationship: Sendable, Equatable {
  /// The name.
  package var name: Name
  /// Whether it can have more than one destination.
  package var isToMany: Bool
  /// The destinations, in the order of an ordered relationship, otherwise in ascending order of
  /// keys; none of a to-many relationship that was not followed.
  ///
  /// If the store does not record a destination's entity, the model's destination entity is used.
  package var destinations: [ManagedObjectID]
  /// The number of destinations, including unnamed ones.
  package var count: Int
  /// The first destinations as objects; nil if the relationship was not followed.
  ///
  /// Missing objects are left out.
  package var objects: [ShownObject]?
}
