public import CoreDataModel

/// How to read tables: the entity of each file, and the keys of objects.
public struct SheetOptions: Sendable, Equatable {
  /// The treatment of objects with the same key.
  package enum DuplicatePolicy: String, Sendable, CaseIterable {
    /// Nothing is written.
    case error
    /// The first object is kept; references to the others move to it.
    case first
    /// The last object is kept; references to the others move to it.
    case last
    /// The first object is kept, with the last value of each property; references to the others move to
    /// it.
    case merge
  }

  /// The files of entities that are not named after them, by the names of the entities; `-` is standard
  /// input.
  public var files: [Name: String] = [:]
  /// The keys that tables use to refer to objects, by the names of the entities; objects of other
  /// entities are referred to by primary key.
  ///
  /// A key is an attribute, an element of a composite attribute (`place.city`), or a column of the tables
  /// that is no property.
  public var keyNames: [Name: Name] = [:]
  /// The treatment of objects with the same key: a key that the options name, or the values of a uniqueness
  /// constraint.
  package var duplicatePolicy = DuplicatePolicy.error
  /// The form of dates; nil for ISO 8601.
  package var dateFormat: Instant.Format?
  /// Whether standard input is lines of JSON, not comma-separated values.
  public var readsLinesOfJSON = false

  /// Creates the default options.
  public init() {}
}
