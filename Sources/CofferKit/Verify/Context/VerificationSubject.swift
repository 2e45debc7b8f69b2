internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// What is being verified: a store or an archive, by what both of them say of themselves.
struct VerificationSubject {
  /// The path, or a name for standard input.
  let place: String
  /// The model that the data are checked against.
  let model: ManagedObjectModel
  /// Why the store's own copy of the model cannot be read; nil where it can or there is none.
  let modelProblem: CofferError?
  /// The model that was given to be compared with the store's own; nil where none was.
  let givenModel: ManagedObjectModel?
  /// The entities and tables, with what each column means.
  let layout: LayoutDocument
  /// The definitions of the schema.
  let schema: SchemaDocument
  /// The store; nil for an archive.
  let store: PersistentStore?

  /// Whether it is an archive.
  var isArchive: Bool { store == nil }

  /// Whether the model is only inferred from the tables: types are guesses then, and only some
  /// relationships are known, without their inverses.
  var modelIsInferred: Bool { model.source == .inferred }
}
