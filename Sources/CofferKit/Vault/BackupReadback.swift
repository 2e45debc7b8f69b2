internal import BackupPlaces
internal import CoreDataModel
internal import POSIX

extension Vault {
  /// Checks that a file that was just written is read as what was written.
  ///
  /// In a folder everything is compared; from a service, which checks what it is sent, the end.
  ///
  /// - Parameters:
  ///   - backup: the backup.
  ///   - path: the local file that was written.
  /// - Throws: ``CofferError`` with `write-failed`; what the place reports.
  func requireReadable(_ backup: Backup, _ path: String) throws {
    let descriptor: Int32
    do {
      descriptor = try FileBytes.openRegular(path)
    } catch {
      throw CofferError(.temporaryStorageFailed, path: path, error)
    }
    defer { FileIO.close(descriptor) }
    let (size, piece) = (backup.byteCount, 1 << 20)
    var offset = place.localPath(of: backup.fileName) == nil ? max(0, size - piece) : 0
    while offset < size {
      try Task<Never, Never>.checkCancellation()
      let count = min(piece, size - offset)
      let written = try place.read(
        backup.fileName, range: UInt64(offset)..<UInt64(offset + count))
      guard try written == FileBytes.read(descriptor, at: offset, count: count) else {
        throw unreadable(backup, "it is read as something else than was written")
      }
      offset += count
    }
  }

  /// Checks that a backup that was just written is listed: success is not reported of one that nobody finds.
  ///
  /// - Throws: ``CofferError`` with `write-failed`.
  func requireListed(_ backup: Backup, _ listing: VaultListing) throws(CofferError) {
    guard
      listing.files(of: backup.series).contains(where: {
        $0.fileName == backup.fileName && $0.byteCount == backup.byteCount
      })
    else {
      throw unreadable(
        backup, "it was written, but the vault does not list it: a folder above it may be a link")
    }
  }

  private func unreadable(_ backup: Backup, _ detail: String) -> CofferError {
    CofferError(
      .writeFailed, path: place.address, item: backup.fileName, detail: detail,
      advice: "Check the vault, and put a folder where a link is.")
  }
}
