internal import DataCompression
internal import POSIX

/// Where an archive is written.
package enum ArchiveDestination: Sendable, Equatable {
  /// A file, which appears under its name only when it is complete; until then it has a hidden name
  /// in the same folder. An existing file is refused unless it may be overwritten.
  case file(path: String, overwriting: Bool = false)
  /// An open descriptor, such as standard output; it is not closed.
  case descriptor(Int32, name: String = "standard output")
  /// No output: to compute facts about an archive, such as its digests, without keeping it.
  case nowhere

  /// The path, or the name, for errors.
  var path: String {
    switch self {
    case .file(let path, _): path
    case .descriptor(_, let name): name
    case .nowhere: ""
    }
  }
}

/// The options of an ``ArchiveWriter``.
package struct ArchiveWriterOptions: Sendable, Equatable {
  /// The compression of the archive.
  package var compression: ArchiveCompression
  /// The level of compression, one of the ``ArchiveCompression/levels``.
  package var level: Int
  /// The number of threads that compress.
  ///
  /// 0 compresses on the caller's. The archive's bytes do not depend on it.
  package var threads: Int

  /// Who can read the archive; nil for everyone.
  package var encryption: ArchiveEncryption?
  /// Whether the archive is written; otherwise nothing is compressed.
  var isWritten = true
  /// The format of members; nil if none are made.
  var format: MemberFormat? { isWritten ? compression.format : nil }

  /// The number of processors, at most 4: more threads would exceed the memory of an export.
  package static var defaultThreads: Int { ProcessFacts.processorCount }

  /// Creates options; without a level, the compression's default is used.
  package init(
    compression: ArchiveCompression = .gzip, level: Int? = nil,
    threads: Int = ArchiveWriterOptions.defaultThreads,
    encryption: ArchiveEncryption? = nil
  ) {
    self.compression = compression
    self.level = level ?? compression.defaultLevel
    self.threads = threads
    self.encryption = encryption
  }
}
