internal import DeflateCoding

/// Reads an archive strictly forward, so that it may come through a pipe.
///
/// Everything is checked on the way, whether the content is read or skipped: the gzip members, the tar, and at
/// the end the index, which must list exactly the entries that came, with their sizes and digests. Only after
/// ``next()`` returned nil is the archive known to be whole.
///
/// An archive that was unpacked and packed again with stock tools is read as a whole first, and its entries
/// come in the order of its index.
///
///     let reader = try ArchiveReader(.descriptor(0))
///     while let entry = try reader.next() {
///       if entry.name == "manifest.json" { manifest = try reader.readWhole() }
///     }
///
/// After an error every further call throws it again.
package final class ArchiveReader {
  /// Whether the archive was packed again with stock tools.
  package let isRepacked: Bool
  /// The index, once ``next()`` returned nil; of a repacked archive from the beginning.
  package private(set) var index: ArchiveIndex?

  private enum Origin {
    case members(MemberReader)
    case spool(ArchiveSpool)
  }

  private let origin: Origin
  private let path: String
  private var current: EntryCursor?
  private var seen: [ArchiveIndex.Entry] = []
  private var names: Set<String> = []
  private var total = 0
  private var isAtEnd = false
  private var failure: ArchiveError?

  /// Opens an archive.
  ///
  /// - Throws: `not-an-archive`, `truncated-archive` for nothing at all, `no-such-file`, `read-failed`; for
  ///   a repacked archive everything that ``next()`` throws.
  package init(
    _ source: ArchiveSource, options: ArchiveReaderOptions = ArchiveReaderOptions()
  ) throws(ArchiveError) {
    let file = try OpenFile(source)
    let input = ArchiveInput(file)
    path = file.path
    let kind = try ArchiveKind(of: try input.peek(GzipMember.headerSize), path: path)
    switch kind {
    case .original:
      isRepacked = false
      origin = .members(try MemberReader(input, threads: options.threads))
    case .repacked:
      isRepacked = true
      let spool = try ArchiveSpool(input, folder: options.temporaryFolder)
      index = spool.index
      origin = .spool(spool)
    }
  }

  /// Goes on to the next entry; what is left of the one before is skipped and checked.
  ///
  /// - Returns: nil when the whole archive was read and nothing is wrong with it.
  /// - Throws: `truncated-archive`, `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`.
  package func next() throws(ArchiveError) -> ArchiveEntryHeader? {
    try attempt { () throws(ArchiveError) in
      try finishCurrent()
      if isAtEnd { return nil }
      switch origin {
      case .members(let members): current = try nextEntry(in: members)
      case .spool(let spool): current = try nextEntry(in: spool)
      }
      return current.map { ArchiveEntryHeader(name: $0.name, size: $0.size) }
    }
  }

  /// Reads the next bytes of the entry.
  ///
  /// - Parameter room: where they go; not empty.
  /// - Returns: the count of bytes, 0 only at the end of the entry.
  /// - Throws: as ``next()``.
  package func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    try attempt { () throws(ArchiveError) in
      guard let current else { return 0 }
      return try unsafe current.consume(atMost: room.count) { unsafe room.copyMemory(from: $0) }
    }
  }

  /// Reads what is left of the entry.
  ///
  /// - Parameter limit: the most bytes to read.
  /// - Returns: the bytes; none at the end of the entry and before the first.
  /// - Throws: as ``next()``; `archive-limit` for an entry with more bytes.
  package func readWhole(
    limit: Int = ArchiveLimits.inMemoryEntrySize
  ) throws(ArchiveError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    try readWhole(into: &bytes, limit: limit)
    return bytes
  }

  /// Reads what is left of the entry into a buffer that can be used again.
  ///
  /// - Parameters:
  ///   - bytes: replaced by the entry's bytes; its memory is kept.
  ///   - limit: the most bytes to read.
  /// - Throws: as ``next()``; `archive-limit` for an entry with more bytes.
  package func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: Int = ArchiveLimits.inMemoryEntrySize
  ) throws(ArchiveError) {
    bytes.removeAll(keepingCapacity: true)
    try attempt { () throws(ArchiveError) in
      try current?.readWhole(into: &bytes, limit: limit, path: path)
    }
  }

  /// Skips and checks what is left of the entry.
  ///
  /// - Throws: as ``next()``.
  package func skip() throws(ArchiveError) {
    try attempt { () throws(ArchiveError) in try finishCurrent() }
  }

  /// Whether bytes look like the beginning of an archive, original or repacked.
  ///
  /// - Parameter firstBytes: the first bytes of a file; 4 KiB are enough.
  /// - Returns: true for our gzip member, and for any gzip-compressed tar: whether it holds an archive
  ///   shows only in its entries.
  package static func isArchive(firstBytes: UnsafeRawBufferPointer) -> Bool {
    unsafe ArchiveKind.isArchive(firstBytes)
  }
}

