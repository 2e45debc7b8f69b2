internal import POSIX

/// Where an archive is read from.
package enum ArchiveSource: Sendable, Equatable {
  /// A file.
  case file(path: String)
  /// An open descriptor, such as standard input, from where it stands; it is not closed.
  case descriptor(Int32, name: String = "standard input")
}

/// The options of reading an archive.
package struct ArchiveReaderOptions: Sendable, Equatable {
  /// How many threads inflate ahead; 0 inflates on the caller's.
  package var threads: Int
  /// The folder in which the content of a repacked archive is kept while it is read.
  package var temporaryFolder: String
  /// Whether an ``ArchiveReader`` notes contradictions and reads on; if not, the first is an error.
  package var collectsProblems: Bool
  /// Whether an ``ArchiveReader`` finds what is whole of a damaged archive.
  package var salvages: Bool
  /// What an encrypted archive is opened with, tried in this order; of no matter to others.
  package var identities: [ArchiveIdentity]
  /// What an archive may hold at most.
  package var limits: ArchiveLimits

  /// The folder for temporary files, as the environment variable `TMPDIR` says.
  package static var defaultTemporaryFolder: String { FileNames.temporaryFolder }

  /// Creates options.
  package init(
    threads: Int = 1, temporaryFolder: String = ArchiveReaderOptions.defaultTemporaryFolder,
    collectsProblems: Bool = false, salvages: Bool = false, identities: [ArchiveIdentity] = [],
    limits: ArchiveLimits = .standard
  ) {
    self.threads = threads
    self.temporaryFolder = temporaryFolder
    self.collectsProblems = collectsProblems
    self.salvages = salvages
    self.identities = identities
    self.limits = limits
  }
}

/// What is known of an entry before its content is read.
package struct ArchiveEntryHeader: Sendable, Equatable {
  /// The entry's name.
  package var name: String
  /// The size of the content in bytes.
  package var size: Int
  /// Whether an entry of the same name came before; only where problems are collected.
  package var isDuplicate = false
}
