internal import CoreDataModel

/// The entries of an archive that is being written, for its index.
struct EntryList {
  /// The entries so far.
  private(set) var entries: [ArchiveIndex.Entry] = []
  /// The plain size of the entries so far.
  private(set) var plainByteCount = 0
  private var names: Set<Name> = []
  private let path: String

  init(path: String) { self.path = path }

  var last: Int { entries.count - 1 }

  /// Lists an entry.
  ///
  /// - Throws: `invalid-entry-name` for a name that cannot be one or was used before, `archive-limit`.
  mutating func list(
    _ name: String, _ size: Int, _ attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    func invalid(_ detail: String) -> CofferError {
      CofferError(.invalidEntryName, path: path, entry: name, detail: detail)
    }
    if let problem = EntryName.problem(with: name) { throw invalid(problem) }
    if name == EntryName.index { throw invalid("the name is reserved") }
    guard names.insert(Name(name)).inserted else {
      throw invalid("an entry with this name already exists")
    }
    let most = ArchiveLimits.standard.entryCount
    guard entries.count < most, size <= ArchiveLimits.fileSize else {
      throw CofferError(
        .archiveLimit, path: path, entry: name,
        detail: "there are too many entries, or an entry is too large")
    }
    plainByteCount += size
    entries.append(
      ArchiveIndex.Entry(
        name: name, offset: 0, compressedSize: 0, size: size,
        digest: ArchiveDigest(allWords: [0, 0, 0, 0]),
        attributes: attributes))
  }

  /// Records a member of an entry; the first one determines where the entry begins.
  mutating func note(_ member: WrittenMember, of number: Int) {
    if entries[number].compressedSize == 0 { entries[number].offset = member.offset }
    entries[number].compressedSize += member.size
  }

  mutating func end(_ digest: ArchiveDigest) { entries[last].digest = digest }

  func index() -> ArchiveIndex {
    guard let index = ArchiveIndex(entries: entries) else {
      preconditionFailure("two entries have the same name")
    }
    return index
  }

  /// The bytes of the index in the archive; throws `archive-limit` for an index that no reader would accept.
  func encoded(_ index: ArchiveIndex) throws(CofferError) -> ContiguousArray<UInt8> {
    let json = index.encoded
    guard json.count <= ArchiveLimits.standard.indexSize else {
      throw CofferError(
        .archiveLimit, path: path, entry: EntryName.index, detail: "the index is too large")
    }
    return json
  }
}
