internal import CofferTables
internal import CoreDataArchive

/// The backup whose state a backup of changes begins with: the latest one whose state can be known.
struct BackupBase {
  /// The kind of a new backup.
  enum Choice {
    case full(FullBackupReason)
    case changes(BackupBase)
  }

  let backup: Backup
  /// All files that it consists of: a full archive, then changes.
  let chain: [Backup]
  /// The remembered state; nil if it has to be read.
  let state: StateFile?

  /// The maximum number of backups of changes after a full archive.
  static let maxChanges = 30

  /// Finds the latest backup of a store; nil if there is none, or if one of its files is missing.
  static func latest(
    _ listing: VaultListing, of series: BackupSeries, _ cache: StateCache?, vault: String,
    identity: (Backup) -> String?
  ) -> BackupBase? {
    guard let latest = listing.backups[series]?.last else { return nil }
    let state = cache?.load()
    let remembered = state.flatMap {
      Self.backup(with: $0.description, in: listing, of: series, identity)
    }
    guard let chain = try? listing.chain(of: remembered ?? latest, vault: vault),
      let backup = chain.last
    else { return nil }
    return BackupBase(backup: backup, chain: chain, state: remembered == nil ? nil : state)
  }

  /// Chooses the kind of a new backup of a store.
  static func choose(
    _ listing: VaultListing, of series: BackupSeries, _ base: BackupBase?
  ) -> Choice {
    guard let backups = listing.backups[series] else { return .full(.first) }
    guard let base, let full = base.chain.first else { return .full(.unknownBase) }
    // Also those that begin with the same state as others: the record may never become newer.
    let changes = backups.filter { $0.kind == .changes && $0.name.stem > full.name.stem }
    if changes.count >= maxChanges { return .full(.longChain) }
    if changes.reduce(0, { $0 &+ $1.byteCount }) > full.byteCount { return .full(.outgrown) }
    return .changes(base)
  }

  /// The backup with a state; nil if it is not listed, if its file is another one, or if changes since this
  /// state would be applied to another backup.
  private static func backup(
    with state: StateDescription, in listing: VaultListing, of series: BackupSeries,
    _ identity: (Backup) -> String?
  ) -> Backup? {
    // Changes are applied to the latest state with these digits, also if it is forgotten.
    guard let digest = state.state.digest, let origin = state.origin,
      let found = listing.files(of: series).last(where: { digest.hasPrefix($0.name.content) }),
      origin.backup.hasPrefix("\(found.name.stem) "), identity(found) == origin.backup
    else { return nil }
    return listing.backups[series]?.first { $0.name.stem == found.name.stem }
  }
}
