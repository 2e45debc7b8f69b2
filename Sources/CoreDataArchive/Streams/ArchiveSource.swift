internal import POSIX

/// Where an archive is read from.
package enum ArchiveSource: Sendable, Equatable {
  case file(path: String)
  /// An open descriptor, such as standard input, from its current position; it is not closed.
  case descriptor(Int32, name: String = "standard input")
}

/// The options of reading an archive.
package struct ArchiveReaderOptions: Sendable, Equatable {
  /// The number of threads that inflate ahead; 0 inflates on the caller's thread.
  package var threads: Int
  /// The number of members that an ``ArchiveReader`` inflates ahead, in addition to one for each thread.
  package var membersAhead = usualMembersAhead
  /// The folder for the content of a repacked archive while it is read.
  package var temporaryFolder: String
  /// Whether an ``ArchiveReader`` notes contradictions and reads on; if not, the first is an error.
  package var collectsProblems: Bool
  /// Whether an ``ArchiveReader`` recovers the intact entries of a damaged archive.
  package var salvages: Bool
  /// Other archives in files; a salvage takes lost entries from them, by digest.
  package var donors: [String] = []
  /// The identities that open an encrypted archive, tried in this order; ignored for other
  /// archives.
  package var identities: [ArchiveIdentity]
  /// The limits of the archive.
  package var limits: ArchiveLimits

  /// The usual ``membersAhead``: with fewer, the threads often wait until the caller takes the next member.
  package static let usualMembersAhead = 3

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

/// The properties of an entry that are known before its content is read.
package struct ArchiveEntryHeader: Sendable, Equatable {
  /// The entry's name.
  package var name: String
  /// The size of the content in bytes.
  package var size: Int
  /// Whether an earlier entry has the same name; only if problems are collected.
  package var isDuplicate = false
}
