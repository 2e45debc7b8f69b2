internal import CoreDataLayout
public import CoreDataModel
internal import CoreDataStore

/// Reads managed object models from wherever they are.
///
/// ```swift
/// var options = VerificationOptions()
/// options.model = try ModelLoader.model(from: "Trips.momd")
/// ```
public enum ModelLoader {
  /// Reads the model of a model file (`.mom`), of a source (`.xcdatamodel`), of one version in a
  /// folder of them (`.momd`, `.xcdatamodeld`), of a store, or of an archive; what it is tells the
  /// content, not the name.
  ///
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - version: the version in a folder of several; nil for the current one, or where there is only one
  ///     model.
  ///   - archiveAccess: how an archive is read.
  /// - Returns: the model.
  /// - Throws: `CofferError`: `not-a-model` for a file of another kind, for a version that is not
  ///   there, and for a store or an archive that has no model of its own; `damaged-model`,
  ///   `model-limit`. `CofferError` for what cannot be read at all.
  public static func model(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) throws -> ManagedObjectModel {
    try load(from: path, version: version, archiveAccess: archiveAccess).model
  }

  /// Reads a model as `model(from:version:archiveAccess:)` does, and whatever stands beside it: the
  /// version hashes in the folder of compiled versions, in the store or the archive.
  ///
  /// - Throws: as `model(from:version:archiveAccess:)`.
  public static func load(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) throws -> LoadedModel {
    let loaded = try loadOrInfer(from: path, version: version, archiveAccess: archiveAccess)
    guard loaded.model.source != .inferred else {
      throw CofferError(
        .notAModel, path: path, detail: "it has no copy of its model",
        advice: "Give the model from the app (.mom or .momd) or from its sources (.xcdatamodeld).")
    }
    return loaded
  }

  /// Reads a model to be shown, as ``load(from:version:archiveAccess:)`` does; the model of a store or
  /// an archive that has none of its own is inferred.
  ///
  /// - Throws: as ``load(from:version:archiveAccess:)``, but not for lack of a model.
  package static func loadOrInfer(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) throws -> LoadedModel {
    if FileSync.isFolder(path) { return try model(inFolder: path, version) }
    if let version { throw noVersions(path, version) }
    switch try SourceKind(ofFileAt: path) {
    case .archive:
      let documents = try OpenArchive(path: path, access: archiveAccess).documents
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
      try ModelFile.model(at: chosen.path), versionHashes: bundle.versionHashes[chosen.name] ?? [:],
      versionName: chosen.name, place: chosen.path)
  }

  private static func noVersions(_ path: String, _ version: String) -> CofferError {
    CofferError(
      .notAModel, path: path, detail: "it is one model and has no version \(version)",
      advice: "Give the folder of all versions (.momd or .xcdatamodeld), or leave the version out.")
  }

  /// A compiled version has its hashes in the folder that it stands in.
  private static func model(inFile path: String) throws(CofferError) -> LoadedModel {
    let model = try ModelFile.model(at: path)
    let bundle = try? ModelBundle(path: StorePaths.folder(of: path))
    let name = bundle?.versions.first { StorePaths.name(of: $0.path) == StorePaths.name(of: path) }
    return LoadedModel(
      model, versionHashes: name.flatMap { bundle?.versionHashes[$0.name] } ?? [:], place: path)
  }

  private static func model(inStore path: String) throws -> LoadedModel {
    let store = try PersistentStore(readingFrom: path)
    if let problem = store.modelProblem { throw problem.located(at: path) }
    return LoadedModel(
      store.model, versionHashes: store.metadata.modelVersionHashes,
      frameworkVersion: store.frameworkVersion, sourceKind: .store, place: path)
  }
}
