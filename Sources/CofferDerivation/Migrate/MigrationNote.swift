/// A note about a migration that was done or planned.
public struct MigrationNote: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of notes.
  package struct Code: Sendable, Hashable {
    /// The stable text, in kebab case.
    package let text: String

    private init(_ text: String) { self.text = text }

    /// The new store has no version hashes because the model has none.
    package static let noVersionHashes = Code("no-version-hashes")
    /// The persistent history is not migrated.
    package static let historyDropped = Code("history-dropped")
    /// The state of CloudKit mirroring is not migrated.
    package static let cloudKitDropped = Code("cloudkit-dropped")
    /// A table that the model does not explain is not migrated.
    package static let tableDropped = Code("table-dropped")
    /// A column that the model does not explain is not migrated.
    package static let columnDropped = Code("column-dropped")
    /// Objects of an entity that the new model lacks are not migrated.
    package static let objectsDropped = Code("objects-dropped")
    /// Values of an attribute that the new model lacks are not migrated.
    package static let valuesDropped = Code("values-dropped")
    /// References that the new store cannot keep are not migrated.
    package static let referencesDropped = Code("references-dropped")
    /// The order of references is not migrated.
    package static let orderDropped = Code("order-dropped")
    /// An index, a trigger or a view that the app added is not migrated.
    package static let additionDropped = Code("addition-dropped")
    /// The renaming identifiers in the store's copy of its model differ from the given version's.
    package static let otherIdentifiers = Code("other-identifiers")
    /// Files of external binary data that are no longer referenced are not migrated.
    package static let filesDropped = Code("files-dropped")
    /// There is a mapping model that cannot be read.
    package static let mappingUnread = Code("mapping-unread")
    /// A class of the app that a mapping model names was not run.
    package static let policyReplaced = Code("policy-replaced")
    /// The model alone does not determine the form of the new store.
    package static let undecided = Code("undecided-form")
    /// Something that Core Data would create is left out.
    package static let leftOut = Code("left-out")

    /// Names that the model does not determine are kept from the old store.
    public static let keptNames = Code("kept-names")
    /// The store's own model was identified only by its tables.
    package static let versionByTables = Code("version-by-tables")

    private static let harmless: Set<Code> = [undecided, leftOut, versionByTables]

    /// Whether the note is a warning: data of the old store is not migrated, or the new store
    /// cannot be used without further work.
    package var isWarning: Bool { !Self.harmless.contains(self) }
  }

  /// The kind of note.
  package var code: Code
  /// The note as a sentence.
  public var text: String

  /// Creates a note with a code and a sentence.
  package init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  /// The sentence.
  public var description: String { text }
}

extension [MigrationNote] {
  mutating func add(_ code: MigrationNote.Code, _ text: String) {
    append(MigrationNote(code, text))
  }
}
