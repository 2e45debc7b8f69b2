internal import CoreDataModel

/// The entries of an archive in its original form, read strictly forward; the index is the last.
final class MemberEntries: EntrySource {
  private(set) var index: ArchiveIndex?

  private let members: MemberReader
  private let log: ProblemLog
  private var found = PackedEntries()
  /// The digests that others compute, with their places.
  private var pending: [(place: Int, digest: PendingDigest)] = []
  private var names: Set<NameMark> = []
  private var count = 0
  private var total = 0
  private var json: ContiguousArray<UInt8>?
  /// Where index.json begins; more than one only in an archive that has it more than once.
  private var indexOffsets: [Int] = []
  private var goesOnBehindIndex = false

  init(_ members: MemberReader, _ log: ProblemLog) {
    self.members = members
    self.log = log
  }

  func next() throws(CofferError) -> EntryCursor? {
    while let entry = try EntryCursor.next(in: members) {
      try admit(entry)
      if entry.name != EntryName.index { return entry }
      try readIndex(entry)
    }
    try finish()
    return nil
  }

  func take(_ entry: ArchiveIndex.Entry, _ digest: PendingDigest?) {
    // Nearly all are known a few entries later: what waits does not grow with the archive.
    while let first = pending.first, let known = first.digest.known {
      found.setDigest(known, at: first.place)
      pending.removeFirst()
    }
    let place = found.append(entry)
    if let digest { pending.append((place, digest)) }
  }

  /// Records an entry that is repeated or after the index, and refuses one that is too many.
  private func admit(_ entry: EntryCursor) throws(CofferError) {
    if !names.insert(NameMark(entry.name)).inserted {
      entry.isDuplicate = true
      try log.note(.duplicateEntry, entry: entry.name, offset: entry.offset, "it occurs twice")
    }
    count += 1
    if let limit = log.limits.exceeded(byEntries: count - 1, before: entry.offset) {
      throw exceeding(limit, entry, "it has \(count - 1) entries, more")
    }
    guard entry.size <= log.limits.totalSize - total else {
      throw exceeding(.totalSize, entry, "it has more bytes")
    }
    total += entry.size
    guard let place = indexOffsets.first, entry.name != EntryName.index, !goesOnBehindIndex
    else { return }
    goesOnBehindIndex = true
    try log.note(.misplacedEntry, entry: EntryName.index, offset: place, "it is not the last entry")
  }

  private func exceeding(
    _ limit: ArchiveLimits.Name, _ entry: EntryCursor, _ detail: String
  ) -> CofferError {
    .exceeding(
      limit, of: log.limits, path: log.path, entry: entry.name, offset: entry.offset, detail)
  }

  private func readIndex(_ entry: EntryCursor) throws(CofferError) {
    indexOffsets.append(entry.offset)
    if json == nil {
      var content = ContiguousArray<UInt8>()
      if let limit = log.limits.exceeded(byIndex: entry.size, at: entry.offset) {
        throw exceeding(limit, entry, "it has \(entry.size) bytes, more")
      }
      try entry.readWhole(into: &content, limit: .indexSize, of: log.limits, path: log.path)
      json = content
    }
    _ = try entry.finish(trailing: 2 * TarHeader.blockSize)
    guard !log.collects, try members.advance() else { return }
    throw members.damaged("there is an entry after index.json")
  }

  /// Reads the index and the footer, and compares the index with the entries that were read.
  private func finish() throws(CofferError) {
    names = []
    for (place, digest) in pending { found.setDigest(digest.value, at: place) }
    pending = []
    guard let json = json.take(), let offset = indexOffsets.first else {
      guard log.collects else { throw members.damaged("the footer comes before index.json") }
      return try log.note(.missingEntry, entry: EntryName.index, "the archive has no index")
    }
    if !indexOffsets.contains(where: { members.footer == UInt64($0) }) {
      try log.note(
        .footerMismatch, offset: members.endOffset,
        "the footer gives another offset for index.json")
    }
    guard !log.collects else { return try noteContradictions(json, at: offset) }
    let index: ArchiveIndex
    do {
      index = try ArchiveIndex.decode(json, limits: log.limits)
    } catch {
      throw error.located(at: log.path, offset: offset)
    }
    try compare(index)
    self.index = index
  }

  private func noteContradictions(
    _ json: consuming ContiguousArray<UInt8>, at offset: Int
  ) throws(CofferError) {
    guard let listing = try IndexListing.read(json, at: offset, log) else { return }
    index = listing.index
    // Nearly always, which shows without a list of all entries in memory.
    if listing.entries.count == found.count,
      zip(listing.entries, found).allSatisfy({ $0.hasSameContent(as: $1) })
    {
      return
    }
    try IndexComparison(
      listed: listing.entries, found: Array(found), hasPlaces: true, log: log
    ).run()
  }

  /// Checks that the index lists exactly the entries that were read.
  private func compare(_ index: ArchiveIndex) throws(CofferError) {
    for (listed, found) in zip(index.entries, found) where !listed.hasSameContent(as: found) {
      if listed.name == found.name, listed.digest != found.digest {
        throw CofferError.digestMismatch(found.name, path: log.path)
      }
      throw CofferError(
        .damagedArchive, path: log.path, entry: found.name, offset: found.offset,
        detail: "its name, offset or size differs from the index")
    }
    guard index.entries.count == found.count else {
      throw CofferError(
        .damagedArchive, path: log.path, entry: EntryName.index,
        detail: "it lists \(index.entries.count) entries; the archive has \(found.count)")
    }
  }
}

/// A number of 128 bits that no other name in the archive has, except by a chance of less than 2⁻⁸⁰.
///
/// Thousands of names take several times as much memory, and ``PackedEntries`` has them already.
private struct NameMark: Hashable {
  private let first, second: Int

  init(_ name: String) {
    let name = Name(name)
    var hasher = Hasher()
    hasher.combine(name)
    first = hasher.finalize()
    hasher = Hasher()
    hasher.combine(first)
    hasher.combine(name)
    second = hasher.finalize()
  }
}

/// The entries of an archive, one after another, and the results at the end.
protocol EntrySource: AnyObject {
  /// The index; nil until it has been read, and if it is unreadable.
  var index: ArchiveIndex? { get }

  /// Advances to the next entry. The previous one must have been read completely.
  ///
  /// - Returns: nil when all came and were compared with the index; it is not asked again then.
  func next() throws(CofferError) -> EntryCursor?

  /// Processes an entry whose content was read.
  ///
  /// If the digest was not computed while the entry was read, it is pending, and the one in the properties is
  /// meaningless.
  func take(_ entry: ArchiveIndex.Entry, _ pending: PendingDigest?) throws(CofferError)
}
