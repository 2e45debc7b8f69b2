package import CoreDataModel

/// The content of one entry of an ``ArchiveFile``, read in pieces.
///
/// The digest is checked when the end is reached; until then the bytes are only known to be what their gzip members say.
package final class ArchiveEntryStream {
  /// What the index says about the entry.
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
  /// - Parameter room: where they go; not empty.
  /// - Returns: the count of bytes, 0 only at the end, where the digest is checked.
  /// - Throws: `damaged-archive`, `truncated-archive`, `read-failed`.
  package func read(into room: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    let count = try unsafe cursor.consume(atMost: room.count) { unsafe room.copyMemory(from: $0) }
    if count == 0 { try check() }
    return count
  }

  /// Reads what is left and checks the digest.
  ///
  /// - Parameters:
  ///   - bytes: where the bytes are appended.
  ///   - limit: which limit says how many bytes are read at most.
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
