internal import CoreDataModel
internal import CoreDataStore

/// The models of a migration: that of the store, the new one, and those between.
struct MigrationModels {
  /// A model with what it is called.
  struct Named {
    var name: String
    var model: ManagedObjectModel
    /// The version hashes by the names of the entities; empty where they are not known.
    var hashes: [ExactString: VersionHash]
    /// What does not follow from the model, as a store of it has it; nil where there is none.
    var choices: DesignChoices?
  }

  private let path: String
  private let bundle: ModelBundle?
  private let options: MigrationOptions

  /// The most versions of a folder that are looked through for a way.
  private static let versionLimit = 200

  init(path: String, options: MigrationOptions) throws {
    self.path = path
    self.options = options
    bundle = try ModelBundle(path: path)
  }

  // MARK: The new model

  /// The model that the store is to get, with what a store of it tells besides.
  func destination() throws -> Named {
    let loaded = try ModelLoader.load(
      from: path, version: options.version, archiveAccess: options.archiveAccess)
    var named = Named(
      name: loaded.versionName ?? StorePaths.name(of: path), model: loaded.model,
      hashes: loaded.versionHashes)
    let example = try (options.exampleStore ?? (loaded.sourceKind == nil ? nil : path)).map {
      try SchemaExample(path: $0, access: options.access, archiveAccess: options.archiveAccess)
    }
    named.choices = example?.choices(for: loaded.model)
    if !loaded.hasAllVersionHashes {
      named.hashes = example?.versionHashes(for: loaded.model) ?? [:]
    }
    return named
  }

  private func version(_ name: String, of bundle: ModelBundle) throws -> Named {
    Named(
      name: name, model: try bundle.model(version: name),
      hashes: bundle.versionHashes[name] ?? [:])
  }

  // MARK: The model of the store

  /// The store with the model that it has; its own copy, the one that the options name, or the
  /// version with its hashes.
  ///
  /// - Throws: ``CofferError`` with `unknown-store-model` where there is none.
  func planned(_ store: PersistentStore) throws -> (store: PersistentStore, name: String) {
    if let name = options.storeModel {
      let found = try named(name)
      return (store.planned(for: found.model), found.name)
    }
    if store.model.source != .inferred {
      return (store, sourceVersion(of: store) ?? "the store's model")
    }
    if let bundle, let name = sourceVersion(of: store) {
      return (store.planned(for: try bundle.model(version: name)), name)
    }
    throw CofferError(
      .unknownStoreModel, path: store.path,
      detail: "it has no copy of its model, and no version that was given has its hashes",
      advice: "Name the model that it was made with: --from VERSION, or --from a model's path.")
  }

  /// The model of the store in an archive.
  func model(ofArchiveAt path: String) throws -> (model: ManagedObjectModel, name: String) {
    if let name = options.storeModel {
      let found = try named(name)
      return (found.model, found.name)
    }
    return (
      try ModelLoader.model(from: path, archiveAccess: options.archiveAccess), "the store's model"
    )
  }

  private func named(_ name: String) throws -> Named {
    if let bundle, bundle.versions.contains(where: { $0.name == name }) {
      return try version(name, of: bundle)
    }
    let model = try ModelLoader.model(from: name, archiveAccess: options.archiveAccess)
    return Named(name: StorePaths.name(of: name), model: model, hashes: [:])
  }

  /// The version whose hashes the store has; nil where no version has them.
  func sourceVersion(of store: PersistentStore) -> String? {
    let hashes = store.metadata.modelVersionHashes
    guard let bundle, !hashes.isEmpty else { return nil }
    return bundle.versions.first { bundle.versionHashes[$0.name] == hashes }?.name
  }

  // MARK: The way

  /// The steps from a model to another.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - name: what that is called.
  ///   - new: the model that it is to get.
  /// - Returns: the steps, and whether they are a detour that was looked for. Where there is no way,
  ///   the one step with its problems.
  /// - Throws: ``CofferError`` for a version that is not there or cannot be read.
  func steps(
    from model: ManagedObjectModel, called name: String, to new: Named
  ) throws -> (steps: [(Named, ModelMapping)], isDetour: Bool) {
    var way: [Named] = []
    if !options.intermediateVersions.isEmpty {
      guard let bundle else {
        throw CofferError(
          .notAModel, path: path, detail: "it has no versions to go through",
          advice: "Give the folder of all versions: .momd or .xcdatamodeld.")
      }
      for version in options.intermediateVersions {
        way.append(try self.version(bundle.version(version).name, of: bundle))
      }
    }
    way.append(new)
    var steps: [(Named, ModelMapping)] = []
    var last = model
    for next in way {
      steps.append((next, try ModelMapping.infer(from: last, to: next.model)))
      last = next.model
    }
    guard way.count == 1, !steps[0].1.isPossible else { return (steps, false) }
    if let detour = try detour(from: model, called: name, to: new) { return (detour, true) }
    return (steps, false)
  }

  /// The fewest steps through the versions between, each of which can be inferred; nil where there are
  /// none.
  ///
  /// Only forward: a version before the store's own would lose what it lacks.
  private func detour(
    from model: ManagedObjectModel, called name: String, to new: Named
  ) throws -> [(Named, ModelMapping)]? {
    guard let bundle, let end = bundle.versions.firstIndex(where: { $0.name == new.name }),
      let start = try start(of: model, called: name, in: bundle, before: end), start + 1 < end,
      end - start < Self.versionLimit
    else { return nil }
    var models: [Named] = []
    for version in bundle.versions[(start + 1)..<end] {
      models.append(try self.version(version.name, of: bundle))
    }
    models.append(new)
    // By the number of steps; position -1 is the store's own model.
    var ways: [(position: Int, steps: [(Named, ModelMapping)])] = [(-1, [])]
    var reached: Set<Int> = []
    while !ways.isEmpty {
      var next: [(position: Int, steps: [(Named, ModelMapping)])] = []
      for way in ways {
        let old = way.position < 0 ? model : models[way.position].model
        for position in (way.position + 1)..<models.count where !reached.contains(position) {
          let mapping = try ModelMapping.infer(from: old, to: models[position].model)
          guard mapping.isPossible else { continue }
          let steps = way.steps + [(models[position], mapping)]
          if position == models.count - 1 { return steps }
          reached.insert(position)
          next.append((position, steps))
        }
      }
      ways = next
    }
    return nil
  }

  /// Where a model stands among the versions; nil where it is none of them.
  private func start(
    of model: ManagedObjectModel, called name: String, in bundle: ModelBundle, before end: Int
  ) throws -> Int? {
    if let position = bundle.versions.firstIndex(where: { $0.name == name }) { return position }
    for position in 0..<end {
      guard let candidate = try? bundle.model(version: bundle.versions[position].name),
        let mapping = try? ModelMapping.infer(from: model, to: candidate), mapping.isIdentity,
        mapping.entities.count == candidate.entities.count
      else { continue }
      return position
    }
    return nil
  }
}
