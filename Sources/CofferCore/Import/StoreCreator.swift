package import CoreDataArchive
package import CoreDataDesign
package import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Creates empty stores as Core Data would.
///
/// ```swift
/// try await StoreCreator().create("Trips.momd", at: "Trips.sqlite")
/// ```
///
/// The store appears only when it is complete.
public struct StoreCreator: Sendable {
  /// The options for creating stores.
  public var options: CreationOptions

  /// Creates a creator with options.
  public init(options: CreationOptions = CreationOptions()) { self.options = options }

  /// The oldest framework whose stores can be created (store-format, section 10).
  package static let oldestFramework: Int64 = 363

  /// Creates the store of a model on the caller's thread.
  @discardableResult
  package func create(_ model: String, at store: String) throws -> CreationSummary {
    let founding = try founding(model, at: store)
    try build(founding.builder, at: store)
    return founding.summary
  }

  /// A store that is designed and not yet written.
  package struct Founding {
    /// Writes the store.
    package let builder: StoreBuilder
    /// The properties of the store.
    package let summary: CreationSummary

    /// The same store with another UUID, and the metadata of an app.
    package func identified(by uuid: String, metadata: [PropertyListValue.Entry] = []) -> Founding {
      var (identity, summary) = (builder.identity, summary)
      identity.uuid = uuid
      identity.metadata = metadata
      summary.storeUUID = uuid
      return Founding(builder: StoreBuilder(builder.design, identity: identity), summary: summary)
    }
  }

  /// Designs the store for a model; throws the errors of ``create(_:at:)`` about the model and the example.
  package func founding(_ model: String, at store: String) throws -> Founding {
    let loaded = try ModelLoader.load(
      from: model, version: options.modelVersion, merging: options.otherModels,
      environment: options.environment)
    return try founding(loaded, from: model, at: store)
  }

  /// Designs the store for a model that was loaded.
  ///
  /// - Throws: the errors of ``create(_:at:)`` about the example and what the model leaves open.
  package func founding(
    _ loaded: LoadedModel, from model: String, at store: String
  ) throws -> Founding {
    let example = try (options.example ?? (loaded.sourceKind == nil ? nil : model)).map {
      try SchemaExample(path: $0, environment: options.environment)
    }
    let version =
      options.frameworkVersion ?? (options.example == nil ? nil : example?.frameworkVersion)
      ?? loaded.frameworkVersion ?? FrameworkEra.newest.version
    let era = try era(version, model)
    let design = StoreDesign(
      model: loaded.model, era: era,
      choices: try example?.choices(for: loaded) ?? DesignChoices())
    try design.requireSmall(options.environment.limits, place: model)
    try requireDecided(design, model, example?.objection(to: loaded))
    let hashes = hashes(loaded, example)
    let uuid = try uuid(store)
    let builder = StoreBuilder(
      design,
      identity: StoreBuilder.Identity(
        uuid: uuid, versionHashes: hashes ?? [:], digests: hashes.map(Self.digests)))
    return Founding(
      builder: builder,
      summary: summary(
        design, uuid, hasHashes: hashes != nil, example?.surplusIndexes(besides: design)?.note))
  }

  private static func digests(_ hashes: [Name: VersionHash]) -> (digest: String, checksum: String) {
    let digests = VersionHashDigest(hashes)
    return (digests.digest, digests.checksum)
  }

  // MARK: Requirements

  private func era(_ version: Int64, _ model: String) throws(CofferError) -> FrameworkEra {
    guard version >= Self.oldestFramework else {
      throw CofferError(
        .refused, path: model,
        detail: "it is not known how framework version \(version) writes stores",
        advice: .chooseFramework(Self.oldestFramework))
    }
    return FrameworkEra(version: version)
  }

  private func requireDecided(
    _ design: StoreDesign, _ model: String, _ objection: String?
  ) throws(CofferError) {
    let open = design.blocking
    guard let first = open.first else { return }
    let others = open.count > 1 ? ", and \(open.count - 1) more" : ""
    let advice: CofferError.Advice =
      switch first.kind {
      case .unusableName, .equalNames: "Rename it in the model."
      case .tooManyColumns: "Remove entities from the hierarchy, or attributes from the entities."
      default: .giveExampleStore
      }
    throw CofferError(
      .refused, path: model,
      detail: "the model does not determine \(first.text)\(others)"
        + (objection.map { "; \($0)" } ?? ""),
      advice: advice)
  }

  private func uuid(_ store: String) throws(CofferError) -> String {
    guard let wanted = options.storeUUID else { return UUID().uuidString }
    guard let uuid = UUID(uuidString: wanted) else {
      throw CofferError(.refused, path: store, detail: "the given UUID is invalid")
    }
    return uuid.uuidString
  }

  /// The version hashes of the model's entities: its own, or the example's if it has the same
  /// model.
  private func hashes(_ loaded: LoadedModel, _ example: SchemaExample?) -> [Name: VersionHash]? {
    guard
      let hashes = loaded.hasAllVersionHashes
        ? loaded.versionHashes : example?.versionHashes(for: loaded.model)
    else { return nil }
    return hashes.filter { loaded.model[$0.key] != nil }
  }

  // MARK: Writing

  private func build(_ founding: StoreBuilder, at store: String) throws {
    let placement = try place(store)
    var construction: StoreConstruction?
    do {
      let made = try StoreConstruction(
        at: placement.working.store, settings: StoreSettings(), place: placement.target.store)
      construction = made
      try founding.writeAll(in: made)
      try Task<Never, Never>.checkCancellation()
      construction = nil
      try made.finish()
      try placement.commit()
    } catch {
      construction?.abandon()
      placement.abandon()
      throw error
    }
  }

