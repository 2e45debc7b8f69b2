internal import CofferCore
internal import CoreDataDesign
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// The models of a migration: the store's, the new one, and the versions in between.
struct MigrationModels {
  struct Named {
    var name: String
    var model: ManagedObjectModel
    /// The version hashes by entity name; empty if they are unknown.
    var hashes: [Name: VersionHash]
    /// The choices that the model leaves open, taken from a store of the model; nil without one.
    var choices: DesignChoices?
    /// Why the example does not settle all of them, or nil.
    var objection: String?
  }

  let path: String
  let bundle: ModelBundle?
  let options: MigrationOptions
  let mappings: MappingFiles

  init(path: String, options: MigrationOptions) throws {
    self.path = path
    self.options = options
    bundle = options.otherModels.isEmpty ? try ModelBundle(path: path) : nil
    mappings = try MappingFiles(besides: bundle == nil ? nil : path, options)
  }

  /// A note on mapping models that could be meant and cannot be read; nil for none.
  var mappingNote: MigrationNote? { mappings.note }

  // MARK: The new model

  /// The new model, with the facts that a store of it adds.
  func destination() throws -> Named {
    let loaded = try ModelLoader.load(
      from: path, version: options.version, merging: options.otherModels,
      environment: options.environment)
    var named = Named(
      name: loaded.versionName ?? options.modelName ?? StorePaths.name(of: path),
      model: loaded.model,
      hashes: loaded.versionHashes)
    let examples = try examples(loaded)
    for example in examples.reversed() {
      let shown = try example.choices(for: loaded)
      let triggers = named.choices?.triggers
      named.choices = (named.choices ?? DesignChoices()).adding(shown)
      if shown.triggers == nil { named.choices?.triggers = triggers }
    }
    // One of the model itself leaves nothing to object to.
    let objections = examples.compactMap { $0.objection(to: loaded) }
    named.objection = objections.count == examples.count ? objections.first : nil
    if !loaded.hasAllVersionHashes {
      named.hashes =
        examples.lazy.compactMap { $0.versionHashes(for: loaded.model) }.first ?? [:]
    }
    return named
  }

