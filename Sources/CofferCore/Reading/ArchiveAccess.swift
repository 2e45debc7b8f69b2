public import CoreDataArchive

/// Options for reading archives.
public struct ArchiveAccess: Sendable, Equatable {
  /// The folder for the unpacked content of a repacked archive while it is read; nil for the
  /// system's temporary folder.
  public var temporaryFolder: String?
  /// The limits of the archive.
  public var limits = ArchiveLimits.standard

  /// The identities that open encrypted archives, in the order to try.
  ///
  /// They are ignored for archives that are not encrypted.
  public var identities: [ArchiveIdentity] = []

  /// Creates the default options.
  public init() {}

  /// The options for the container.
  ///
  /// - Parameter collectsProblems: whether to record contradictions instead of throwing them.
  /// - Returns: the options.
  package func readerOptions(collectsProblems: Bool = false) -> ArchiveReaderOptions {
    var options = ArchiveReaderOptions(
      collectsProblems: collectsProblems, identities: identities, limits: limits)
    if let temporaryFolder { options.temporaryFolder = temporaryFolder }
    return options
  }

  /// The number of objects in an archive file according to its index, for estimates; nil if no one
  /// needs it or it is unknown.
  ///
  /// Damage is reported when the archive is read.
  func objectCount(in source: ArchiveSource, for progress: any ProgressReporter) -> Int? {
    // This opens the index, which needs the passphrase of an encrypted archive.
    guard !(progress is SilentProgress), case .file(let path) = source,
      let file = try? ArchiveFile(path: path, options: readerOptions())
    else { return nil }
    return file.index.entries.reduce(0) { total, entry in
      entry.attributes.objects.reduce(total) { $0 &+ max(0, $1.count) }
    }
  }
}
