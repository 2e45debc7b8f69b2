package import CofferCore
internal import CofferTables
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore

/// An SQLite store made of an XML store, as `migratePersistentStore` makes one.
///
/// Everything that reads stores reads the SQLite store. It is private and goes with this object.
package final class XMLStoreConversion: Sendable {
  private let made: TemporaryStore
  /// The path of the SQLite store.
  package var path: String { made.path }
  /// The loss of digits of decimal numbers in the SQLite store, as a sentence; nil if it keeps all digits.
  package let roundingNote: String?

  /// Converts an XML store.
  ///
  /// - Throws: ``CofferError``: as for reading it; `unknown-store-model` without a model; `model-mismatch` for a
  ///   model that does not have its entities and properties; `damaged-store` for values that are none of
  ///   their types, or objects that contradict the model; `CancellationError`.
  package init(
    of source: String, _ environment: WorkEnvironment,
    progress: any ProgressReporter = SilentProgress()
  ) throws {
    guard let model = environment.model else {
      throw CofferError(
        .unknownStoreModel, path: source,
        detail: "it is a Core Data XML store, which has no copy of its model",
        advice: .giveModel)
    }
    let store = try XMLStoreReader.read(source)
    let rounding = XMLRounding()
    do {
      made = try TemporaryStore(for: .conversion, in: environment.temporaryFolder) { path in
        try Self.write(store, model, to: path, rounding, environment, progress)
      }
      roundingNote = rounding.note
    } catch let error as CofferError where error.code == .invalidTable {
      var found = error
      found.code = .damagedStore
      found.place.item = [error.place.path, error.place.item].compactMap(\.self)
        .joined(separator: ", ")
      found.place.path = source
      throw found
    } catch let error as CofferError where error.place.path.isEmpty {
      throw error.located(at: source)
    }
  }

  private static func write(
    _ store: XMLStore, _ model: LoadedModel, to path: String, _ rounding: XMLRounding,
    _ environment: WorkEnvironment, _ progress: any ProgressReporter
  ) throws {
    let metadata = StoreMetadata(
      version: nil, uuid: store.uuid,
      propertyList: BinaryPlistWriter.write(.dictionary(store.metadata)))
    let model = try complete(model, metadata)
    var creation = CreationOptions(storeUUID: store.uuid)
    creation.environment = environment.acceptingAnyModel
    creation.frameworkVersion = metadata.frameworkVersion.flatMap {
      $0 >= StoreCreator.oldestFramework ? $0 : nil
    }
    let designed = try StoreCreator(options: creation).founding(model, from: model.place, at: path)
    let founding = designed.identified(
      by: designed.summary.storeUUID, metadata: StoreMetadata.applicationEntries(in: store.metadata)
    )
    let objects = try XMLObjects(store, founding.builder.design.layout(place: path), rounding)
    var importing = SheetImportOptions(model: "")
    importing.environment = environment.acceptingAnyModel
    _ = try SheetImportRun.complete(
      founding, at: path, folder: StorePaths.folder(of: path), importing, progress: progress
    ) { _ in objects.tables }
  }

  /// The model with the version hashes of the store, which must match the model's own.
  private static func complete(
    _ model: LoadedModel, _ metadata: StoreMetadata
  ) throws(CofferError) -> LoadedModel {
    var model = model
    let hashes = metadata.modelVersionHashes
    guard model.hasAllVersionHashes else {
      model.versionHashes = hashes
      return model
    }
    let other = hashes.keys.sorted().first { name in
      model.versionHashes[name].map { $0 != hashes[name] } ?? true
    }
    guard let other else { return model }
    throw CofferError(
      .modelMismatch, item: "\(other)", detail: "the store has another version hash of the entity",
      advice: .giveModel)
  }
}
