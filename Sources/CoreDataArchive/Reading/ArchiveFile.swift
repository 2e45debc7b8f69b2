package import CoreDataModel
internal import DataCompression

/// An archive in a file, to read single entries without the rest.
///
/// Opening reads only the footer and the index. An entry is checked against the index when it is
/// read; the others stay unchecked. A repacked archive is unpacked completely when it is opened.
/// The first contradiction is an error, even if the options collect problems.
///
/// Entries may be read from several threads at once.
package final class ArchiveFile: Sendable {
  /// The table of contents.
  package let index: ArchiveIndex
  /// Whether the archive was packed again with stock tools.
  package var isRepacked: Bool { spool != nil }
  /// Whether the archive is encrypted.
  package let isEncrypted: Bool

  private let file: OpenFile
  private let spool: ArchiveSpool?
  private let threads: Int
  /// The limits of the archive.
  package let limits: ArchiveLimits

  /// Opens an archive.
  ///
  /// - Throws: `not-found`, `read-failed` (also for anything but a regular file),
  ///   `not-an-archive`, `truncated-archive`, `damaged-archive`, `newer-format`, `archive-limit`;
  ///   `encrypted-archive` and the other errors of encrypted archives.
  package init(
    path: String, options: ArchiveReaderOptions = ArchiveReaderOptions()
  ) throws(CofferError) {
    let source = try OpenFile(.file(path: path))
    threads = options.threads
    limits = options.limits
    guard let sourceSize = source.size else {
      throw CofferError(
        .readFailed, path: path, detail: "it is not a regular file",
        advice: "Give the path of an archive file.")
    }
    file = try source.decrypted(size: sourceSize, with: options.identities)
    isEncrypted = file !== source
    let size = file.size ?? sourceSize
    let input = ArchiveInput(file, range: 0..<size)
    switch try ArchiveKind(of: try input.peek(ForeignFile.prefixSize), path: path) {
    case .repacked(let format):
      let log = ProblemLog(path: path, collects: false, limits: limits)
      let spool = try ArchiveSpool(input, format, folder: options.temporaryFolder, log)
      self.spool = spool
      index = try spool.checkedIndex()
    case .original(let format):
      spool = nil
      index = try Self.readIndex(of: file, format, size: size, limits)
    }
  }

  /// Reads a complete entry and checks its digest.
  ///
  /// - Throws: `missing-entry`, `damaged-archive`, `truncated-archive`, `read-failed`; `archive-limit` for an
  ///   entry with more bytes than the limit.
  package func read(
    _ name: String, limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) -> ContiguousArray<UInt8> {
    let stream = try open(name)
    var bytes = ContiguousArray<UInt8>()
    try stream.readWhole(into: &bytes, limit: limit)
    return bytes
  }

  /// Opens an entry to be read in pieces.
  package func open(_ name: String) throws(CofferError) -> ArchiveEntryStream {
    guard let entry = index[name] else {
      throw CofferError(.missingEntry, path: file.path, entry: name, detail: "")
    }
    if let spool {
      guard let item = spool[name] else {
        preconditionFailure("the spool lacks an entry of its index")
      }
      return ArchiveEntryStream(EntryCursor(spool, item), entry, path: file.path, limits: limits)
    }
    let input = ArchiveInput(file, range: entry.offset..<entry.offset + entry.compressedSize)
    // A single member needs no extra thread.
    let threads = entry.size > ArchiveLimits.blockSize ? threads : 0
    // Few entries have more than two members.
    let members = MemberReader(input, threads: threads, ahead: 1, limits: limits)
    guard let cursor = try EntryCursor.next(in: members), cursor.name == name,
      cursor.size == entry.size
    else {
      throw CofferError(
        .damagedArchive, path: file.path, entry: name, offset: entry.offset,
        detail: "the offset in the index leads to another entry")
    }
    return ArchiveEntryStream(cursor, entry, path: file.path, limits: limits)
  }

  /// An entry in its compressed form, to be copied; nil in a repacked archive.
  ///
  /// Nothing of its content is checked: read the entry for that.
  package func compressed(_ name: String) throws(CofferError) -> CompressedEntry? {
    guard spool == nil else { return nil }
    guard let entry = index[name] else {
      throw CofferError(.missingEntry, path: file.path, entry: name, detail: "")
    }
    return try CompressedEntry(entry, of: file, limits)
  }

  /// An entry of an archive with damage in other places; nil if its content does not match the index.
  func intactEntry(_ name: String) -> SalvagedEntry? {
    guard spool == nil, let entry = index[name], let stream = try? open(name) else { return nil }
    var piece = ContiguousArray<UInt8>(repeating: 0, count: 1 << 18)
    while true {
      let count = try? unsafe piece.withMutableBytes { bytes throws(CofferError) in
        try unsafe stream.read(into: bytes)
      }
      guard let count else { return nil }
      if count == 0 { break }
    }
    return SalvagedEntry(
      entry: entry, place: .archive(file, entry.offset..<entry.offset + entry.compressedSize),
      isOnePiece: entry.size <= ArchiveLimits.blockSize)
  }

  private static func readIndex(
    of file: OpenFile, _ format: MemberFormat, size: Int, _ limits: ArchiveLimits
  ) throws(CofferError) -> ArchiveIndex {
    let footerStart = size - format.footerSize
    let footer = try ArchiveInput(file, range: max(0, footerStart)..<size)
      .peek(min(size, format.footerSize))
    guard let stated = unsafe footer.withBytes({ unsafe format.indexOffset(ofFooter: $0) })
    else {
      if footer.starts(with: format.signature) {
        throw CofferError(
          .damagedArchive, path: file.path, offset: footerStart, detail: "the footer is invalid")
      }
      throw CofferError(
        .truncatedArchive, path: file.path, offset: size, detail: "it does not end with a footer",
        advice: "The archive was not written or copied completely. Create it again.")
    }
    guard let start = Int(exactly: stated), start < footerStart else {
      throw CofferError(
        .damagedArchive, path: file.path, offset: footerStart,
        detail: "the footer gives an offset for index.json that does not exist")
    }
    let input = ArchiveInput(file, range: start..<footerStart)
    let members = MemberReader(input, threads: 0, limits: limits)
    guard let entry = try EntryCursor.next(in: members), entry.name == EntryName.index else {
      throw members.damaged("index.json is not where the footer says")
    }
    var json = ContiguousArray<UInt8>()
    if let limit = limits.exceeded(byIndex: entry.size, at: start) {
      throw CofferError.exceeding(
        limit, of: limits, path: file.path, entry: EntryName.index, offset: start,
        "it has \(entry.size) bytes, more")
    }
    try entry.readWhole(into: &json, limit: .indexSize, of: limits, path: file.path)
    _ = try entry.finish(trailing: 2 * TarHeader.blockSize)
    guard input.isAtEnd, try !members.advance() else {
      throw members.damaged("there is data between index.json and the footer")
    }
    do {
      let index = try ArchiveIndex.decode(json, limits: limits)
      try checkPlaces(index, end: start)
      try checkSize(index, before: start, limits)
      return index
    } catch {
      throw error.located(at: file.path, offset: start)
    }
  }

  /// Checks that there are no more entries, and that they are no larger together, than in an archive
  /// of that size.
  private static func checkSize(
    _ index: ArchiveIndex, before end: Int, _ limits: ArchiveLimits
  ) throws(CofferError) {
    if let limit = limits.exceeded(byEntries: index.entries.count, before: end) {
      throw .exceeding(limit, of: limits, "it has \(index.entries.count) entries, more")
    }
    var left = limits.totalSize
    for entry in index.entries {
      guard entry.size <= left else {
        throw .exceeding(.totalSize, of: limits, entry: entry.name, "it has more bytes")
      }
      left -= entry.size
    }
  }

  /// Checks that the entries follow each other without gaps from the start of the file to the
  /// index.
  private static func checkPlaces(_ index: ArchiveIndex, end: Int) throws(CofferError) {
    var next = 0
    for entry in index.entries {
      guard entry.offset == next, entry.compressedSize <= end - next else {
        throw CofferError(
          .damagedArchive, entry: entry.name,
          detail: "the index gives this entry an impossible offset")
      }
      next += entry.compressedSize
    }
    guard next == end else {
      throw CofferError(
        .damagedArchive, entry: EntryName.index,
        detail: "there is data between the last entry and the index")
    }
  }
}

