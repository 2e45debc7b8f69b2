internal import CoreDataModel
internal import POSIX

/// The archive of a chain in a private folder, for whatever reads an archive.
///
/// The folder is removed with the object; if the process is killed, the next one that makes such a folder
/// removes it.
package final class TemporaryArchive {
  /// The path of the archive.
  package let path: String
  /// What was written.
  package let summary: ChainSummary
  private let folder: OwnedFolder

  private static let prefix = "coffer-chain-"

  /// Writes the archive.
  ///
  /// - Parameters:
  ///   - chain: the chain.
  ///   - parent: the folder in which the private one is made; nil for that of the system.
  /// - Throws: ``CofferError`` with `temporary-storage-failed`; the errors of
  ///   ``BackupChain/write(to:options:)``.
  package init(of chain: BackupChain, in parent: String? = nil) throws {
    let parent = parent ?? FileNames.temporaryFolder
    Leftovers.removeFolders(in: parent) { OwnedName.matches($0, prefix: Self.prefix) }
    do {
      folder = try OwnedFolder(in: parent, prefix: Self.prefix)
    } catch {
      throw CofferError(
        .temporaryStorageFailed, path: parent, detail: error.text, advice: .chooseTemporaryFolder)
    }
    path = folder.path + "/state.coffer.tar.gz"
    do {
      // It is read once or twice, and gone.
      summary = try chain.write(to: .file(path), options: ChainOptions(level: 1))
    } catch {
      folder.remove()
      throw error
    }
  }

  deinit { folder.remove() }
}
