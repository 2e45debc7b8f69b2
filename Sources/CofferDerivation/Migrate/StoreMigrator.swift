public import CofferCore
internal import CoreDataPages
internal import CoreDataStore

/// Migrates a store to another version of its model, as Core Data's lightweight migration does.
///
/// ```swift
/// let migrator = StoreMigrator()
/// let plan = try await migrator.plan("Trips.sqlite", to: "Trips.momd")
/// if plan.isPossible { try await migrator.migrate("Trips.sqlite", to: "Trips.momd", at: "New.sqlite") }
/// ```
///
/// The store itself never changes; a new one is written. A mapping that cannot be inferred is
/// refused before anything is written.
public struct StoreMigrator: Sendable {
  /// The options of the migration.
  public var options: MigrationOptions
  /// Receives the progress.
  public var progress: any ProgressReporter

  /// Creates a migrator with options.
  public init(
    options: MigrationOptions = MigrationOptions(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.options = options
    self.progress = progress
  }

  /// Plans a migration on the caller's thread.
  package func plan(_ source: String, to model: String) throws -> MigrationPlan {
    guard try SourceKind(ofFileAt: source) == .store else {
      return try MigrationRun.plan(ofArchiveAt: source, model: model, options: options)
    }
    let store = try soundStore(source)
    let run = try MigrationRun(
      store, named: source, model: model, options: options, progress: progress)
    let plan = try run.plan()
    try store.requireUnchanged()
    return plan
  }

  /// Migrates a store on the caller's thread.
  @discardableResult
  package func migrate(
    _ source: String, to model: String, at store: String
  ) throws -> MigrationSummary {
    guard try SourceKind(ofFileAt: source) == .store else {
      return try migrate(archive: source, to: model, at: store)
    }
    let old = try soundStore(source)
    let run = try MigrationRun(
      old, named: source, model: model, options: options, progress: progress)
    try run.check()
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    return try run.complete(placement)
  }

  /// Opens a store; throws `damaged-store` if pages or its log are damaged.
  private func soundStore(_ path: String) throws -> PersistentStore {
    progress.report(WorkProgress(.opening))
    let store = try PersistentStore(readingFrom: path, access: options.environment.storeAccess)
    try store.requireSoundLog()
    try store.requireSoundPages()
    return store
  }

  /// The model of an XML store, as ``MigrationOptions/storeModel`` or the store's version hashes say.
  ///
  /// - Parameters:
  ///   - source: the XML store.
  ///   - model: the new model, as for ``plan(_:to:)``.
  /// - Returns: the model, with the version hashes of the store.
  /// - Throws: ``CofferError``: `unknown-store-model` if there is none; as for reading an XML store.
  package func model(ofXMLStoreAt source: String, to model: String) throws -> LoadedModel {
    try MigrationModels(path: model, options: options).own(ofXMLStoreAt: source)
  }

  /// Restores an archive's store in a hidden folder next to the new store, and migrates it.
  private func migrate(
    archive: String, to model: String, at store: String
  ) throws -> MigrationSummary {
    let plan = try MigrationRun.plan(ofArchiveAt: archive, model: model, options: options)
    try MigrationRun.requirePossible(plan, place: archive)
    let placement = try StorePlacement(path: store, isReplacing: options.overwriting)
    do {
      let station = try placement.makeIntermediateStore(at: 0)
      var importOptions = ImportOptions()
      importOptions.environment = options.environment.acceptingAnyModel
      try StoreImporter(options: importOptions, progress: progress)
        .import(archive, to: station.store)
      let summary = try migrate(station, of: archive, to: model, placement)
      return summary
    } catch {
      placement.abandon()
      throw placement.named(error, as: archive)
    }
  }

  private func migrate(
    _ station: StorePaths, of archive: String, to model: String, _ placement: StorePlacement
  ) throws -> MigrationSummary {
    let old = try PersistentStore(readingFrom: station.store, access: .inPlace)
    let run = try MigrationRun(
      old, named: archive, model: model, options: options, progress: progress)
    try run.check()
    return try run.complete(placement, removing: station)
  }
}

extension StoreMigrator {
  /// Plans a migration without writing anything.
  ///
  /// - Parameters:
  ///   - source: the store.
  ///   - model: the new model: a folder of versions, a model, or a store that has it.
  /// - Returns: the steps, the problems that prevent them, and notes.
  /// - Throws: `CofferError` for files that cannot be read; ``CofferError`` with
  ///   `unknown-store-model` if the store's own model is unknown.
  public func plan(_ source: String, to model: String) async throws -> MigrationPlan {
    try await BackgroundWork.run(progress) { try plan(source, to: model) }
  }

  /// Migrates a store.
  ///
  /// - Parameters:
  ///   - source: the store.
  ///   - model: the new model, as for `plan(_:to:)`.
  ///   - store: the path of the new store.
  /// - Returns: the result of the migration.
  /// - Throws: the errors of `plan(_:to:)`; ``CofferError`` with `impossible-migration` and all
  ///   reasons, or with `output-exists`, `refused` or `write-failed` if the new store cannot be
  ///   written; `CancellationError` if the task is canceled.
  @discardableResult
  public func migrate(
    _ source: String, to model: String, at store: String
  ) async throws -> MigrationSummary {
    try await BackgroundWork.run(progress) { try migrate(source, to: model, at: store) }
  }
}

/// The options of a migration.
public struct MigrationOptions: Sendable, Equatable {
  /// The version of the new model if it has several; nil for the current one.
  public var version: String?
  /// The paths of models to merge with the new one, which then has no versions to migrate through.
  public var otherModels: [String] = []
  /// The intermediate versions, in order; empty for one step, or as few as necessary.
  public var intermediateVersions: [String] = []
  /// The model of a store without its own copy: a version in the new model's folder, or the path of
  /// a model.
  public var storeModel: String?
  /// The paths of stores of the new model, or of archives or folders of such stores, for names that the model
  /// leaves undecided.
  ///
  /// The first that decides a name wins; a store of another model decides the names of entities that are the same
  /// there.
  public var exampleStores: [String] = []
  /// The name in messages of a model without versions; nil for the name of its file.
  package var modelName: String?
  /// Whether names that the new model leaves undecided, and no example decides, stay as in the old store.
  public var keepsNames = false
  /// The orders that attributes represent in one of the models.
  package var orderAttributes: [OrderAttribute] = []
  /// The path of the mapping model to carry out; nil for one that is found next to the folder of versions or in
  /// ``mappingFolders``, or else for what can be inferred.
  public var mapping: String?
  /// Folders with more mapping models, used only for the versions that they were made for.
  public var mappingFolders: [String] = []
  /// The classes of the app in mapping models that are treated like the standard class.
  public var defaultPolicies: [String] = []
  /// Whether more than half of the objects may be lost because the new model lacks their entities.
  public var allowsLoss = false
  /// Whether to replace an existing store.
  public var overwriting = false
  /// The environment for reading the store or archive and the example; its model is ignored.
  public var environment = WorkEnvironment()

  /// Creates options; by default, the current version is used and nothing is replaced.
  public init(version: String? = nil, overwriting: Bool = false) {
    self.version = version
    self.overwriting = overwriting
  }
}
