internal import CoreDataArchive
package import CoreDataModel
internal import CoreDataStore

/// The subject of a verification: the common parts of stores and archives.
package struct VerificationSubject {
  /// The path, or a name for standard input.
  let place: String
  /// The model to check the data against.
  package let model: ManagedObjectModel
  /// The reason why the store's copy of its model cannot be read; nil if it can, or if there is none.
  let modelProblem: CofferError?
  /// The given model to compare with the store's own, or nil.
  let givenModel: ManagedObjectModel?
  /// The entities and tables, with the meaning of each column.
  let layout: LayoutDocument
  let schema: SchemaDocument
  /// The store; nil for an archive.
  let store: PersistentStore?

  /// Whether the model is only inferred from the tables, so that types and relationships are
  /// unknown.
  var modelIsInferred: Bool { model.source == .inferred }
}

/// Additional observers of a verification's rows, so that nothing is read twice.
package struct VerificationAudience {
  /// Creates the observers for a run, when the model and the tables are known.
  package let observers: (VerificationContext) -> [any RunObserver]

  package init(observers: @escaping (VerificationContext) -> [any RunObserver]) {
    self.observers = observers
  }

  static var nobody: VerificationAudience { VerificationAudience { _ in [] } }
}
