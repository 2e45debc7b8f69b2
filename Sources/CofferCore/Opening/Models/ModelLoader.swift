public import CoreDataModel
internal import CoreDataStore

/// Reads managed object models from files, stores and archives.
///
/// ```swift
/// var options = VerificationOptions()
/// options.model = try await ModelLoader.model(from: "Trips.momd")
/// ```
public enum ModelLoader {
  /// Reads a model on the caller's thread.
  package static func model(
    from path: String, version: String? = nil, environment: WorkEnvironment = WorkEnvironment()
  ) throws -> ManagedObjectModel {
    try load(from: path, version: version, environment: environment).model
  }

  /// Reads a model and its version hashes on the caller's thread, and merges it with the models at other paths.
  package static func load(
    from path: String, version: String? = nil, merging others: [String] = [],
    environment: WorkEnvironment = WorkEnvironment()
  ) throws -> LoadedModel {
    guard others.isEmpty else {
      let first = try load(from: path, version: version, environment: environment)
      var merged = try LoadedModel.merging(
        [first] + others.map { try load(from: $0, environment: environment) })
      merged.versionName = ([path] + others).map(StorePaths.name(of:)).joined(separator: ", ")
      return merged
    }
    let loaded = try loadOrInfer(from: path, version: version, environment: environment)
    guard loaded.model.source != .inferred else {
      throw CofferError(
        .notAModel, path: path, detail: "it has no copy of its model",
        advice: "Give the model from the app (.mom or .momd) or from its sources (.xcdatamodeld).")
    }
    return loaded
  }

  /// Reads a model to show, as ``load(from:version:environment:)`` does; for a store or an archive
  /// without its own model, the model is inferred.
  ///
  /// - Throws: as ``load(from:version:environment:)``, but not for lack of a model.
  package static func loadOrInfer(
    from path: String, version: String? = nil, environment: WorkEnvironment = WorkEnvironment()
  ) throws -> LoadedModel {
    let loaded = try read(path, version, environment)
    let (count, limits) = (loaded.model.propertyCount, environment.limits)
    guard count <= limits.properties else {
      var error = CofferError.exceeding(
        .properties, of: limits, path: path, "the model has \(count) properties, more")
      error.code = .modelLimit
      throw error
    }
    return loaded
  }

  private static func read(
    _ path: String, _ version: String?, _ environment: WorkEnvironment
  ) throws -> LoadedModel {
    if FileSync.isFolder(path) { return try model(inFolder: path, version) }
    if let version { throw noVersions(path, version) }
    switch try SourceKind(ofFileAt: path) {
    case .archive, .changes:
      let documents = try OpenArchive(path: path, environment: environment).documents
      return LoadedModel(
        documents.model, versionHashes: documents.versionHashes,
        frameworkVersion: documents.manifest.frameworkVersion, sourceKind: .archive, place: path)
    case .store:
      guard try FileSignature.isDatabase(fileAt: path) else { return try model(inFile: path) }
      return try model(inStore: path)
    }
  }

  private static func model(
    inFolder path: String, _ version: String?
  ) throws(CofferError) -> LoadedModel {
    guard let bundle = try ModelBundle(path: path) else {
      if let version { throw noVersions(path, version) }
      return LoadedModel(try ModelFile.model(at: path), place: path)
    }
    let chosen = try bundle.version(version)
    return LoadedModel(
      try ModelFile.model(at: chosen.path),
      versionHashes: bundle.versionHashes[Name(chosen.name)] ?? [:],
      versionName: chosen.name, place: chosen.path)
  }

  private static func noVersions(_ path: String, _ version: String) -> CofferError {
    CofferError(
      .notAModel, path: path, detail: "it is a single model, without a version \(version)",
      advice: "Give the folder with all versions (.momd or .xcdatamodeld), or omit the version.")
  }

  /// The version hashes of a compiled version are in its folder.
  private static func model(inFile path: String) throws(CofferError) -> LoadedModel {
    let model = try ModelFile.model(at: path)
    let bundle = try? ModelBundle(path: StorePaths.folder(of: path))
    let name = bundle?.versions.first { StorePaths.name(of: $0.path) == StorePaths.name(of: path) }
    return LoadedModel(
      model, versionHashes: name.flatMap { bundle?.versionHashes[Name($0.name)] } ?? [:],
      place: path)
  }

  private static func model(inStore path: String) throws -> LoadedModel {
    let store = try PersistentStore(readingFrom: path)
    if let problem = store.modelProblem { throw problem.located(at: path) }
    return LoadedModel(
      store.model, versionHashes: store.metadata.modelVersionHashes,
      frameworkVersion: store.frameworkVersion, sourceKind: .store, place: path)
  }
}

extension ModelLoader {
  /// Reads the model of a model file, a store or an archive.
  ///
  /// A model file is a compiled model (`.mom`), a source (`.xcdatamodel`), or one version in a folder
  /// of versions (`.momd`, `.xcdatamodeld`). The kind is recognized by content, not by name.
  ///
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - version: the version in a folder of several; nil for the current one, or if there is only
  ///     one model.
  ///   - environment: how to read an archive.
  /// - Returns: the model.
  /// - Throws: `CofferError` with `not-a-model` for a file of another kind, for a missing version,
  ///   and for a store or an archive without a model; with `damaged-model` or `model-limit`; with
  ///   other codes if the file cannot be read at all.
  public static func model(
    from path: String, version: String? = nil, environment: WorkEnvironment = WorkEnvironment()
  ) async throws -> ManagedObjectModel {
    try await BackgroundWork.run {
      try model(from: path, version: version, environment: environment)
    }
  }

  /// Reads a model like `model(from:version:environment:)`, with its version hashes from the
  /// folder of compiled versions, the store or the archive.
  ///
  /// - Throws: the same errors as `model(from:version:environment:)`.
  public static func load(
    from path: String, version: String? = nil, environment: WorkEnvironment = WorkEnvironment()
  ) async throws -> LoadedModel {
    try await BackgroundWork.run {
      try load(from: path, version: version, environment: environment)
    }
  }
}
