public import CofferTables
internal import CoreDataArchive
package import CoreDataModel
public import Foundation

/// A backup in a vault: a state of a store at a time.
public struct Backup: Sendable, Hashable {
  /// The form in which a state is kept.
  package enum Kind: String, Sendable, CaseIterable {
    /// As an archive of the whole state.
    case full
    /// As the changes since the state of another backup.
    case changes
  }

  /// The series that it belongs to.
  public let series: BackupSeries
  /// The name of the store's file; nil if it is unknown.
  public internal(set) var storeName: String?
  /// Where the store was; nil if that is not recorded.
  package internal(set) var source: StoreSource?
  /// Where the store of the series was last; nil if that is not recorded.
  package internal(set) var latestSource: StoreSource?
  /// The size of the file in bytes.
  public let byteCount: Int
  let name: BackupName

  init(series: BackupSeries, name: BackupName, byteCount: Int) {
    self.series = series
    self.name = name
    self.byteCount = byteCount
  }

  /// The UUID of the store.
  public var storeUUID: String { series.storeUUID }
  /// When the backup was made.
  public var time: Date { moment.date }
  /// When the backup was made, to the second.
  package var moment: Instant { name.time }
  /// The form in which the state is kept.
  package var kind: Kind { name.base == nil ? .full : .changes }
  /// Whether the file is encrypted.
  public var isEncrypted: Bool { name.isEncrypted }
  /// The first 16 digits of the content digest of the state.
  public var contentDigestPrefix: String { name.content }
  /// The name of the file in the vault, with `/` between folder and file.
  public var fileName: String { "\(series.id)/\(name.text)" }

  /// Eight hexadecimal digits that distinguish this backup from the others in its vault.
  ///
  /// They stay the same when changes are rewritten as a full archive.
  public var id: String { String(ContentHasher.digest(of: "\(series.id)/\(name.stem)").prefix(8)) }
}

/// Why a backup is a full archive and not the changes since an earlier one.
package enum FullBackupReason: String, Sendable, CaseIterable {
  case requested
  case first
  /// There are 30 backups of changes since the last full archive.
  case longChain = "long-chain"
  /// The changes since the last full archive are together larger than it.
  case outgrown
  /// This machine does not remember the content of the previous backup, and cannot read it.
  case unknownBase = "unknown-base"
  /// The store cannot be compared with its previous backup: it has another model, schema or layout, rows with
  /// keys that are no integers, or too many files that differ.
  case incomparable
  /// This machine has no disk space for the record of the store that shows the changes.
  case noRoom = "no-room"
  /// The previous backup was forgotten, or files of the store changed, while this one was made.
  case changedMeanwhile = "changed-meanwhile"
}
