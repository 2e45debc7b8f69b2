internal import CoreDataModel

/// The handling of contradictions: the first one is an error, or all of them are recorded.
final class ProblemLog {
  /// The maximum number of recorded problems; the others are only counted.
  static let limit = 10_000

  /// The path for errors.
  let path: String
  /// Whether problems are noted.
  let collects: Bool
  let limits: ArchiveLimits
  /// The first problems, in the order in which they were found.
  private(set) var problems: [ArchiveProblem] = []
  private(set) var count = 0

  init(path: String, collects: Bool, limits: ArchiveLimits) {
    self.path = path
    self.collects = collects
    self.limits = limits
  }

  /// Records a problem.
  ///
  /// - Throws: the same as `damaged-archive` where problems are not collected.
  func note(
    _ kind: ArchiveProblem.Kind, entry: String? = nil, offset: Int? = nil, _ detail: String
  ) throws(CofferError) {
    guard collects else {
      throw CofferError(.damagedArchive, path: path, entry: entry, offset: offset, detail: detail)
    }
    count += 1
    guard problems.count < Self.limit else { return }
    problems.append(ArchiveProblem(kind: kind, entry: entry, offset: offset, detail: detail))
  }
}

/// A contradiction in an archive after which it can still be read on.
package struct ArchiveProblem: Sendable, Equatable {
  /// The kinds of contradictions.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The content of an entry does not have the digest of the index.
    case digestMismatch
    /// The root digest does not match the records in the index.
    case rootDigestMismatch
    /// The content digest does not match the records in the index.
    case contentDigestMismatch
    /// The index says another size or place of an entry, or lists one twice that came once.
    case indexMismatch
    /// The index lists an entry that did not come, or index.json itself did not come.
    case missingEntry
    /// An entry came that the index does not list.
    case unlistedEntry
    /// An entry has the name of an earlier one.
    case duplicateEntry
    /// An entry is out of the order of the index, or index.json is not the last entry.
    case misplacedEntry
    /// index.json came and is no index, so nothing could be compared with it.
    case unreadableIndex
    /// The footer names another place for index.json than its own.
    case footerMismatch
  }

  /// The kind.
  package var kind: Kind
  /// The entry's name, which keeps the rules of names; nil for the footer.
  package var entry: String?
  /// The offset in the archive's file; nil for a missing entry and in a repacked archive.
  package var offset: Int?
  /// A description, for people.
  package var detail: String
}
