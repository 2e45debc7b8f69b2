internal import BackupPlaces
internal import CoreDataModel

/// What stands in a vault, as its names say it.
struct VaultListing {
  /// The backups of each store, the oldest first.
  private(set) var backups: [String: [Backup]] = [:]
  /// Whether there is a file by which a folder is a vault.
  private(set) var isVault = false
  /// Whether there is anything at all.
  let isEmpty: Bool

  init(_ files: [PlacedFile]) {
    isEmpty = files.isEmpty
    for file in files {
      if file.name == VaultDocument.fileName { isVault = true }
      let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, UUIDText.bytes(String(parts[0])) != nil,
        let name = BackupName(String(parts[1]))
      else { continue }
      backups[String(parts[0]), default: []].append(
        Backup(storeUUID: String(parts[0]), name: name, byteCount: Int(clamping: file.byteCount)))
    }
    for store in Array(backups.keys) { backups[store] = Self.settled(backups[store] ?? []) }
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
    while let last = chain.last, let base = last.name.base {
      // The latest state with these digits before it; times descend, so this ends.
      guard
        let found = all.last(where: { $0.name.content == base && $0.name.stem < last.name.stem })
      else {
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
