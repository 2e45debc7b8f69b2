internal import CoreDataModel
internal import DataCompression

/// The intact entries of a damaged archive, one after another.
final class SalvagedEntries: EntrySource {
  let index: ArchiveIndex?
  let report: SalvageReport

  private let path: String
  private let threads: Int
  private let limits: ArchiveLimits
  private var entries: IndexingIterator<[SalvagedEntry]>
  private var current: SalvagedEntry?

  /// Reads an archive from beginning to end and determines the intact entries.
  ///
  /// The entries of an encrypted archive are also read behind damage, where that is possible.
  ///
  /// - Throws: `damaged-archive` and `not-an-archive` if no entry is intact, `newer-format`,
  ///   `archive-limit`, `read-failed`, `write-failed`; the same of other archives.
  init(
    _ input: ArchiveInput, isFile: Bool, options: ArchiveReaderOptions,
    own: (index: ArchiveIndex, entry: (String) -> SalvagedEntry?)?
  ) throws(CofferError) {
    path = input.file.path
    threads = options.threads
    limits = options.limits
    let scan = try SalvageScan(input, isFile: isFile, options)
    let donors = SalvageDonors(own: own, paths: options.donors) { path throws(CofferError) in
      try SalvageScan(of: path, options).found
    }
    let plan = try SalvagePlan(
      found: scan.found, broken: scan.broken, canBeUnverified: scan.canBeUnverified,
      report: scan.report, donors: donors, path: path, limits: options.limits)
    guard !plan.entries.isEmpty else {
      throw CofferError(
        scan.isArchive ? .damagedArchive : .notAnArchive, path: path,
        offset: plan.report.damages.first?.offset ?? 0, detail: "no entry is complete")
    }
    index = plan.index
    report = plan.report
    entries = plan.entries.makeIterator()
  }

  func next() throws(CofferError) -> EntryCursor? {
    current = entries.next()
    guard let current else { return nil }
    switch current.place {
    case .kept(let content, let offset):
      return EntryCursor(
        keptIn: content.file, name: current.entry.name, size: current.entry.size, offset: offset)
    case .archive(let file, let range):
      // A single member needs no extra thread.
      let members = MemberReader(
        ArchiveInput(file, range: range), threads: current.isOnePiece ? 0 : threads,
        limits: limits)
      guard let cursor = try EntryCursor.next(in: members), cursor.size == current.entry.size,
        cursor.name == current.storedName ?? current.entry.name
      else { throw changed(current.entry) }
      cursor.name = current.entry.name
      return cursor
    }
  }

  func take(_ entry: ArchiveIndex.Entry, _ pending: PendingDigest?) throws(CofferError) {
    let digest = pending?.value ?? entry.digest
    guard let current, current.entry.digest == digest else { throw changed(entry) }
  }

  /// The current entry in its compressed form; nil for one that is kept as plain bytes.
  func compressed() throws(CofferError) -> CompressedEntry? {
    guard let current, case .archive(let file, _) = current.place else { return nil }
    var entry = current.entry
    entry.name = current.storedName ?? entry.name
    return try CompressedEntry(entry, of: file, limits)
  }

  private func changed(_ entry: ArchiveIndex.Entry) -> CofferError {
    CofferError(
      .readFailed, path: path, entry: entry.name, offset: entry.offset,
      detail: "it changed while it was being read")
  }
}

/// Finds the intact entries of a damaged repacked archive.
///
/// Its compressed stream is decompressed as far as possible, and the tar in it is read from header to
/// header. After anything that is not a header, the search continues at the next place with a valid
/// header checksum.
///
/// Such a stream has a single checksum, at its end, or none. So only the digest in the index shows that an
/// entry is intact; without an index, only entries of a merely truncated stream count.
struct RepackedSalvage {
  let content: SalvagedContent
  let path: String
  private let limits: ArchiveLimits
  private(set) var report = SalvageReport()
  /// Whether the stream contradicts itself, rather than to end early.
  private(set) var isDamaged = false

