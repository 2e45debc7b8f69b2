public import CoreDataArchive

/// How archives are read, whatever is done with them.
public struct ArchiveAccess: Sendable, Equatable {
  /// The folder in which the content of a repacked archive is kept while it is read; nil for the
  /// system's folder for temporary files.
  public var temporaryFolder: String?
  /// What an archive may hold at most.
  public var limits = ArchiveLimits.standard

  /// What encrypted archives are opened with, tried in this order; archives that are not encrypted need
  /// none and take no notice of them.
  public var identities: [ArchiveIdentity] = []

  /// Creates the default.
  public init() {}

  /// The options for the container.
  ///
  /// - Parameter collectsProblems: whether contradictions are noted rather than thrown.
  /// - Returns: the options.
  func readerOptions(collectsProblems: Bool = false) -> ArchiveReaderOptions {
    var options = ArchiveReaderOptions(
      collectsProblems: collectsProblems, identities: identities, limits: limits)
    if let temporaryFolder { options.temporaryFolder = temporaryFolder }
    return options
  }
}
