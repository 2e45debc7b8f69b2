internal import BackupPlaces
internal import CoreDataModel
internal import Foundation

/// What stands in a vault, as its names say it.
struct VaultListing {
  /// The backups of each store, the oldest first.
  private(set) var backups: [String: [Backup]] = [:]
  /// The files of each store whose backup is forgotten, which stay for a while.
  private(set) var forgotten: [String: [Forgotten]] = [:]
  /// Whether there is a file by which a folder is a vault.
  private(set) var isVault = false
  /// Whether there is anything at all.
  let isEmpty: Bool

  /// A file that is marked as forgotten by an empty one beside it.
  struct Forgotten {
    /// The name of the mark.
    var marker: String
    /// When it was marked.
    var marked: BackupTime
    /// The backup; nil if its file is gone.
    var backup: Backup?
  }

  /// What follows the name of a file in the name of its mark.
  static let forgottenEnding = ".forgotten"

  init(_ files: [PlacedFile]) {
    isEmpty = files.isEmpty
    var marks = Self.marks(files)
    for file in files {
      if file.name == VaultDocument.fileName { isVault = true }
      guard let backup = Self.backup(file) else { continue }
      if let time = marks.removeValue(forKey: file.name) {
        forgotten[backup.storeUUID, default: []].append(
          Forgotten(marker: file.name + Self.forgottenEnding, marked: time, backup: backup))
      } else {
        backups[backup.storeUUID, default: []].append(backup)
      }
    }
    for (name, time) in marks {
      guard let store = name.split(separator: "/").first else { continue }
      forgotten[String(store), default: []].append(
        Forgotten(marker: name + Self.forgottenEnding, marked: time, backup: nil))
    }
    for store in Array(backups.keys) { backups[store] = Self.settled(backups[store] ?? []) }
  }

  /// When each file was marked as forgotten that was.
  private static func marks(_ files: [PlacedFile]) -> [String: BackupTime] {
    var marks: [String: BackupTime] = [:]
    for file in files where file.name.hasSuffix(forgottenEnding) {
      let seconds = file.written.timeIntervalSince1970
      marks[String(file.name.dropLast(forgottenEnding.count))] = BackupTime(
        secondsSince1970: Int64(seconds.isFinite ? max(-1e15, min(seconds, 1e15)) : 0))
    }
    return marks
  }

  /// The backup in a file; nil for any other file.
  private static func backup(_ file: PlacedFile) -> Backup? {
    let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, UUIDText.bytes(String(parts[0])) != nil,
      let name = BackupName(String(parts[1]))
    else { return nil }
    return Backup(
      storeUUID: String(parts[0]), name: name, byteCount: Int(clamping: file.byteCount))
  }

  /// The backups in their order, each once: while changes are rewritten as a full archive, both are there.
  private static func settled(_ found: [Backup]) -> [Backup] {
    var byStem: [String: Backup] = [:]
    for backup in found {
      if let other = byStem[backup.name.stem], other.kind == .full { continue }
      byStem[backup.name.stem] = backup
    }
    return byStem.values.sorted { $0.name.stem < $1.name.stem }
  }

  /// The UUIDs of the stores, in ascending order.
  var stores: [String] { backups.keys.sorted() }

  /// A backup with all that it is made of: a full archive, then changes, each of the state before.
  ///
  /// - Throws: ``CofferError`` with `missing-entry` if a base is not there.
  func chain(of backup: Backup, vault: String) throws(CofferError) -> [Backup] {
    var chain = [backup]
    let all = backups[backup.storeUUID] ?? []
    // A backup may have begun just before its base was forgotten.
    let gone = (forgotten[backup.storeUUID] ?? []).compactMap(\.backup)
      .sorted { $0.name.stem < $1.name.stem }
    while let last = chain.last, let base = last.name.base {
      // The latest state with these digits before it; times descend, so this ends.
      func isBase(_ backup: Backup) -> Bool {
        backup.name.content == base && backup.name.stem < last.name.stem
      }
      guard let found = all.last(where: isBase) ?? gone.last(where: isBase) else {
        throw CofferError(
          .missingEntry, path: vault, item: last.fileName,
          detail:
            "the backup that its changes begin with, of the state \(base), is not in the vault",
          advice: "Restore another backup; a check of the vault lists those that are whole.")
      }
      chain.append(found)
    }
    return chain.reversed()
  }
}
