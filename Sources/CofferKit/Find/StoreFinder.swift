public import CoreDataStore
internal import Foundation

/// Finds the stores below a folder by their content, whatever their names.
///
/// ```swift
/// try StoreFinder().find(in: "Downloads/Trips.xcappdata") { store in print(store.path) }
/// ```
///
/// Links are not followed, but for the path itself. The folders of external binary data are passed
/// over: what is in them belongs to a store that is found beside them.
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
  /// - Throws: ``StoreError`` with `not-found` where nothing is at the path, `not-readable` where it
  ///   cannot be listed; `CancellationError`.
  @discardableResult
  public func find(
    in path: String, found: (FoundStore) throws -> Void
  ) throws -> FindSummary {
    var summary = FindSummary()
    switch kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) {
    case nil: throw StoreError(.notFound, place: path, detail: "there is nothing")
    case .typeDirectory?: try search(path, depth: 0, &summary, found)
    default: try look(at: path, &summary, found)
    }
    return summary
  }

  /// What a path names, links not followed; nil where there is nothing.
  private func kind(of path: String) -> FileAttributeType? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }

  private func search(
    _ folder: String, depth: Int, _ summary: inout FindSummary,
    _ found: (FoundStore) throws -> Void
  ) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      if depth == 0 {
        throw StoreError(
          .notReadable, place: folder, detail: "it cannot be listed",
          hint: "Look at the permissions of the folder.")
      }
      summary.unreadableFolders.append(folder)
      return
    }
    for name in names {
      try Task<Never, Never>.checkCancellation()
      if let fileLimit, summary.fileCount >= fileLimit { return }
      let path = StorePaths.join(folder, name)
      switch kind(of: path) {
      case .typeDirectory? where name == StorePaths.externalDataFolderName: continue
      case .typeDirectory? where depth < Self.greatestDepth:
        try search(path, depth: depth + 1, &summary, found)
      case .typeDirectory?: summary.unreadableFolders.append(path)
      case .typeRegular?: try look(at: path, &summary, found)
      default: continue
      }
    }
  }

  private func look(
    at path: String, _ summary: inout FindSummary, _ found: (FoundStore) throws -> Void
  ) throws {
    summary.fileCount += 1
    progress.report(WorkProgress(phase: "files", completed: summary.fileCount, total: nil))
    guard (try? FileBeginning.isDatabase(fileAt: path)) == true, let store = store(at: path) else {
      return
    }
    summary.storeCount += 1
    try found(store)
  }

  /// What is to be told of a database; nil where Core Data did not make it.
  private func store(at path: String) -> FoundStore? {
    let files = StoreSize(of: path)
    var result = FoundStore(
      path: path, byteCount: files.byteCount, modified: files.modified, entityNames: [],
      estimatedObjectCount: 0)
    do throws(StoreError) {
      let store = try PersistentStore.opened(path, access)
      result.storeUUID = store.uuid
      result.frameworkVersion = store.frameworkVersion
      result.frameworkEra = store.metadata.era?.description
      result.entityNames = store.model.entities.map(\.name)
      result.estimatedObjectCount = store.estimatedObjectCount
      store.close()
    } catch {
      if error.code == .notCoreData || error.code == .notSQLite { return nil }
      result.problem = "\(error.title): \(error.detail)"
    }
    return result
  }
}
