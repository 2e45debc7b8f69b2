/// Something that the model asks for and the store lacks.
public struct MissingPartInspection: Sendable, Equatable {
  /// What kind of thing it is, in words: `table`, `column`, `join table` and so on.
  public var kind: String
  /// The entity that declares it.
  public var entityName: String
  /// The property, with the names of elements after points; nil for a table.
  public var propertyName: String?
  /// The name that was looked for; empty when the store numbers no such entity.
  public var expectedName: String
}
