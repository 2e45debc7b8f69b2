internal import CofferCore
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
