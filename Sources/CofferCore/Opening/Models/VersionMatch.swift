package import CoreDataModel
package import CoreDataStore

/// Tells which version of a model wrote a store or an archive.
///
/// ```swift
/// let match = try VersionMatch(of: "Trips.sqlite", in: "Trips.momd")
/// print(match.versions, match.nearest.name)
/// ```
package struct VersionMatch: Sendable, Equatable {
  /// The facts that identified a version, the most certain first.
  package enum Evidence: String, Sendable, CaseIterable {
    /// The version hashes of all entities, which Core Data compares.
    case hashes
    /// Everything that enters a version hash, in the store's copy of its model.
    case model
    /// The tables and columns; the store has no copy of its model.
    case tables
  }

  /// A version, and the differences between it and a store.
  package struct Candidate: Sendable, Equatable {
    /// The name of the version, or of the file of a single model.
    package let name: String
    /// The differences, entity by entity, each a sentence with the entity and the property.
    package let differences: [String]
  }

  /// The versions that match; several if they differ in nothing that the evidence shows.
  package let versions: [String]
  /// The facts that were compared.
  package let evidence: Evidence
  /// The version with the fewest differences: the matching version, if there is one.
  package let nearest: Candidate

  /// Compares a store or an archive with the versions of a model.
  ///
  /// - Parameters:
  ///   - path: the store or the archive.
  ///   - model: a folder of versions, or any source of a single model.
  ///   - others: models to merge with the current version of that one; then there is no choice of versions.
  ///   - environment: how to read an archive.
  /// - Throws: `CofferError` with `not-a-model` for a folder without versions; errors from reading the
  ///   store, the archive or a model.
  package init(
    of path: String, in model: String, merging others: [String] = [],
    environment: WorkEnvironment = WorkEnvironment()
  ) throws {
    let models = try Self.models(model, others, environment)
    switch try SourceKind(ofFileAt: path) {
    case .store:
      let store = try PersistentStore(readingFrom: path, access: environment.storeAccess)
      try self.init(of: store, among: models, place: model)
    case .archive, .changes:
      let documents = try OpenArchive(path: path, environment: environment).documents
      let isInferred = documents.model.source == .inferred
      try self.init(
        among: models, hashes: documents.versionHashes, evidence: isInferred ? .tables : .model,
        place: model
      ) { ModelCompatibility(of: documents, with: $0).problems }
    }
  }

  /// Compares an open store with models, each with the name of its version.
  ///
  /// - Throws: ``CofferError`` with `not-a-model` without models.
  package init(
    of store: PersistentStore, among models: [LoadedModel], place: String
  ) throws(CofferError) {
    let hashes = store.metadata.modelVersionHashes
    let own = store.model.source == .inferred ? nil : store.model
    try self.init(
      among: models, hashes: hashes, evidence: own == nil ? .tables : .model, place: place
    ) { given in
      let compatibility =
        own.map { ModelCompatibility(of: $0, with: given) }
        ?? ModelCompatibility(
          of: hashes,
          StoreLayout(model: given.model, registry: store.registry, catalog: store.catalog),
          with: given)
      return compatibility.problems
    }
  }

  private init(
    among models: [LoadedModel], hashes: [Name: VersionHash], evidence: Evidence,
    place: String, differences: (LoadedModel) -> [String]
  ) throws(CofferError) {
    let comparesHashes = !hashes.isEmpty && models.contains { !$0.versionHashes.isEmpty }
    let candidates = models.map { given in
      if comparesHashes, given.versionHashes == hashes {
        return Candidate(name: given.versionName ?? given.place, differences: [])
      }
      var found = differences(given)
      if comparesHashes { found += Self.unexplained(hashes, given, by: found) }
      return Candidate(name: given.versionName ?? given.place, differences: found)
    }
    // Among equals, the latest version is the likeliest.
    let nearest = candidates.reversed().min { $0.differences.count < $1.differences.count }
    guard let nearest else {
      throw CofferError(.notAModel, path: place, detail: "it has no versions")
    }
    self.evidence = comparesHashes ? .hashes : evidence
    versions = candidates.filter(\.differences.isEmpty).map(\.name)
    self.nearest = nearest
  }

  /// A sentence for each entity whose version hash differs for a reason that the other sentences do not give.
  private static func unexplained(
    _ hashes: [Name: VersionHash], _ given: LoadedModel, by found: [String]
  ) -> [String] {
    Set(hashes.keys).union(given.versionHashes.keys).sorted()
      .filter { name in
        hashes[name] != given.versionHashes[name]
          && !found.contains { $0.hasPrefix("\(name):") || $0.hasPrefix("\(name).") }
      }
      .map { "\($0): the version hashes differ" }
  }

  /// The versions in a folder, a single model, or several merged into one.
  private static func models(
    _ path: String, _ others: [String], _ environment: WorkEnvironment
  ) throws -> [LoadedModel] {
    guard others.isEmpty, let bundle = try ModelBundle(path: path) else {
      var loaded = try ModelLoader.load(from: path, merging: others, environment: environment)
      loaded.versionName = loaded.versionName ?? StorePaths.name(of: path)
      return [loaded]
    }
    return try bundle.loadedVersions()
  }
}

extension ModelBundle {
  /// All versions with their hashes.
  package func loadedVersions() throws(CofferError) -> [LoadedModel] {
    var models: [LoadedModel] = []
    for version in versions {
      models.append(
        LoadedModel(
          try model(version: version.name), versionHashes: versionHashes[Name(version.name)] ?? [:],
          versionName: version.name, place: version.path))
    }
    return models
  }
}
