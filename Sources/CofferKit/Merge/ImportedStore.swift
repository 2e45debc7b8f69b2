internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// A store, or one that is made of an archive for the time of a merge.
final class ImportedStore {
  /// The open store.
  let store: PersistentStore
  private let folder: OwnedFolder?

  private static let prefix = "coffer-merge-"

  /// Opens a store; restores an archive to a temporary folder first.
  ///
  /// - Parameters:
  ///   - path: the store or the archive.
  ///   - access: how the archive is read.
  ///   - progress: receives the progress of an import.
  /// - Throws: the errors of opening a store and of ``StoreImporter``.
  init(_ path: String, _ access: ArchiveAccess, progress: any ProgressReporter) throws {
    guard try SourceKind(ofFileAt: path) != .store else {
      folder = nil
      store = try PersistentStore.opened(path, .inPlace)
      return
    }
    let parent = access.temporaryFolder ?? FileNames.temporaryFolder
    Leftovers.removeFolders(in: parent) { OwnedName.matches($0, prefix: Self.prefix) }
    let folder: OwnedFolder
    do {
      folder = try OwnedFolder(in: parent, prefix: Self.prefix)
    } catch {
      throw CofferError(
        .temporaryStorageFailed, path: parent, detail: error.text, advice: .chooseTemporaryFolder)
    }
    do {
      var importer = StoreImporter(progress: progress)
      importer.options.archiveAccess = access
      // Not the folder itself, whose lock an import would wait for.
      let inner = folder.path + "/restored"
      guard unsafe mkdir(inner, 0o700) == 0 else {
        throw CofferError(
          .temporaryStorageFailed, path: inner, detail: SystemError.last.text,
          advice: .chooseTemporaryFolder)
      }
      let copy = inner + "/store.sqlite"
      try importer.import(path, to: copy)
      store = try PersistentStore.opened(copy, .inPlace)
    } catch {
      folder.remove()
      throw error
    }
    self.folder = folder
  }

  deinit {
    store.close()
    folder?.remove()
  }
}