/// The content of one entry of an ``ArchiveFile``, read in pieces.
///
/// The digest is checked at the end; until then, only the members are verified.
package final class ArchiveEntryStream {
  /// The properties of the entry in the index.
  package let entry: ArchiveIndex.Entry
  private let cursor: EntryCursor
  private let path: String
  private let limits: ArchiveLimits
  private var isChecked = false

  init(_ cursor: EntryCursor, _ entry: ArchiveIndex.Entry, path: String, limits: ArchiveLimits) {
    self.cursor = cursor
    self.entry = entry
    self.path = path
    self.limits = limits
  }

  /// Reads the next bytes.
  ///
  /// - Parameter target: the buffer to fill, not empty.
  /// - Returns: the number of bytes; 0 only at the end, after the digest was checked.
  /// - Throws: `damaged-archive`, `truncated-archive`, `read-failed`.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    let count = try unsafe cursor.consume(atMost: target.count) {
      unsafe target.copyMemory(from: $0)
    }
    if count == 0 { try check() }
    return count
  }

  /// Reads the rest and checks the digest.
  ///
  /// - Throws: as ``read(into:)``; `archive-limit` for more bytes than the limit.
  package func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) {
    try cursor.readWhole(into: &bytes, limit: limit, of: limits, path: path)
    try check()
  }

  /// Reads the whole content into new memory, without a copy on the way, and checks the digest.
  ///
  /// - Parameter allocate: makes memory of the given size, and returns it; more is never needed.
  /// - Throws: as ``readWhole(into:limit:)`` with the limit of a part.
  package func readWhole(
    allocating allocate: (Int) -> UnsafeMutableRawBufferPointer
  ) throws(CofferError) {
    try cursor.requireWithin(.partSize, of: limits, path: path)
    var rest = unsafe allocate(entry.size)
    while unsafe !rest.isEmpty {
      let count = try unsafe read(into: rest)
      unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
      if count == 0 { break }
    }
    try check()
  }

  private func check() throws(CofferError) {
    guard !isChecked else { return }
    let found = try cursor.finish()
    guard found.digest == entry.digest else {
      throw CofferError(
        .damagedArchive, path: path, entry: entry.name, offset: cursor.offset,
        detail: "its content does not match its digest in the index")
    }
    isChecked = true
  }
}
