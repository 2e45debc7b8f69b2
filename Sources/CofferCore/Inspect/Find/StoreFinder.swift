internal import CoreDataModel
internal import CoreDataStore
public import Foundation
internal import POSIX

/// Finds stores in a folder by their content, whatever their names.
///
/// ```swift
/// try await StoreFinder().find(in: "Downloads/Trips.xcappdata") { store in print(store.path) }
/// ```
///
/// In a backup of an iPhone or iPad, where files have hashes as names, the backup's list provides
/// the original names. Links are not followed, except for the path itself. Folders of external
/// binary data are skipped, because they belong to a store next to them.
public struct StoreFinder: Sendable {
  /// How stores are read.
  public var environment: WorkEnvironment
  /// Receives the progress.
  public var progress: any ProgressReporter
  /// The number of files after which the search ends; nil for no limit.
  public var fileLimit: Int?

  /// The maximum depth of folders.
  private static let maxDepth = 64

  /// Creates a finder; the default environment is safe in any app.
  public init(
    environment: WorkEnvironment = WorkEnvironment(),
    progress: any ProgressReporter = SilentProgress()
  ) {
    self.environment = environment
    self.progress = progress
  }

  /// Searches a folder and its subfolders on the caller's thread.
  @discardableResult
  package func find(in path: String, onStore: (FoundStore) throws -> Void) throws -> FindSummary {
    var summary = FindSummary()
    switch kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) {
    case nil:
      throw CofferError(.notFound, path: path, detail: "there is no file or folder with this name")
    case .typeDirectory?: try search(Folder(path: path), &summary, onStore)
    default: try look(at: path, nil, &summary, onStore)
    }
    return summary
  }

  /// The kind of file at a path, without following links; nil if it does not exist.
  private func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }

  /// Whether nothing has the path, which ends in a name of a list.
  ///
  /// A list has U+FFFD for bytes that are not UTF-8, and no file has such a name.
  private func isMissing(_ path: String) -> Bool {
    do throws(SystemError) {
      return try FileState.look(named: path) == nil && !path.contains("\u{FFFD}")
    } catch {
      return false
    }
  }

  private struct Folder {
    var path: String
    var depth = 0
    /// The list of its device backup.
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
          .readFailed, path: folder.path, detail: "the folder cannot be listed",
          advice: "Check the permissions of the folder.")
      }
      summary.unreadablePaths.append(folder.path)
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
      case .typeDirectory? where folder.depth < Self.maxDepth:
        try search(folder.folder(at: path), &summary, found)
      case .typeDirectory?: summary.unreadablePaths.append(path)
      case .typeRegular?: try look(at: path, folder.manifest, &summary, found)
      case nil where !isMissing(path): summary.unreadablePaths.append(path)
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
    let isDatabase = try? FileSignature.isDatabase(fileAt: path)
    if isDatabase == nil { summary.unreadablePaths.append(path) }
    guard isDatabase == true, var store = store(at: path) else { return }
    store.devicePath = manifest?.place(ofFileNamed: StorePaths.name(of: path))
    summary.storeCount += 1
    try found(store)
  }

  /// The description of a database; nil if Core Data did not create it.
  private func store(at path: String) -> FoundStore? {
    let files = StoreSize(of: path)
    var result = FoundStore(
      path: path, byteCount: files.byteCount, modified: files.modified, entityNames: [],
      objectCount: 0)
    do throws(CofferError) {
      let store = try PersistentStore.opened(path, environment.storeAccess)
      result.storeUUID = store.uuid
      result.frameworkVersion = store.frameworkVersion
      result.frameworkEra = store.metadata.era?.description
      result.entityNames = store.model.entities.map(\.name)
      result.objectCount = try store.objectCount()
      result.byteCount = store.byteCount + files.externalByteCount
      store.close()
    } catch {
      if error.code == .notCoreData || error.code == .notSQLite { return nil }
      result.problem = "\(error.code.title): \(error.detail)"
    }
    return result
  }
}

/// The result of a search.
public struct FindSummary: Sendable, Equatable {
  /// The number of stores, including stores that could not be opened.
  public internal(set) var storeCount = 0
  /// The number of files searched.
  public internal(set) var fileCount = 0
  /// The folders that could not be listed and the files that could not be read, in the order of the search.
  ///
  /// U+FFFD stands for bytes of a name that are not UTF-8.
  public internal(set) var unreadablePaths: [String] = []
}

/// A store that a search found.
public struct FoundStore: Sendable, Equatable {
  /// The path, which begins with the path of the searched folder.
  public var path: String
  /// The original place of a store in a device backup: the domain and path, such as
  /// `AppDomain-com.example.trips/Documents/Trips.sqlite`; nil elsewhere.
  public var devicePath: String?
  /// The size of the database, with its write-ahead log applied, and its external files: the sum of
  /// both sizes of an ``Inspection``.
  ///
  /// If the store could not be opened, the size of the files.
  public var byteCount: Int
  /// The time of the last change; nil if it is unknown.
  public var modified: Date?
  /// The UUID of the store; nil if it has none or could not be opened.
  public var storeUUID: String?
  /// The version of the framework that last wrote the store; nil if it is unknown.
  public var frameworkVersion: Int64?
  /// The systems with that version.
  public var frameworkEra: String?
  /// The names of the entities, in ascending order.
  public var entityNames: [Name]
  /// The number of objects; 0 if the store could not be opened.
  public var objectCount: Int
  /// The reason why the store could not be opened; nil if it could.
  public var problem: String?
}

/// The size of a store with all its files, and the time of its last change.
struct StoreSize {
  private(set) var byteCount = 0
  /// The size of the external files alone.
  private(set) var externalByteCount = 0
  /// Nil if unknown.
  private(set) var modified: Date?

  init(of path: String) {
    // The index of the log says nothing, and is written by readers.
    for companion in ["", "-wal", "-journal"] { add(path + companion) }
    let databaseByteCount = byteCount
    let store = StorePaths(store: path)
    for name in store.presentFolderNames {
      let folder = StorePaths.join(store.folder, name)
      for file in FileManager.default.subpaths(atPath: folder) ?? [] {
        add(StorePaths.join(folder, file))
      }
    }
    externalByteCount = byteCount - databaseByteCount
  }

  private mutating func add(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return }
    byteCount += (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard let date = attributes[.modificationDate] as? Date else { return }
    modified = max(modified ?? .distantPast, date)
  }
}

extension StoreFinder {
  /// Searches a folder and its subfolders, or checks a single file.
  ///
  /// - Parameters:
  ///   - path: the folder or file.
  ///   - onStore: receives each store when it is found, in ascending order of paths; an error that it
  ///     throws ends the search.
  /// - Returns: the totals of the search.
  /// - Throws: ``CofferError`` with `not-found` if the path does not exist, `read-failed` if it
  ///   cannot be listed; `CancellationError`.
  @discardableResult
  public func find(
    in path: String, onStore: @escaping @Sendable (FoundStore) throws -> Void
  ) async throws -> FindSummary {
    try await BackgroundWork.run(progress) { try find(in: path, onStore: onStore) }
  }
}
