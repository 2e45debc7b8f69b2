internal import CoreDataModel

/// The handling of contradictions: the first one is an error, or all of them are recorded.
final class ProblemLog {
  /// The maximum number of recorded problems; the others are only counted.
  static let limit = 10_000

  /// The path for errors.
  let path: String
  /// Whether problems are noted.
  let collects: Bool
  /// The limits of the archive.
  let limits: ArchiveLimits
  /// The first problems, in the order in which they were found.
  private(set) var problems: [ArchiveProblem] = []
  /// The count of all problems.
  private(set) var count = 0

  init(path: String, collects: Bool, limits: ArchiveLimits) {
    self.path = path
    self.collects = collects
    self.limits = limits
  }

  /// Notes a problem.
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