  /// The stores that settle what the new model leaves open: the stores in the options, or the store with the
  /// model.
  private func examples(_ loaded: LoadedModel) throws -> [SchemaExample] {
    guard !options.exampleStores.isEmpty else {
      guard loaded.sourceKind != nil else { return [] }
      return [try SchemaExample(path: path, environment: options.environment)]
    }
    var examples: [SchemaExample] = []
    for path in options.exampleStores {
      guard FileSync.isFolder(path) else {
        examples.append(try SchemaExample(path: path, environment: options.environment))
        continue
      }
      let count = examples.count
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
        let file = StorePaths.join(path, name)
        guard !FileSync.isFolder(file), (try? FileSignature.isDatabase(fileAt: file)) == true,
          let example = try? SchemaExample(path: file, environment: options.environment)
        else { continue }
        examples.append(example)
      }
      guard examples.count > count else {
        throw CofferError(
          .notCoreData, path: path, detail: "the folder contains no Core Data store")
      }
    }
    return examples
  }

  func version(_ name: String, of bundle: ModelBundle) throws -> Named {
    Named(
      name: name, model: try bundle.model(version: name),
      hashes: bundle.versionHashes[Name(name)] ?? [:])
  }

  // MARK: The model of the store

  struct Own {
    var name: String
    var model: ManagedObjectModel
    /// A note about the choice of the model, or nil.
    var note: MigrationNote?
  }

  /// The store with its model: the one named in the options, the version with the store's hashes,
  /// the store's own copy, or the only version that explains its tables.
  ///
  /// Renaming identifiers are not part of a version hash and may be added later, so the version's
  /// identifiers are used.
  ///
  /// - Throws: ``CofferError`` with `unknown-store-model` if there is none.
  func planned(_ store: PersistentStore) throws -> (store: PersistentStore, own: Own) {
    let copy = store.model.source == .inferred ? nil : store.model
    let found = try own(copy, hashes: store.metadata.modelVersionHashes) ?? own(byTablesOf: store)
    return (found.model == copy ? store : store.planned(for: found.model), found)
  }

  /// The only version that explains every table of a store without a copy of its model.
  private func own(byTablesOf store: PersistentStore) throws -> Own {
    var error = CofferError(
      .unknownStoreModel, path: store.path,
      detail: "it has no copy of its model, and no given version has its version hashes",
      advice: .nameSourceModel)
    guard let bundle else { throw error }
    let match = try VersionMatch(of: store, among: bundle.loadedVersions(), place: path)
    guard match.evidence == .tables, match.versions.count == 1 else {
      error.detail += "; " + Self.clause(match)
      throw error
    }
    let name = match.nearest.name
    return Own(
      name: name, model: try bundle.model(version: name),
      note: MigrationNote(
        .versionByTables,
        "the store has no copy of its model; \(name) is the only version that explains its tables"))
  }

  /// The differences between a store and the nearest versions of a model, as a clause.
  private static func clause(_ match: VersionMatch) -> String {
    guard match.versions.isEmpty else {
      return "several versions fit its tables: \(match.versions.joined(separator: ", "))"
    }
    let differences = match.nearest.differences
    let more = differences.count > 1 ? "; and \(differences.count - 1) more" : ""
    return "the nearest is \(match.nearest.name) (\(differences.first ?? "")\(more))"
  }

  /// The model of an XML store: the one named in the options, or the version with the store's hashes.
  ///
  /// - Throws: ``CofferError`` with `unknown-store-model` if there is none.
  func own(ofXMLStoreAt path: String) throws -> LoadedModel {
    let store = try XMLStoreReader.read(path)
    let hashes = StoreMetadata(
      version: nil, uuid: nil, propertyList: BinaryPlistWriter.write(.dictionary(store.metadata))
    ).modelVersionHashes
    guard let found = try own(nil, hashes: hashes) else {
      throw CofferError(
        .unknownStoreModel, path: path,
        detail: "it is an XML store, and no given version has its version hashes",
        advice: .nameSourceModel)
    }
    return LoadedModel(found.model, versionHashes: hashes)
  }

  func own(ofArchiveAt path: String) throws -> Own {
    if options.storeModel != nil, let named = try own(nil, hashes: [:]) { return named }
    let loaded = try ModelLoader.load(from: path, environment: options.environment)
    return try own(loaded.model, hashes: loaded.versionHashes)
      ?? Own(name: "the store's model", model: loaded.model)
  }

  /// The model of a store, from its copy of the model and its version hashes; either may be missing.
  private func own(
    _ copy: ManagedObjectModel?, hashes: [Name: VersionHash]
  ) throws -> Own? {
    if let name = options.storeModel {
      let found = try named(name)
      return Own(name: found.name, model: found.model)
    }
    guard let name = try version(of: copy, hashes), let bundle else {
      return copy.map { Own(name: "the store's model", model: $0) }
    }
    let model = try bundle.model(version: name)
    return Own(name: name, model: model, note: copy.flatMap { Self.note(on: $0, model, name) })
  }

  /// The version with the same hashes as a store, or, without hashes, with the same model as the
  /// store's copy.
  private func version(
    of copy: ManagedObjectModel?, _ hashes: [Name: VersionHash]
  ) throws(CofferError) -> String? {
    guard let bundle else { return nil }
    if !hashes.isEmpty, !bundle.versionHashes.isEmpty {
      return bundle.versions.first { bundle.versionHashes[Name($0.name)] == hashes }?.name
    }
    guard let copy else { return nil }
    return bundle.versions.first { version in
      guard let model = try? bundle.model(version: version.name) else { return false }
      return ModelDifference(of: copy, and: model, scope: .versionHash).isEmpty
    }?.name
  }

  /// A note if the store's copy has different renaming identifiers.
  private static func note(
    on copy: ManagedObjectModel, _ model: ManagedObjectModel, _ name: String
  ) -> MigrationNote? {
    let changes = ModelDifference(of: copy, and: model, scope: .everything).changes
      .filter { $0.aspect == .renamingIdentifier }
    guard !changes.isEmpty else { return nil }
    let list = changes.prefix(5).map { "\($0)" }.joined(separator: "; ")
    let more = changes.count > 5 ? "; and \(changes.count - 5) more" : ""
    return MigrationNote(
      .otherIdentifiers,
      "the renaming identifiers come from \(name); the store's own copy has different ones: "
        + list + more)
  }

  private func named(_ name: String) throws -> Named {
    if let bundle, bundle.versions.contains(where: { $0.name == name }) {
      return try version(name, of: bundle)
    }
    let model = try ModelLoader.model(from: name, environment: options.environment)
    return Named(name: StorePaths.name(of: name), model: model, hashes: [:])
  }
}
