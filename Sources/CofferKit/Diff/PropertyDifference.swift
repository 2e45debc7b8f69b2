/// A property of an object that differs.
public struct PropertyDifference: Sendable, Hashable {
  /// What kind of property it is.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// An attribute; elements of composite ones are named after a point, as `address.city`.
    case attribute
    /// A to-one relationship.
    case relationship
    /// The place of the object in an ordered relationship; named after the to-one relationship that
    /// is its inverse, or as `Entity.relationship` where there is no inverse.
    case order
    /// The owner in a to-many relationship without inverse, named `Entity.relationship`.
    case owner
    /// The version counter; the name is empty.
    case version
    /// The entity; the name is empty.
    case entity
    /// A column that the model does not explain.
    case column
  }

  /// What kind of property it is.
  public var subject: Subject
  /// The name; empty for the entity and the version counter.
  public var name: String
  /// The first source's value as JSON; nil unless values were asked for, and where it has none.
  ///
  /// Of a large value the count of bytes is given in its place.
  public var oldValue: String? = nil
  /// The second source's value as JSON; nil unless values were asked for, and where it has none.
  public var newValue: String? = nil
}
