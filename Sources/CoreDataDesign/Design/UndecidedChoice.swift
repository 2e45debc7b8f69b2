package import CoreDataModel

/// Something about the schema of a fresh store that does not follow from its model.
///
/// Source: store-format, sections 5.3, 5.5 and 10.
package struct UndecidedChoice: Sendable, Equatable {
  /// The kinds of undecided choices.
  package enum Kind: Sendable, Hashable {
    /// The relationship that names the table, of two relationships of one entity.
    case namingSide
    /// The numbers that relationships get as suffixes of equal column names.
    case columnSuffix
    /// The order of the columns that relationships of other entities need in a table.
    case columnOrder
    /// The owner of a name in the schema that several things would have.
    case equalNames
    /// The form of a name that would need quotes in SQLite.
    case unusableName
    /// The handling of a table with more columns than SQLite allows.
    case tooManyColumns
  }

  /// The kind of choice.
  package var kind: Kind
  /// The properties that it is about, in order; the names of properties are empty for entities.
  package var properties: [PropertyReference]
  /// The choice in words, such as `which of Note.parents and Note.children names their table`.
  package var text: String

  /// Whether any choice gives a store that Core Data can use: it finds columns by their names.
  package var isHarmless: Bool { kind == .columnOrder }

  /// Whether the choice concerns only names: a store with any of them is sound, but it may not be the store that
  /// Core Data would make and look for.
  package var isAboutNames: Bool { kind == .namingSide || kind == .columnSuffix }

  /// The maximum number of properties to name in a sentence.
  private static let maxNamed = 6

  /// A list of properties in words: `Note.parents, Note.children`; of a long one the beginning.
  static func list(_ properties: [PropertyReference]) -> String {
    properties.map { $0.property.isEmpty ? $0.entity : "\($0.entity).\($0.property)" }
      .listed(max: maxNamed)
  }
}
