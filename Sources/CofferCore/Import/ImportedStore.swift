package import CoreDataModel
package import CoreDataStore

/// A store, or a temporary one made from something else.
package final class ImportedStore {
  /// The open store.
  package let store: PersistentStore
  /// The path of its source, as given.
  let path: String
  private let made: TemporaryStore?

  /// Opens a store; restores an archive to a temporary folder first.
  ///
  /// - Throws: the errors of opening a store and of ``StoreImporter``.
  package convenience init(
    _ path: String, _ environment: WorkEnvironment, progress: any ProgressReporter
  ) throws {
    if try SourceKind(ofFileAt: path) == .store {
      try self.init(opening: path)
    } else {
      try self.init(path, environment) { copy in
        var importer = StoreImporter(progress: progress)
        importer.options.environment = environment
        try importer.import(path, to: copy)
      }
    }
  }

  private init(opening path: String) throws {
    self.path = path
    made = nil
    store = try PersistentStore.opened(path, .inPlace)
    try store.requireSoundLog()
  }

  /// Makes a store in a temporary folder.
  ///
  /// - Throws: ``CofferError`` with `temporary-storage-failed`; errors from the closure and from opening
  ///   the store.
  package init(_ path: String, _ environment: WorkEnvironment, _ make: (String) throws -> Void)
    throws
  {
    let made = try TemporaryStore(for: .merge, in: environment.temporaryFolder, make)
    store = try PersistentStore.opened(made.path, .inPlace)
    self.path = path
    self.made = made
  }

  deinit { store.close() }

  /// An error with the given path instead of the temporary store's.
  package func named(_ error: CofferError) -> CofferError {
    var error = error
    if error.place.path == store.path { error.place.path = path }
    error.detail = error.detail.replacing(store.path, with: path)
    return error
  }
}
