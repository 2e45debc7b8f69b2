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

  /// How many objects an archive in a file has by its index, for estimates; nil where nobody is told,
  /// and where it cannot be, since an archive that is damaged will be found out when it is read.
  func objectCount(in source: ArchiveSource, for progress: any ProgressReporter) -> Int? {
    // The index has to be opened for it, an encrypted one with its passphrase.
    guard !(progress is SilentProgress), case .file(let path) = source,
      let file = try? ArchiveFile(path: path, options: readerOptions())
    else { return nil }
    return file.index.entries.reduce(0) { total, entry in
      entry.attributes.objects.reduce(total) { $0 &+ max(0, $1.count) }
    }
  }
}
