public import CofferCore
public import CofferTables
public import CoreDataArchive

/// How a store is backed up.
public struct BackupOptions: Sendable, Equatable {
  /// How the files are compressed.
  public var compression: ArchiveCompression
  /// The number of threads that read and compress; nil for one per processor, at most four.
  public var threads: Int?
  /// Whom a new vault encrypts its backups to, as `age1…`; nil for what the vault says.
  ///
  /// The recipients of a vault never change, so others are an error for one that is there.
  public var recipients: [String]?
  /// Whether the backup is a full archive in any case.
  public var isFull = false
  /// The folder where this machine remembers the latest state of each series; nil for the user's
  /// caches.
  ///
  /// It can be removed at any time: then the next backup reads the one before, or is a full archive.
  public var cacheFolder: String?
  /// The name of the series that the backup belongs to, see ``BackupSeries/isName(_:)``; nil for the series of
  /// the store at its place.
  ///
  /// Give a name where the host or the path changes, such as in a container, and different names to
  /// different copies of a store.
  public var seriesName: String?
  /// Of so many backups in a row, one compares all rows, like each full archive; others compare only those
  /// whose pages have changed.
  package var comparisonInterval = 30
  /// The place of the store; nil for the real one.
  package var source: StoreSource?
  /// The time of the backup; nil for now.
  ///
  /// A backup is at least a second later than the one before, whatever the clock says.
  package var time: Instant?

  /// Creates options; by default, gzip.
  public init(compression: ArchiveCompression = .gzip, recipients: [String]? = nil) {
    self.compression = compression
    self.recipients = recipients
  }
}

/// The result of a backup.
public struct BackupSummary: Sendable {
  /// The backup.
  public var backup: Backup
  /// What is unusual about its series; nil for nothing.
  public var seriesNotice: SeriesNotice?
  /// Why it is a full archive; nil if it is the changes since an earlier backup.
  public var fullReason: FullBackupReason?
  /// The content digest of the state.
  public var contentDigest: String
  /// What was found, mainly missing files of external binary data.
  public var findings: [Finding]
}
