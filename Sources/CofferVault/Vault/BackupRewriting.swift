internal import BackupPlaces
internal import CofferCore
internal import CofferEditing
internal import CofferTables
internal import CoreDataArchive
package import CoreDataModel

/// A backup that could not be rewritten as a full archive, so that its base stays.
package struct RewritingFailure: Sendable, Equatable {
  /// The backup.
  package var backup: Backup
  /// Why.
  package var error: CofferError
}

/// Rewrites backups of changes as full archives, so that their bases can be removed.
///
/// A full archive that is forgotten stays while a backup that is listed begins with it. That takes no more
/// than another full archive would, and mostly ends by itself, when all its changes are forgotten too. After
/// 30 days, the oldest of these backups takes its place.
struct BackupRewriting {
  let vault: Vault
  let series: BackupSeries
  /// The backups that were rewritten, as full archives.
  private(set) var rewritten: [Backup] = []
  private(set) var failures: [RewritingFailure] = []

  /// The time in seconds for which a forgotten full archive stays for backups that start from it.
  private static let patience: Int64 = 30 * 86_400

  /// Rewrites the backups that are due.
  mutating func run(_ now: Instant) throws {
    var tried: Set<String> = []
    while true {
      let listing = try vault.listing()
      guard let chain = dueChain(listing, now, besides: tried),
        let backup = vault.described(chain.suffix(1), of: series, listing).first
      else { return }
      tried.insert(chain[0].fileName)
      do {
        rewritten.append(try rewrite(backup, chain))
      } catch let error as CofferError {
        failures.append(RewritingFailure(backup: backup, error: error))
        continue
      }
      try vault.markForgotten([backup])
    }
  }

  /// The chain of the oldest backup whose full archive has been forgotten for long; nil if there is none.
  private func dueChain(
    _ listing: VaultListing, _ now: Instant, besides tried: Set<String>
  ) -> [Backup]? {
    var due: Set<String> = []
    for file in listing.forgotten[series] ?? [] {
      guard let backup = file.backup, !tried.contains(backup.fileName) else { continue }
      if now.secondsSince1970 - file.marked.secondsSince1970 > Self.patience {
        due.insert(backup.fileName)
      }
    }
    guard !due.isEmpty else { return nil }
    for backup in listing.backups[series] ?? [] where backup.kind == .changes {
      let chain = listing.links(of: backup)
      if chain[0].kind == .full, due.contains(chain[0].fileName) { return chain }
    }
    return nil
  }

  /// Writes the full archive of a backup's state next to its changes: the archive that an export of the state
  /// writes.
  private func rewrite(_ backup: Backup, _ chain: [Backup]) throws -> Backup {
    guard !backup.isEncrypted || !vault.environment.identities.isEmpty else {
      throw CofferError(
        .encryptedArchive, path: "\(vault.place.address)/\(backup.fileName)",
        detail: "its base was forgotten long ago, and stays until the backup can be rewritten",
        advice: .giveIdentity)
    }
    let (files, folder) = (try VaultFiles(of: vault), try vault.workFolder())
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("full")
    var options = ChainOptions(compression: backup.name.compression)
    let recipients = try vault.document().recipients
    if !recipients.isEmpty { options.encryption = try ArchiveEncryption(recipients: recipients) }
    let summary = try files.read(chain, output: path) {
      try $0.write(to: .file(path), options: options)
    }
    let name = BackupName(
      time: backup.moment, content: summary.contentDigest, compression: backup.name.compression,
      isEncrypted: !recipients.isEmpty)
    guard name.content == backup.name.content else {
      throw CofferError(
        .wrongState, path: "\(vault.place.address)/\(backup.fileName)",
        detail: "its content does not match its name")
    }
    var full = Backup(series: series, name: name, byteCount: summary.byteCount)
    full.storeName = backup.storeName
    (full.source, full.latestSource) = (backup.source, backup.latestSource)
    _ = try vault.place.putIfAbsent(full.fileName, from: path)
    return full
  }
}