  /// Decompresses the readable part.
  init(
    _ input: ArchiveInput, _ format: MemberFormat, folder: String, limits: ArchiveLimits
  ) throws(CofferError) {
    self.limits = limits
    content = try SalvagedContent(folder: folder, isSealed: input.isDecrypted)
    path = input.file.path
    var stream: StreamDecompressor
    do {
      stream = try StreamDecompressor(format, windowLimit: limits.windowSize)
    } catch {
      throw CofferError(error, .readFailed, path: path)
    }
    try decompress(input, with: &stream)
  }

  private mutating func decompress(
    _ input: ArchiveInput, with stream: inout StreamDecompressor
  ) throws(CofferError) {
    var compressed = ContiguousArray<UInt8>(repeating: 0, count: 64 << 10)
    var plain = ContiguousArray<UInt8>(repeating: 0, count: 256 << 10)
    while true {
      let count = try read(input, into: &compressed)
      if count == 0 { break }
      var start = 0
      while start < count || stream.mayHaveMore {
        let step: StreamInflater.Step? = unsafe compressed.withBytes { bytes in
          unsafe plain.withMutableBytes { target in
            try? unsafe stream.decompress(
              UnsafeRawBufferPointer(rebasing: bytes[start..<count]), into: target)
          }
        }
        guard let step else {
          isDamaged = true
          try append(plain, count: stream.producedBeforeDamage)
          return report.note(content.end, "the compressed stream is damaged")
        }
        start += step.consumed
        try append(plain, count: step.produced)
        guard
          content.end <= limits.repackedFreeSize
            || content.end / max(1, limits.repackedRatio) <= input.offset
        else {
          throw .exceeding(
            .repackedRatio, of: limits, path: path, offset: input.offset,
            "its compression ratio is higher")
        }
        if step.consumed == 0, step.produced == 0 { break }
      }
    }
    if !stream.isBetweenMembers {
      report.note(content.end, "the compressed stream is cut off")
    }
  }

  /// Reads compressed bytes; damage is noted, and the bytes before it count.
  private mutating func read(
    _ input: ArchiveInput, into compressed: inout ContiguousArray<UInt8>
  ) throws(CofferError) -> Int {
    let offset = input.offset
    do throws(CofferError) {
      return try unsafe compressed.withMutableBytes { target throws(CofferError) in
        try unsafe input.read(into: target)
      }
    } catch {
      guard error.isArchiveDamage else { throw error }
      report.note(content.end, error.detail)
      return input.offset - offset
    }
  }

  /// Adds the first plain bytes of a buffer to the content.
  private mutating func append(_ plain: ContiguousArray<UInt8>, count: Int) throws(CofferError) {
    try unsafe plain.withBytes { bytes throws(CofferError) in
      try unsafe content.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
}

/// The source of entries that a damaged archive has lost: other archives, which may be damaged too.
///
/// Digests identify the entries, so names do not matter: keys determine where parts end, and equal
/// parts have equal bytes, whatever their numbers. The other archives are read one after the other,
/// and only once something is missing.
final class SalvageDonors {
  /// The index of the damaged archive itself, if it was not found by reading forward.
  let ownIndex: ArchiveIndex?
  private let ownEntry: (String) -> SalvagedEntry?
  private var unread: ArraySlice<String>
  private let open: (String) throws(CofferError) -> [SalvagedEntry]
  private var found: [ArchiveDigest: SalvagedEntry] = [:]

  /// Prepares a search of other archives, in their order; of the damaged one, if its index and entries can be
  /// read.
  init(
    own: (index: ArchiveIndex, entry: (String) -> SalvagedEntry?)?, paths: [String],
    open: @escaping (String) throws(CofferError) -> [SalvagedEntry]
  ) {
    ownIndex = own?.index
    ownEntry = own?.entry ?? { _ in nil }
    unread = paths[...]
    self.open = open
  }

  /// The entry with the content that a record of the index states; nil if no archive has it intact.
  func entry(for record: ArchiveIndex.Entry) throws(CofferError) -> SalvagedEntry? {
    if let own = ownEntry(record.name), own.entry.digest == record.digest { return own }
    while true {
      if var entry = found[record.digest], entry.entry.size == record.size {
        entry.storedName = entry.entry.name
        entry.entry.name = record.name
        return entry
      }
      guard let path = unread.popFirst() else { return nil }
      for entry in try open(path) where found[entry.entry.digest] == nil {
        found[entry.entry.digest] = entry
      }
    }
  }
}
