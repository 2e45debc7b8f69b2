internal import CoreDataModel
public import CoreDataStore
internal import Foundation

/// Finds the stores below a folder by their content, whatever their names.
///
/// ```swift
/// try StoreFinder().find(in: "Downloads/Trips.xcappdata") { store in print(store.path) }
/// ```
///
/// In a backup of an iPhone or iPad, where files have numbers for names, the list of the backup tells
/// what they were called. Links are not followed, but for the path itself. The folders of external
/// binary data are passed over: what is in them belongs to a store that is found beside them.
public struct StoreFinder: Sendable {
  /// How a store is read while it is looked into.
  public var access: StoreAccess
  /// Who is told how far the work is.
  public var progress: any ProgressReporter
  /// After how many files the search ends; nil for never.
  public var fileLimit: Int?

  /// How many folders deep is looked.
  private static let greatestDepth = 64

  /// Creates a finder; the default access is safe in any app.
  public init(access: StoreAccess = .copy, progress: any ProgressReporter = SilentProgress()) {
    self.access = access
    self.progress = progress
  }

  /// Searches a folder and all below it, or looks at a single file.
  ///
  /// - Parameters:
  ///   - path: the folder, or the file.
  ///   - found: is given each store as it is found, in ascending order of paths; what it throws ends
  ///     the search.
  /// - Returns: what was looked at.
  /// - Throws: ``CofferError`` with `not-found` where nothing is at the path, `read-failed` where it
  ///   cannot be listed; `CancellationError`.
  @discardableResult
  public func find(
    in path: String, found: (FoundStore) throws -> Void
  ) throws -> FindSummary {
    var summary = FindSummary()
    switch kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) {
    case nil: throw CofferError(.notFound, path: path, detail: "there is nothing")
    case .typeDirectory?: try search(Folder(path: path), &summary, found)
    default: try look(at: path, nil, &summary, found)
    }
    return summary
  }

  /// What a path names, links not followed; nil where there is nothing.
  private func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }

  /// A folder that is searched.
  private struct Folder {
    var path: String
    var depth = 0
    /// The list of the backup that it belongs to.
    var manifest: BackupManifest?

    func folder(at path: String) -> Folder {
      Folder(path: path, depth: depth + 1, manifest: manifest)
    }
  }

  private func search(
    _ folder: Folder, _ summary: inout FindSummary, _ found: (FoundStore) throws -> Void
  ) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    } catch {
      if folder.depth == 0 {
        throw CofferError(
          .readFailed, path: folder.path, detail: "it cannot be listed",
          advice: "Look at the permissions of the folder.")
      }
      summary.unreadableFolders.append(folder.path)
      return
    }
    var folder = folder
    if names.contains(BackupManifest.fileName) {
      folder.manifest = BackupManifest(folder: folder.path) ?? folder.manifest
    }
    for name in names {
      try Task<Never, Never>.checkCancellation()
      if let fileLimit, summary.fileCount >= fileLimit { return }
      let path = StorePaths.join(folder.path, name)
      switch kind(of: path) {
      case .typeDirectory? where name == StorePaths.externalDataFolderName: continue
      case .typeDirectory? where folder.depth < Self.greatestDepth:
        try search(folder.folder(at: path), &summary, found)
      case .typeDirectory?: summary.unreadableFolders.append(path)
      case .typeRegular?: try look(at: path, folder.manifest, &summary, found)
      default: continue
      }
    }
  }

  private func look(
    at path: String, _ manifest: BackupManifest?, _ summary: inout FindSummary,
    _ found: (FoundStore) throws -> Void
  ) throws {
    summary.fileCount += 1
    progress.report(WorkProgress(.files, completed: summary.fileCount))
    guard (try? FileSignature.isDatabase(fileAt: path)) == true, var store = store(at: path) else {
      return
    }
    store.devicePath = manifest?.place(ofFileNamed: StorePaths.name(of: path))
    summary.storeCount += 1
    try found(store)
  }

  /// What is to be told of a database; nil where Core Data did not make it.
  private func store(at path: String) -> FoundStore? {
    let files = StoreSize(of: path)
    var result = FoundStore(
      path: path, byteCount: files.byteCount, modified: files.modified, entityNames: [],
      objectCount: 0)
    do throws(CofferError) {
      let store = try PersistentStore.opened(path, access)
      result.storeUUID = store.uuid
      result.frameworkVersion = store.frameworkVersion
      result.frameworkEra = store.metadata.era?.description
      result.entityNames = store.model.entities.map(\.name)
      result.objectCount = try Self.objectCount(of: store)
      result.byteCount = store.byteCount + files.externalByteCount
      store.close()
    } catch {
      if error.code == .notCoreData || error.code == .notSQLite { return nil }
      result.problem = "\(error.code.title): \(error.detail)"
    }
    return result
  }

  private static func objectCount(of store: PersistentStore) throws(CofferError) -> Int {
    try store.use { database throws(CofferError) in
      let counter = RowCounter(database)
      var count = 0
      for table in store.layout.entityTables { count += try counter.rows(of: table.tableName) }
      return count
    }
  }
}
