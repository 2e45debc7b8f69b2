package import CoreDataModel
internal import POSIX

/// A private temporary folder, removed with this object; folders of killed processes are removed when
/// one is created.
package final class WorkFolder: Sendable {
  /// The purpose of a folder, which is a part of its name.
  package enum Purpose: String, Sendable, CaseIterable {
    /// Files of a vault on their way.
    case backup
    /// The SQLite store of an XML store.
    case conversion
    /// Files of invented objects.
    case fixture
    /// A store that is made for the time of a merge.
    case merge
    /// The store of an archive that queries ask.
    case query
    /// A share on its way to an archive or to tables.
    case share
  }

  private let folder: OwnedFolder

  /// Makes a folder in another one, or nil for the system's temporary folder; throws `temporary-storage-failed`.
  package init(for purpose: Purpose, in parent: String?) throws(CofferError) {
    let parent = parent ?? FileNames.temporaryFolder
    let prefix = Self.prefix(purpose)
    Leftovers.removeFolders(in: parent, prefix: prefix)
    do {
      folder = try OwnedFolder(in: parent, prefix: prefix)
    } catch {
      throw CofferError(
        .temporaryStorageFailed, path: parent, detail: error.text, advice: .chooseTemporaryFolder)
    }
  }

  deinit { folder.remove() }

  /// The beginning of the names of such folders.
  private static func prefix(_ purpose: Purpose) -> String { "coffer-\(purpose.rawValue)-" }

  /// The error; if a file in such a folder could not be written, the error about the folder around it, because
  /// nobody knows the names of the files.
  package static func explaining(_ error: any Error) -> any Error {
    guard let error = error as? CofferError,
      [.writeFailed, .temporaryStorageFailed].contains(error.code)
    else { return error }
    let names = error.place.path.split(separator: "/", omittingEmptySubsequences: false)
    let place = names.firstIndex { name in
      Purpose.allCases.contains { name.hasPrefix(prefix($0)) }
    }
    guard let place, place > 0 else { return error }
    let parent = names[..<place].joined(separator: "/")
    return CofferError(
      .temporaryStorageFailed, path: parent.isEmpty ? "/" : parent, detail: error.detail,
      advice: .chooseTemporaryFolder, evidence: error.evidence)
  }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  /// Makes a folder in the folder, for work that would otherwise wait for the lock of the folder itself.
  ///
  /// - Returns: its path.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  package func makeFolder(_ name: String) throws(CofferError) -> String {
    guard unsafe mkdir(path(name), 0o700) == 0 else { throw failure(name, .last) }
    return path(name)
  }

  /// Makes a file in the folder.
  ///
  /// - Returns: its descriptor, for reading and writing, which the caller closes.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`.
  package func create(_ name: String) throws(CofferError) -> Int32 {
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
  package func write(_ bytes: [UInt8], to name: String) throws(CofferError) -> String {
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

/// A store in its own folder, which is removed with this object.
package final class TemporaryStore: Sendable {
  /// The path of the store.
  package let path: String
  private let folder: WorkFolder

  /// Makes a store.
  ///
  /// - Throws: ``CofferError`` with `temporary-storage-failed`; errors from the closure.
  package init(for purpose: WorkFolder.Purpose, in parent: String?, _ make: (String) throws -> Void)
    throws
  {
    folder = try WorkFolder(for: purpose, in: parent)
    // Not the folder itself, whose lock an import would wait for.
    path = try folder.makeFolder("restored") + "/store.sqlite"
    try make(path)
  }
}
