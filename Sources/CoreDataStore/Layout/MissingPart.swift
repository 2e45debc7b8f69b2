/// Something that the model asks for and the store lacks.
package struct MissingPart: Sendable, Hashable {
  /// The kinds of missing parts.
  package enum Kind: Sendable, Hashable {
    /// The table of a root entity.
    case table
    /// A column every table of an entity has: the entity number or the version.
    case systemColumn
    /// The column of an attribute or of a to-one relationship.
    case column
    /// The column with the entity of a to-one relationship's destination.
    case entityColumn
    /// The column with a position.
    case orderColumn
    /// The column with the owner in a to-many relationship without inverse.
    case ownerColumn
    /// The table of a relationship that is to-many on both sides.
    case joinTable
    /// The inverse that a to-many relationship names.
    case inverse
  }

  /// The kind of the part.
  package var kind: Kind
  /// The entity that declares it.
  package var entity: String
  /// The property, with the elements' names after points for a composite attribute; nil for a table.
  package var property: String?
  /// The expected name in the schema; empty if the store has no number for the entity.
  package var expectedName: String
}
