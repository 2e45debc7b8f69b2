internal import CoreDataArchive
public import CoreDataModel
internal import CoreDataStore
internal import Foundation

/// Reads managed object models from wherever they are.
///
/// ```swift
/// var options = VerificationOptions()
/// options.model = try ModelLoader.model(from: "Trips.momd")
/// ```
public enum ModelLoader {
  /// Reads the model of a compiled model file (`.mom`), of the current version in a folder of them
  /// (`.momd`), of a store, or of an archive; what it is tells the content, not the name.
  ///
  /// - Throws: `ModelError`: `not-a-model` for a file of another kind, and for a store or an archive
  ///   that has no model of its own; `damaged-model`, `model-limit`. `StoreError` and `ArchiveError`
  ///   for what cannot be read at all.
  public static func model(
    from path: String, archiveAccess: ArchiveAccess = ArchiveAccess()
  ) throws -> ManagedObjectModel {
    if let file = try currentVersion(inFolder: path) { return try compiledModel(file) }
    let model: ManagedObjectModel
    switch try SourceKind(ofFileAt: path) {
    case .archive: model = try OpenArchive(path: path, access: archiveAccess).documents.model
    case .store:
      guard try isDatabase(path) else { return try compiledModel(path) }
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
        hint: "Give the compiled model (.mom) from the app.")
    }
    return model
  }

  private static func isDatabase(_ path: String) throws(StoreError) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    return try FileBeginning.bytes(ofFileAt: path, count: magic.count) == magic
  }

  private static func compiledModel(_ path: String) throws -> ManagedObjectModel {
    do throws(ModelError) {
      return try ModelCacheReader.read(archive: try bytes(path), source: .file)
    } catch {
      var error = error
      error.place = path
      if error.code == .notAModel {
        error.hint = "Give a compiled model (.mom or .momd), a store or an archive."
      }
      throw error
    }
  }

  // MARK: Folders of versions

  /// The file of the current version in a folder of compiled models; nil where the path is none.
  private static func currentVersion(inFolder path: String) throws(ModelError) -> String? {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    else { return nil }
    let information = StorePaths.join(path, "VersionInfo.plist")
    guard
      let name = try PropertyListValue.parse(try bytes(information))[
        "NSManagedObjectModel_CurrentVersionName"]?.stringValue,
      !name.utf8.contains(UInt8(ascii: "/"))
    else {
      throw ModelError(
        .notAModel, place: path, detail: "its VersionInfo.plist names no current version")
    }
    return StorePaths.join(path, name + ".mom")
  }

  /// The bytes of a file that is no store.
  private static func bytes(_ path: String) throws(ModelError) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw ModelError(.notAModel, place: path, detail: "there is no file that can be read")
    }
    defer { try? file.close() }
    // A byte more than may be, so that a larger file is refused for its size.
    let limit = ModelCacheReader.maximumArchiveSize + 1
    guard let data = try? file.read(upToCount: limit) else {
      throw ModelError(.notAModel, place: path, detail: "it is empty, or cannot be read")
    }
    return Array(data)
  }
}
