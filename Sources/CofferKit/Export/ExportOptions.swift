public import CoreDataArchive

/// How an archive is written.
public struct ExportOptions: Sendable, Equatable {
  /// The level of compression: 0 stores, 1 is fastest, 6 is the default, 12 is smallest.
  public var level: Int
  /// How many threads compress; nil for as many as there are processors.
  ///
  /// The archive's bytes do not depend on it.
  public var threads: Int?
  /// Whether as much as possible of a damaged store is exported, and what is lost reported.
  ///
  /// The store is best opened by `PersistentStore(salvaging:)`. A store that is not damaged gives the
  /// same bytes as without. Every table is read once more, before anything is written.
  public var salvages: Bool

  /// Who can read the archive; nil for everybody.
  ///
  /// Each encrypted archive has a key of its own, so no two are equal byte for byte.
  public var encryption: ArchiveEncryption?

  /// The model of the store; nil for its own.
  ///
  /// A store that has no copy of its model is exported with the names and types of this one; of one
  /// that has, it must be the same.
  public var model: LoadedModel?

  /// Creates options.
  public init(
    level: Int = 6, threads: Int? = nil, salvages: Bool = false,
    encryption: ArchiveEncryption? = nil
  ) {
    self.level = level
    self.threads = threads
    self.salvages = salvages
    self.encryption = encryption
  }
}
