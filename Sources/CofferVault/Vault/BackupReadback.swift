internal import BackupPlaces
internal import CoreDataArchive
internal import CoreDataModel
internal import POSIX

extension Vault {
  /// Checks that a file that was just written reads back unchanged.
  ///
  /// In a folder everything is compared; from a service, which checks uploads itself, the end. A file that differs is
  /// removed: another command would take it for the latest backup.
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
        try? place.delete(backup.fileName)
        throw CofferError(
          .writeFailed, path: place.address, item: backup.fileName,
          detail: "it reads back differently from what was written",
          advice: "Try again. If that does not help, check the disk or the service of the vault.")
      }
      offset += count
    }
  }

  /// Identifies the file of a backup: by the time and content in its name, its size, and its end, which has a digest
  /// of everything before it.
  ///
  /// In a copy of a vault, another backup can have the same name: of the same rows with another schema.
  ///
  /// Without a path, the file in the vault is read.
  ///
  /// - Returns: nil if the end cannot be read.
  func identity(of backup: Backup, at path: String? = nil) -> String? {
    let count = min(max(0, backup.byteCount), 4096)
    let offset = backup.byteCount - count
    func end() throws -> [UInt8] {
      guard let path else {
        return try place.read(backup.fileName, range: UInt64(offset)..<UInt64(offset + count))
      }
      let descriptor = try FileBytes.openRegular(path)
      defer { FileIO.close(descriptor) }
      return try FileBytes.read(descriptor, at: offset, count: count)
    }
    guard let end = try? end() else { return nil }
    var hasher = ContentHasher()
    unsafe end.withUnsafeBytes { unsafe hasher.update($0) }
    return "\(backup.name.stem) \(backup.byteCount) \(hasher.digest.hex)"
  }

  /// Checks that a backup that was just written is listed, before success is reported.
  func requireListed(_ backup: Backup, _ listing: VaultListing) throws(CofferError) {
    guard
      listing.files(of: backup.series).contains(where: {
        $0.fileName == backup.fileName && $0.byteCount == backup.byteCount
      })
    else { throw unlisted(backup.fileName) }
  }

  /// The error for a file that exists but is not listed.
  func unlisted(_ file: String) -> CofferError {
    CofferError(
      .writeFailed, path: place.address, item: file,
      detail: "the vault does not list it: it is a link, or a folder above it is one",
      advice: "Check the vault, and put a folder or a file where a link is.")
  }
}
