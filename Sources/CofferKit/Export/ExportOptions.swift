public import CoreDataArchive

/// The options of an export.
public struct ExportOptions: Sendable, Equatable {
  /// The compression level: 0 stores, 1 is fastest, 6 is the default, 12 is smallest.
  public var level: Int
  /// The number of compression threads; nil for one per processor.
  ///
  /// It does not affect the bytes of the archive.
  public var threads: Int?
  /// Whether to export everything readable from a damaged store and report what is lost.
  ///
  /// Open the store with `PersistentStore(salvaging:)`. An undamaged store gives the same bytes
  /// either way. Every table is read once more before anything is written.
  public var salvages: Bool

  /// Who can read the archive; nil for everyone.
  ///
  /// Each encrypted archive has its own key, so no two have the same bytes.
  public var encryption: ArchiveEncryption?

  /// The required model of the store; nil for its own.
  ///
  /// A store without a copy of its model is exported with the names and types of this model. A
  /// store with a copy must have the same model.
  public var model: LoadedModel?

  /// Creates options; by default, level 6, one thread per processor, and no encryption.
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
