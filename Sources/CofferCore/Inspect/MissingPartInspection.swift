/// A part of the model that the store lacks.
public struct MissingPartInspection: Sendable, Equatable {
  /// The kind of the part, in words: `table`, `column`, `join table` and so on.
  public var kind: String
  /// The entity that declares it.
  public var entityName: String
  /// The property, with the names of elements after dots; nil for a table.
  public var propertyName: String?
  /// The expected name; empty if the store has no number for the entity.
  public var expectedName: String
}
