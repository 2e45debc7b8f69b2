package import CoreDataModel
package import CoreDataStore

extension PersistentStore {
  /// Opens a store for reading, like the initializer, on which the compiler (6.3.1) crashes inside
  /// a `do`.
  package static func opened(
    _ path: String, _ access: StoreAccess
  ) throws(CofferError) -> PersistentStore {
    try PersistentStore(readingFrom: path, access: access)
  }

  /// Reads something from the store.
  ///
  /// If the store changes meanwhile, reads again from a private copy of its new state.
  ///
  /// - Throws: errors from the closure; `store-busy` if the same store cannot be copied.
  package func readingAgainIfChanged<T>(_ body: (PersistentStore) throws -> T) throws -> T {
    do {
      return try body(self)
    } catch let error as CofferError where error.code == .storeBusy && canBeCopiedInstead {
      return try body(Self.opened(path, .copy))
    }
  }

  /// Checks that all of the write-ahead log applies: otherwise, an older state of the store would pass for its
  /// latest one.
  ///
  /// - Throws: ``CofferError``: `damaged-store`; `read-failed` when the log cannot be read.
  package func requireSoundLog() throws(CofferError) {
    guard let defect = try logDefect() else { return }
    throw CofferError(
      .damagedStore, path: path + "-wal", detail: defect.text, advice: .salvageStore)
  }

  /// The store with a given model instead of an inferred one.
  ///
  /// - Parameter given: the model; nil for any.
  /// - Returns: the store, unchanged if it has its own model.
  /// - Throws: ``CofferError`` with `model-mismatch` if it is not the store's model.
  package func fitted(to given: LoadedModel?) throws(CofferError) -> PersistentStore {
    guard let given else { return self }
    guard model.source == .inferred else {
      try ModelCompatibility(of: model, with: given).require(of: path)
      return self
    }
    let store = planned(forFile: given.model)
    try ModelCompatibility(of: metadata.modelVersionHashes, store.layout, with: given).require(
      of: path)
    return store
  }

  /// The store as explained by a model from a file.
  package func planned(forFile given: ManagedObjectModel) -> PersistentStore {
    var model = given
    model.source = .file
    return planned(for: model)
  }
}

extension StoreEditor {
  /// Changes a newly built store, which no one uses yet, in one transaction.
  ///
  /// - Parameters:
  ///   - path: the store; its creator removes it if anything fails.
  ///   - body: changes the database of the store.
  /// - Returns: the result of the closure.
  /// - Throws: errors from opening the store, and from the closure; ``CofferError`` mapped from SQLite's result code.
  package static func change<T>(
    unused path: String, _ body: (SQLiteDatabase, PersistentStore) throws -> T
  ) throws -> T {
    let store = try PersistentStore.opened(path, .inPlace)
    store.close()
    let editor = try StoreEditor(ofUnused: store)
    do {
      let result = try editor.use { try body($0, store) }
      try editor.finish(nil)
      return result
    } catch {
      editor.abandon()
      throw error
    }
  }
}
