internal import CoreDataArchive
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
  ///   - version: the version in a folder of several; nil for the current one. It has no meaning
  ///     where there is only one model.
  ///   - archiveAccess: how an archive is read.
  /// - Returns: the model.
  /// - Throws: `ModelError`: `not-a-model` for a file of another kind, for a version that is not
  ///   there, and for a store or an archive that has no model of its own; `damaged-model`,
  ///   `model-limit`. `StoreError` and `ArchiveError` for what cannot be read at all.
  public static func model(
    from path: String, version: String? = nil, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) throws -> ManagedObjectModel {
    if ModelFile.isFolder(path) {
      if let bundle = try ModelBundle(path: path) { return try bundle.model(version: version) }
      return try ModelFile.model(at: path)
    }
    let model: ManagedObjectModel
    switch try SourceKind(ofFileAt: path) {
    case .archive: model = try OpenArchive(path: path, access: archiveAccess).documents.model
    case .store:
      guard try isDatabase(path) else { return try ModelFile.model(at: path) }
      let store = try PersistentStore(readingFrom: path)
      if var problem = store.modelProblem {
        problem.place = path
        throw problem
      }
      model = store.model
    }
    guard model.source != .inferred else {
      throw ModelError(
        .notAModel, place: path, detail: "it has no copy of its model",
        hint: "Give the model from the app (.mom or .momd) or from its sources (.xcdatamodeld).")
    }
    return model
  }

  private static func isDatabase(_ path: String) throws(StoreError) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    return try FileBeginning.bytes(ofFileAt: path, count: magic.count) == magic
  }
}
