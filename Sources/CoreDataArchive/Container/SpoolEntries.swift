internal import CoreDataModel

/// The entries of a repacked archive in the order of its index, followed by unlisted ones.
final class SpoolEntries: EntrySource {
  let index: ArchiveIndex?

  private let spool: ArchiveSpool
  private let log: ProblemLog
  /// The records, where problems are collected and there is an index.
  private let listed: [ArchiveIndex.Entry]?
  private var items: IndexingIterator<[ArchiveSpool.Item]>
  private var found: [ArchiveIndex.Entry] = []

  /// - Throws: the defect of the index; if problems are not collected, also contradictions that do
  ///   not require reading the contents.
  init(_ spool: ArchiveSpool, _ log: ProblemLog) throws(CofferError) {
    self.spool = spool
    self.log = log
    guard log.collects else {
      let index = try spool.checkedIndex()
      self.index = index
      listed = nil
      items = index.entries.compactMap { spool[$0.name] }.makeIterator()
      return
    }
    let listing = try IndexListing.read(try spool.indexContent(), at: nil, log)
    index = listing?.index
    listed = listing?.entries
    let expected = listing?.index.entries.compactMap { spool[$0.name] } ?? []
    let others = spool.items.filter { $0.isDuplicate || listing?.index[$0.name] == nil }
    items = (expected + others).makeIterator()
  }

  func next() throws(CofferError) -> EntryCursor? {
    if let item = items.next() { return EntryCursor(spool, item) }
    if let listed {
      try IndexComparison(listed: listed, found: found, hasPlaces: false, log: log).run()
    }
    return nil
  }

  func take(_ entry: ArchiveIndex.Entry, _ pending: PendingDigest?) throws(CofferError) {
    var entry = entry
    if let pending { entry.digest = pending.value }
    guard log.collects else {
      guard index?[entry.name]?.digest == entry.digest else {
        throw CofferError.digestMismatch(entry.name, path: log.path)
      }
      return
    }
    found.append(entry)
  }
}
