internal import CoreDataArchive
internal import CoreDataModel

/// A backup in a vault: a state of a store at a time.
public struct Backup: Sendable, Hashable {
  /// How a state is kept.
  public enum Kind: String, Sendable, CaseIterable {
    /// As an archive of the whole state.
    case full
    /// As the changes since the state of another backup.
    case changes
  }

  /// The folder of the store in the vault: its UUID.
  public let storeUUID: String
  /// The name of the store's file when it was backed up first; nil if it is unknown.
  public var storeName: String?
  /// The size of the file in bytes.
  public let byteCount: Int
  let name: BackupName

  init(storeUUID: String, name: BackupName, byteCount: Int) {
    self.storeUUID = storeUUID
    self.name = name
    self.byteCount = byteCount
  }

  /// When the backup was made.
  public var time: BackupTime { name.time }
  /// How the state is kept.
  public var kind: Kind { name.base == nil ? .full : .changes }
  /// Whether the file is encrypted.
  public var isEncrypted: Bool { name.isEncrypted }
  /// The first 16 digits of the content digest of the state.
  public var contentDigestPrefix: String { name.content }
  /// The name of the file in the vault, with `/` between folder and file.
  public var fileName: String { "\(storeUUID)/\(name.text)" }

  /// Eight hexadecimal digits that tell this backup from the others of its vault.
  ///
  /// They stay the same when changes are rewritten as a full archive.
  public var id: String { String(Self.digest(of: "\(storeUUID)/\(name.stem)").prefix(8)) }

  private static func digest(of text: String) -> String {
    var hasher = ContentHasher()
    unsafe Array(text.utf8).withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.digest.hex
  }
}
