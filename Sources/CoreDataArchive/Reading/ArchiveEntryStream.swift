package import CoreDataModel

/// The content of one entry of an ``ArchiveFile``, read in pieces.
///
/// The digest is checked at the end; until then, only the gzip members are verified.
package final class ArchiveEntryStream {
  /// The properties of the entry in the index.
  package let entry: ArchiveIndex.Entry
  private let cursor: EntryCursor
  private let path: String
  private let limits: ArchiveLimits
  private var isChecked = false

  init(
    _ cursor: EntryCursor, _ entry: ArchiveIndex.Entry, path: String, limits: ArchiveLimits
  ) {
    self.cursor = cursor
    self.entry = entry
    self.path = path
    self.limits = limits
  }

  /// Reads the next bytes.
  ///
  /// - Parameter room: the buffer to fill, not empty.
  /// - Returns: the number of bytes; 0 only at the end, after the digest was checked.
  /// - Throws: `damaged-archive`, `truncated-archive`, `read-failed`.
  package func read(into room: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    let count = try unsafe cursor.consume(atMost: room.count) { unsafe room.copyMemory(from: $0) }
    if count == 0 { try check() }
    return count
  }

  /// Reads the rest and checks the digest.
  ///
  /// - Parameters:
  ///   - bytes: the buffer to append to.
  ///   - limit: the limit on the number of bytes.
  /// - Throws: as ``read(into:)``; `archive-limit` for more bytes than the limit.
  package func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) {
    try cursor.readWhole(into: &bytes, limit: limit, of: limits, path: path)
    try check()
  }

  private func check() throws(CofferError) {
    guard !isChecked else { return }
    let found = try cursor.finish()
    guard found.digest == entry.digest else {
      throw CofferError(
        .damagedArchive, path: path, entry: entry.name, offset: cursor.offset,
        detail: "its content does not have the digest of the index")
    }
    isChecked = true
  }
}
