internal import CoreDataModel
internal import POSIX

/// A private temporary folder, removed with this object; those of killed processes go when one is made.
final class WorkFolder: Sendable {
  private let folder: OwnedFolder
  private static let prefix = "coffer-backup-"

  /// Makes a folder.
  ///
  /// - Parameter parent: where to make it; nil for the system's temporary folder.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  init(in parent: String?) throws(CofferError) {
    let parent = parent ?? FileNames.temporaryFolder
    Leftovers.removeFolders(in: parent) { OwnedName.matches($0, prefix: Self.prefix) }
    do {
      folder = try OwnedFolder(in: parent, prefix: Self.prefix)
    } catch {
      throw CofferError(
        .temporaryStorageFailed, path: parent, detail: error.text, advice: .chooseTemporaryFolder)
    }
  }

  deinit { folder.remove() }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Makes a file in the folder.
  ///
  /// - Returns: its descriptor, for reading and writing, which the caller closes.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  func create(_ name: String) throws(CofferError) -> Int32 {
    do throws(SystemError) {
      return try FileIO.create(path(name), mode: 0o600)
    } catch {
      throw failure(name, error)
    }
  }

  /// Writes a small file.
  ///
  /// - Returns: its path.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  func write(_ bytes: [UInt8], to name: String) throws(CofferError) -> String {
    let descriptor = try create(name)
    defer { FileIO.close(descriptor) }
    do throws(SystemError) {
      try FileBytes.write(bytes, to: descriptor)
    } catch {
      throw failure(name, error)
    }
    return path(name)
  }

  private func failure(_ name: String, _ error: SystemError) -> CofferError {
    CofferError(
      .temporaryStorageFailed, path: path(name), detail: error.text,
      advice: .chooseTemporaryFolder)
  }
}
