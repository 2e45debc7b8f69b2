package import CoreDataModel
internal import DataCompression

/// Reads an archive strictly forward, so that it may come through a pipe.
///
/// Everything is checked on the way, whether the content is read or skipped: the members, the
/// tar, and finally the index, which must list exactly these entries with their sizes and digests.
/// The archive is known to be intact only after ``next()`` returned nil.
///
/// An archive that was unpacked and packed again with standard tools is read completely first, and
/// its entries come in the order of its index.
///
///     let reader = try ArchiveReader(.descriptor(0))
///     while let entry = try reader.next() {
///       if entry.name == "manifest.json" { manifest = try reader.readWhole() }
///     }
///
/// After an error every further call throws it again.
///
/// If the options collect problems, a contradictory archive is read to its end, and ``problems``
/// lists what is wrong. Every entry is returned, including unlisted and repeated ones; in a
/// repacked archive these come last. If reading cannot continue, that is still an error: a broken
/// member or tar, a truncated archive, a limit, a newer format.
///
/// If the options salvage the archive, all of it is read when it is opened, ``salvage`` says what
/// is lost, and only intact entries are returned.
package final class ArchiveReader {
  /// Whether the archive was packed again with stock tools.
  package let isRepacked: Bool
  /// Whether the archive is encrypted.
  package let isEncrypted: Bool
  /// The index, once ``next()`` returned nil; of a repacked archive from the beginning.
  ///
  /// If problems are collected, this is the list in index.json, right or wrong, with the first
  /// record of each name; nil if it is unreadable. Its root digest is computed from the records.
  package var index: ArchiveIndex? { source.index }
  /// The first 10,000 problems that were found, in this order; complete once ``next()`` returned nil.
  package var problems: [ArchiveProblem] { log.problems }
  /// The count of all problems that were found so far.
  package var problemCount: Int { log.count }
  /// The losses in a salvaged archive; nil if the options do not salvage.
  package let salvage: SalvageReport?

  /// The limits of the archive.
  package var limits: ArchiveLimits { log.limits }

  /// The plain size of the entries so far.
  package private(set) var plainByteCount = 0

  private let source: any EntrySource
  private let log: ProblemLog
  private var current: EntryCursor?
  private var isAtEnd = false
  private var failure: CofferError?

  /// Opens an archive.
  ///
  /// - Throws: `not-an-archive`, `truncated-archive` for an empty file, `not-found`, `read-failed`; for
  ///   a repacked archive everything that ``next()`` throws; for an encrypted one `encrypted-archive`,
  ///   `no-matching-identity`, `wrong-passphrase`, `unsupported-encryption`, `damaged-encryption`,
  ///   `truncated-encryption`; the last two may also be thrown later.
  package init(
    _ source: ArchiveSource, options: ArchiveReaderOptions = ArchiveReaderOptions()
  ) throws(CofferError) {
    let file = try OpenFile(source)
    let sealed = ArchiveInput(file)
    let input = try sealed.decrypted(with: options.identities)
    isEncrypted = input !== sealed
    log = ProblemLog(path: file.path, collects: options.collectsProblems, limits: options.limits)
    if options.salvages {
      let beginning = try input.peek(MemberFormat.headerSize)
      isRepacked = try SalvageScan.repacked(beginning, path: file.path) != nil
      var isFile = false
      var own: ArchiveFile?
      // Bytes that were decrypted in order are not decrypted twice, unless they follow damage.
      if case .file(let path) = source {
        isFile = !isEncrypted && file.size != nil
        own = isEncrypted ? try? ArchiveFile(path: path, options: options) : nil
      }
      let entries = try SalvagedEntries(
        input, isFile: isFile, options: options,
        own: own.map { own in (own.index, own.intactEntry) })
      self.source = entries
      salvage = entries.report
      return
    }
    salvage = nil
    let kind = try ArchiveKind(of: try input.peek(ForeignFile.prefixSize), path: file.path)
    switch kind {
    case .original:
      isRepacked = false
      self.source = MemberEntries(
        MemberReader(
          input, threads: options.threads, ahead: options.membersAhead, limits: options.limits), log
      )
    case .repacked(let format):
      isRepacked = true
      let spool = try ArchiveSpool(input, format, folder: options.temporaryFolder, log)
      self.source = try SpoolEntries(spool, log)
    }
  }

  /// Advances to the next entry; the rest of the current one is skipped and checked.
  ///
  /// - Returns: nil when the whole archive was read without errors other than ``problems``.
  /// - Throws: `truncated-archive`, `damaged-archive`, `newer-format`, `archive-limit`, `read-failed`.
  package func next() throws(CofferError) -> ArchiveEntryHeader? {
    try attempt { () throws(CofferError) in
      try finishCurrent()
      if isAtEnd { return nil }
      guard let entry = try source.next() else {
        isAtEnd = true
        return nil
      }
      current = entry
      // A hostile archive can state any sizes.
      plainByteCount = plainByteCount.addingReportingOverflow(max(0, entry.size)).partialValue
      return ArchiveEntryHeader(name: entry.name, size: entry.size, isDuplicate: entry.isDuplicate)
    }
  }

  /// Reads the next bytes of the entry.
  ///
  /// - Parameter target: the buffer to fill, not empty.
  /// - Returns: the count of bytes, 0 only at the end of the entry.
  /// - Throws: as ``next()``.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    try attempt { () throws(CofferError) in
      guard let current else { return 0 }
      return try unsafe current.consume(atMost: target.count) { unsafe target.copyMemory(from: $0) }
    }
  }

  /// Reads the rest of the entry.
  ///
  /// - Returns: the bytes; none at the end of the entry and before the first one.
  /// - Throws: as ``next()``; `archive-limit` for an entry with more bytes.
  package func readWhole(
    limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray<UInt8>()
    try readWhole(into: &bytes, limit: limit)
    return bytes
  }

  /// Reads the rest of the entry into a reusable buffer.
  ///
  /// - Parameters:
  ///   - bytes: replaced by the entry's bytes; its memory is kept.
  ///   - limit: the limit on the number of bytes.
  /// - Throws: as ``next()``; `archive-limit` for an entry with more bytes.
  package func readWhole(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) {
    bytes.removeAll(keepingCapacity: true)
    try attempt { () throws(CofferError) in
      try current?.readWhole(into: &bytes, limit: limit, of: log.limits, path: log.path)
    }
  }

  /// Reads the whole entry into a reusable buffer, without computing its digest where that can wait.
  ///
  /// Another thread may compute it. Otherwise the call of ``next()`` that returns nil does.
  ///
  /// - Parameters:
  ///   - bytes: replaced by the entry's bytes; its memory is kept.
  ///   - limit: the limit on the number of bytes.
  /// - Returns: the digest; nil if it is known already.
  /// - Throws: as ``next()``; `archive-limit` for an entry with more bytes.
  package func readUnhashed(
    into bytes: inout ContiguousArray<UInt8>, limit: ArchiveLimits.Name = .partSize
  ) throws(CofferError) -> PendingDigest? {
    try attempt { () throws(CofferError) in
      guard let current else {
        bytes.removeAll(keepingCapacity: true)
        return nil
      }
      return try current.readUnhashed(into: &bytes, limit: limit, of: log.limits, path: log.path)
    }
  }

  /// Checks that the entry may be read into memory, for callers that read it in pieces.
  ///
  /// - Throws: `archive-limit` for an entry with more bytes.
  package func requireWithin(_ limit: ArchiveLimits.Name) throws(CofferError) {
    try attempt { () throws(CofferError) in
      try current?.requireWithin(limit, of: log.limits, path: log.path)
    }
  }

  /// The entry in its compressed form, to be copied; nil unless the reader salvages and reads the
  /// entry from members in a file.
  package func compressedEntry() throws(CofferError) -> CompressedEntry? {
    try (source as? SalvagedEntries)?.compressed()
  }

  /// Skips and checks the rest of the entry.
  package func skip() throws(CofferError) {
    try attempt { () throws(CofferError) in try finishCurrent() }
  }

  private func attempt<Result>(
    _ step: () throws(CofferError) -> Result
  ) throws(CofferError) -> Result {
    if let failure { throw failure }
    do {
      return try step()
    } catch {
      failure = error
      throw error
    }
  }

  private func finishCurrent() throws(CofferError) {
    guard let entry = current else { return }
    current = nil
    try source.take(try entry.finish(), entry.pending)
  }
}