  /// The maximum number of notes of a kind.
  private static let maxNotes = 20

  /// The notes, or the first ones if there are many.
  private static func some(_ notes: [String]) -> [String] {
    guard notes.count > maxNotes else { return notes }
    return notes.prefix(maxNotes) + ["and \(notes.count - maxNotes) more of this kind"]
  }

  private func place(_ store: String) throws(CofferError) -> StorePlacement {
    try StorePlacement(path: store, isReplacing: options.overwriting)
  }

  private func summary(
    _ design: StoreDesign, _ uuid: String, hasHashes: Bool, _ surplus: String?
  ) -> CreationSummary {
    var notes = Self.some(
      design.undecided.filter(\.isHarmless).map {
        "\($0.text) was chosen; Core Data finds columns by name"
      })
    notes += Self.some(design.notes)
    if let surplus { notes.append(surplus) }
    if design.era.version > FrameworkEra.newest.version {
      notes.append(
        "framework version \(design.era.version) is newer than any known version; the store is "
          + "written like one from version \(FrameworkEra.newest.version)")
    }
    return CreationSummary(
      storeUUID: uuid, frameworkVersion: design.era.version,
      frameworkEra: design.era.description, entityCount: design.model.entities.count,
      tableCount: design.tables.count,
      indexCount: design.indexes.count + design.virtualTables.count,
      triggerCount: design.triggers.count, hasVersionHashes: hasHashes, notes: notes)
  }
}

extension StoreDesign {
  /// Refuses a design of more or longer statements than an archive of the store may have: SQLite's work
  /// grows with the square of their number, and its memory with their size.
  ///
  /// - Throws: `model-limit`.
  package func requireSmall(_ limits: ArchiveLimits, place: String) throws(CofferError) {
    let sizes = statements.map(\.sql.utf8.count)
    let size = sizes.reduce(0, +)
    if sizes.count > limits.statements {
      throw Self.exceeding(
        .statements, limits, place, "a store of it has \(sizes.count) tables and indexes, more")
    }
    if size > limits.schemaSize {
      throw Self.exceeding(
        .schemaSize, limits, place, "the schema of a store of it has \(size) bytes, more")
    }
    if let longest = sizes.max(), longest > limits.statementSize {
      throw Self.exceeding(
        .statementSize, limits, place, "a statement for a store of it has \(longest) bytes, more")
    }
  }

  private static func exceeding(
    _ name: ArchiveLimits.Name, _ limits: ArchiveLimits, _ place: String, _ detail: String
  ) -> CofferError {
    var error = CofferError.exceeding(name, of: limits, path: place, detail)
    error.code = .modelLimit
    return error
  }
}

/// The options for creating an empty store.
public struct CreationOptions: Sendable, Equatable {
  /// The version of the model if it has several; nil for the current one.
  public var modelVersion: String?
  /// The paths of models to merge with the model; empty for the model alone.
  public var otherModels: [String] = []
  /// The version number of the framework to imitate; nil for the example's, then the version of the
  /// store or archive with the model, then the newest known one.
  public var frameworkVersion: Int64?
  /// A store or archive that supplies the names that the model leaves undecided; nil for the store or archive
  /// of the model, if any.
  public var example: String?
  /// Whether an existing store is replaced.
  public var overwriting: Bool
  /// The UUID of the store; nil for a new one.
  public var storeUUID: String?
  /// The environment for reading the example and an archive with the model; its model is ignored.
  public var environment = WorkEnvironment()

  /// Creates options; by default, everything follows from the model.
  public init(
    modelVersion: String? = nil, frameworkVersion: Int64? = nil, example: String? = nil,
    overwriting: Bool = false, storeUUID: String? = nil
  ) {
    self.modelVersion = modelVersion
    self.frameworkVersion = frameworkVersion
    self.example = example
    self.overwriting = overwriting
    self.storeUUID = storeUUID
  }
}

/// The result of creating a store.
public struct CreationSummary: Sendable, Equatable {
  /// The UUID of the store.
  public var storeUUID: String
  /// The version number of the framework that the store imitates.
  public var frameworkVersion: Int64
  /// The systems with this framework, such as `macOS 14 / iOS 17`.
  public var frameworkEra: String
  /// The number of entities in the model.
  public var entityCount: Int
  /// The number of tables for objects, relationships and persistent history.
  public var tableCount: Int
  /// The number of indexes, including R-trees.
  public var indexCount: Int
  /// The number of triggers.
  public var triggerCount: Int
  /// Whether the store has a version hash for every entity.
  ///
  /// Otherwise Core Data takes it for a store of another model, and refuses or migrates it.
  public var hasVersionHashes: Bool
  /// Notes on choices and omissions, without capital and full stop.
  public var notes: [String]
}

extension StoreCreator {
  /// Creates an empty store for a model.
  ///
  /// - Parameters:
  ///   - model: a model file, a source, a folder of versions, a store or an archive.
  ///   - store: the path of the store.
  /// - Returns: the properties of the new store.
  /// - Throws: the errors of ``ModelLoader`` for the model, and of reading a store or an archive
  ///   for the example; `CofferError` with `refused` if neither the model nor the example
  ///   determines part of the schema, or the framework is too old; `output-exists`, `store-busy`
  ///   and `write-failed` as for an import; `CancellationError` if the task is canceled.
  @discardableResult
  public func create(_ model: String, at store: String) async throws -> CreationSummary {
    try await BackgroundWork.run { try create(model, at: store) }
  }
}