extension ArchiveReader {
  private func attempt<Result>(
    _ step: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    if let failure { throw failure }
    do {
      return try step()
    } catch {
      failure = error
      throw error
    }
  }

  private func finishCurrent() throws(ArchiveError) {
    guard let entry = current else { return }
    current = nil
    let found = try entry.finish()
    guard isRepacked else { return seen.append(found) }
    guard index?[entry.name]?.digest == found.digest else { throw digestError(entry.name) }
  }

  private func nextEntry(in spool: ArchiveSpool) throws(ArchiveError) -> EntryCursor? {
    guard names.count < spool.index.entries.count else {
      isAtEnd = true
      return nil
    }
    let entry = spool.index.entries[names.count]
    names.insert(entry.name)
    return spool.cursor(for: entry)
  }

  private func nextEntry(in members: MemberReader) throws(ArchiveError) -> EntryCursor? {
    guard let entry = try EntryCursor.next(in: members) else {
      throw members.damaged("the footer comes before index.json")
    }
    guard names.insert(entry.name).inserted else {
      throw members.damaged("the archive has it twice", entry: entry.name)
    }
    guard names.count <= ArchiveLimits.entryCount + 1,
      entry.size <= ArchiveLimits.totalSize - total
    else {
      throw ArchiveError(
        .limit, path: path, entry: entry.name, offset: entry.offset,
        detail: "too many entries or bytes")
    }
    total += entry.size
    guard entry.name == EntryName.index else { return entry }
    try finish(with: entry, members)
    isAtEnd = true
    return nil
  }

  /// Reads the index and the footer, and compares the index with what came.
  private func finish(
    with entry: EntryCursor, _ members: MemberReader
  ) throws(ArchiveError) {
    var json = ContiguousArray<UInt8>()
    try entry.readWhole(into: &json, limit: ArchiveLimits.indexSize, path: path)
    _ = try entry.finish(trailing: 2 * TarHeader.blockSize)
    if try members.advance() { throw members.damaged("an entry follows index.json") }
    guard members.footer == UInt64(entry.offset) else {
      throw ArchiveError(
        .damaged, path: path, offset: members.endOffset,
        detail: "the footer names another place for index.json")
    }
    let index: ArchiveIndex
    do {
      index = try ArchiveIndex.decode(json)
    } catch {
      var error = error
      error.path = path
      error.offset = entry.offset
      throw error
    }
    try compare(index)
    self.index = index
  }

  private func compare(_ index: ArchiveIndex) throws(ArchiveError) {
    for (listed, found) in zip(index.entries, seen) {
      var listed = listed
      listed.attributes = ArchiveEntryAttributes()
      if listed == found { continue }
      if listed.name == found.name, listed.digest != found.digest { throw digestError(found.name) }
      throw ArchiveError(
        .damaged, path: path, entry: found.name, offset: found.offset,
        detail: "the index says something else about its name, place or size")
    }
    guard index.entries.count == seen.count else {
      throw ArchiveError(
        .damaged, path: path, entry: EntryName.index,
        detail: "it lists \(index.entries.count) entries, the archive has \(seen.count)")
    }
  }

  private func digestError(_ name: String) -> ArchiveError {
    ArchiveError(
      .damaged, path: path, entry: name, detail: "its content does not have the digest of the index"
    )
  }
}
