public import CofferCore
package import CofferTables
public import CoreDataArchive

/// The options for backing up a store.
public struct BackupOptions: Sendable, Equatable {
  /// The compression of the files.
  public var compression: ArchiveCompression
  /// The number of threads that read and compress; nil for one per processor, at most four.
  public var threads: Int?
  /// The recipients to which a new vault encrypts its backups, as `age1…`; nil for the vault's own.
  ///
  /// The recipients of a vault never change, so other recipients are an error for an existing vault.
  public var recipients: [String]?
  /// Whether the backup is a full archive in any case.
  public var isFull = false
  /// The folder where this machine remembers the latest state of each series; nil for the user's
  /// caches.
  ///
  /// It can be removed at any time: then the next backup reads the previous one, or is a full archive.
  public var cacheFolder: String?
  /// The name of the series that the backup belongs to, see ``BackupSeries/isName(_:)``; nil for the series of
  /// the store at its place.
  ///
  /// Give a name where the host or the path changes, such as in a container, and different names to
  /// different copies of a store.
  public var seriesName: String?
  /// The number of consecutive backups among which one compares all rows, like each full archive; the others
  /// compare only rows whose pages have changed.
  package var comparisonInterval = 30
  /// The place of the store; nil for the real one.
  package var source: StoreSource?
  /// The time of the backup; nil for now.
  ///
  /// A backup is at least a second later than the previous one, whatever the clock says.
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
  /// A notice about its series; nil for nothing.
  package var seriesNotice: SeriesNotice?
  /// Why it is a full archive; nil if it is the changes since an earlier backup.
  package var fullReason: FullBackupReason?
  /// The error if the previous backup is damaged.
  package var baseDamage: CofferError?
  /// The content digest of the state.
  public var contentDigest: String
  /// The number of managed objects in the state.
  package var objectCount: Int
  /// The findings, mainly missing files of external binary data.
  public var findings: [Finding]
}
