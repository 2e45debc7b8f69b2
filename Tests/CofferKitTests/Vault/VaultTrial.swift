internal import BackupPlaces
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store and a vault beside it.
struct VaultTrial {
  let directory: TemporaryDirectory
  let store: String
  let vault: Vault

  init() throws {
    directory = try TemporaryDirectory()
    store = directory.file("Trips.sqlite")
    try SampleStore.write(to: store)
    vault = try Vault(directory.file("Vault"))
  }

  /// Changes the store.
  func edit(_ statement: String) throws {
    let database = try GeneratorDatabase(path: store)
    try database.registerCoreDataFunctions()
    try database.run(statement)
  }

  /// Renames a tag, so that the store has another state.
  func rename(_ name: String) throws {
    try edit("UPDATE ZTAGENTITY SET ZNAME = '\(name)' WHERE Z_PK = 1")
  }

  /// Backs up the store at a time of 2026-11-20, in minutes.
  @discardableResult
  func backup(at minute: Int, to vault: Vault? = nil) throws -> BackupSummary {
    var options = BackupOptions()
    options.time = Self.time(minute)
    return try (vault ?? self.vault).backup(storeAt: store, options: options)
  }

  /// Adds what changed since the latest backup, by comparing both states.
  ///
  /// - Returns: the content digest of the state.
  @discardableResult
  func increment(at minute: Int, to vault: Vault? = nil, in place: any BackupPlace) throws -> String
  {
    let vault = vault ?? self.vault
    let base = try vault.open()
    let name = UUID().uuidString
    let (state, changes) = (directory.file("\(name).tar"), directory.file("\(name).changes"))
    try StoreExporter().export(storeAt: store, to: state)
    var options = ChangesOptions()
    options.isReversible = false
    if base.backup.isEncrypted {
      options.encryption = try ArchiveEncryption(
        recipients: vault.archiveAccess.identities.compactMap(\.recipient))
    }
    var comparison = StoreComparison()
    comparison.options.archiveAccess = vault.archiveAccess
    let summary = try comparison.writeChanges(
      from: base.path, to: state, at: .file(changes), writing: options)
    let (before, after) = (summary.contentDigestBefore ?? "", summary.contentDigestAfter ?? "")
    let time = Self.time(minute).description.filter { $0 != "-" && $0 != ":" }
    let ending = base.backup.isEncrypted ? ".age" : ""
    #expect(
      try place.putIfAbsent(
        "\(base.backup.storeUUID)/\(time)-\(after.prefix(16))-changes-\(before.prefix(16))"
          + ".coffer-changes.tar.gz\(ending)", from: changes))
    for file in [state, changes] { try FileManager.default.removeItem(atPath: file) }
    return after
  }

  /// Adds what changed since the latest backup to the vault in the folder.
  @discardableResult
  func increment(at minute: Int) throws -> String {
    try increment(at: minute, in: FolderPlace(path: vault.location))
  }

  static func time(_ minute: Int) -> BackupTime {
    BackupTime(secondsSince1970: 1_795_132_800 + Int64(minute) * 60)
  }

  /// The content digest of the store.
  func contentDigest() throws -> String {
    try Self.contentDigest(store)
  }

  static func contentDigest(_ store: String) throws -> String {
    try StoreExporter().contentDigest(of: PersistentStore.opened(store, .copy))
  }

  /// The content digest of a store that is restored from a backup.
  func restoredDigest(_ selection: BackupSelection, from vault: Vault? = nil) throws -> String {
    let restored = directory.file("Restored-\(UUID().uuidString).sqlite")
    try (vault ?? self.vault).restore(selection, to: restored)
    return try Self.contentDigest(restored)
  }

  /// The files of the vault.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: vault.location).sorted()
  }
}
