internal import CoreDataModel

/// The list in an index.json that may contradict itself.
struct IndexListing {
  /// All records in their order, those of a doubled name too.
  let entries: [ArchiveIndex.Entry]
  /// The index of the first record of each name.
  let index: ArchiveIndex

  /// Reads the content of index.json, and records the defects of the index itself.
  ///
  /// - Parameters:
  ///   - json: the content.
  ///   - offset: where index.json begins in the archive's file; nil in a repacked archive.
  ///   - log: collects problems.
  /// - Returns: nil if the content is not an index.
  /// - Throws: `newer-format` and `archive-limit`, after which nothing is known.
  static func read(
    _ json: consuming ContiguousArray<UInt8>, at offset: Int?, _ log: ProblemLog
  ) throws(CofferError) -> IndexListing? {
    let content: ArchiveIndex.Content
    do {
      content = try ArchiveIndex.content(of: json, limits: log.limits)
    } catch {
      guard error.code == .damagedArchive else { throw error.located(at: log.path, offset: offset) }
      try log.note(.unreadableIndex, entry: EntryName.index, offset: offset, error.detail)
      return nil
    }
    var names: Set<ExactString> = []
    var first = content.entries
    if !content.entries.allSatisfy({ names.insert(ExactString($0.name)).inserted }) {
      names.removeAll()
      first = content.entries.filter { names.insert(ExactString($0.name)).inserted }
    }
    names = []
    guard let index = ArchiveIndex(entries: first) else { return nil }
    var digests = [index.digests]
    // The format does not say whether a doubled record counts twice, so that is no second problem.
    if first.count < content.entries.count { digests.append(IndexDigests(of: content.entries)) }
    for wrong in content.wrongDigests(digests) {
      try log.note(wrong.kind, entry: EntryName.index, offset: offset, wrong.detail)
    }
    return IndexListing(entries: content.entries, index: index)
  }
}
