internal import CoreDataModel

/// The handling of contradictions: the first one is an error, or all of them are recorded.
final class ProblemLog {
  /// The maximum number of recorded problems; the others are only counted.
  static let limit = 10_000

  let path: String
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

  /// Records a problem; throws the problem as `damaged-archive`, unless problems are collected.
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

/// A contradiction in an archive that does not prevent reading on.
package struct ArchiveProblem: Sendable, Equatable {
  /// The kinds of contradictions.
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The content of an entry does not match its digest in the index.
    case digestMismatch
    /// The root digest does not match the records in the index.
    case rootDigestMismatch
    /// The content digest does not match the records in the index.
    case contentDigestMismatch
    /// The index gives another size or place of an entry, or lists an entry twice that occurs once.
    case indexMismatch
    /// The index lists a missing entry, or index.json itself is missing.
    case missingEntry
    /// The index does not list an existing entry.
    case unlistedEntry
    case duplicateEntry
    /// An entry is out of the order of the index, or index.json is not the last entry.
    case misplacedEntry
    /// index.json is not an index, so nothing could be compared with it.
    case unreadableIndex
    /// The footer gives a wrong place for index.json.
    case footerMismatch
  }

  /// The kind.
  package var kind: Kind
  /// The entry's name, which is a valid name; nil for the footer.
  package var entry: String?
  /// The offset in the archive's file; nil for a missing entry and in a repacked archive.
  package var offset: Int?
  /// A description, for people.
  package var detail: String
}
