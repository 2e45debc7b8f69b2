package import CoreDataModel
package import CoreDataStore

extension PersistentStore {
  /// Opens a store for reading: as the initializer, on which the compiler (6.3.1) crashes where it
  /// stands within a `do`.
  package static func opened(
    _ path: String, _ access: StoreAccess
  ) throws(CofferError) -> PersistentStore {
    try PersistentStore(readingFrom: path, access: access)
  }

  /// Reads something from the store; once more from a private copy, as the store is by then, where
  /// somebody changed it meanwhile.
  ///
  /// - Throws: what the reading throws; `store-busy` where no copy of the same store is to be had.
  func readingAgainIfChanged<T>(_ body: (PersistentStore) throws -> T) throws -> T {
    do {
      return try body(self)
    } catch let error as CofferError where error.code == .storeBusy && canBeCopiedInstead {
      return try body(Self.opened(path, .copy))
    }
  }

  /// The store with a given model in the place of one that is only inferred.
  ///
  /// - Parameter given: the model; nil for any.
  /// - Returns: the store, itself where it has a model of its own.
  /// - Throws: ``CofferError`` with `model-mismatch` where it is not the store's model.
  func fitted(to given: LoadedModel?) throws(CofferError) -> PersistentStore {
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

  /// The store as a model explains it that did not come from the store.
  func planned(forFile given: ManagedObjectModel) -> PersistentStore {
    var model = given
    model.source = .file
    return planned(for: model)
  }
}
