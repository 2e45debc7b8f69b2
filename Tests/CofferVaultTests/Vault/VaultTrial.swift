internal import BackupPlaces
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A store with a vault next to it.
struct VaultTrial {
  let directory: TemporaryDirectory
  let store: String
  var vault: Vault
  /// The folder of what the machine remembers.
  let cache: String

  /// Makes a store: that which the closure writes to a path, by default the sample store.
  init(_ write: (String) throws -> Void = { try SampleStore.write(to: $0) }) throws {
    directory = try TemporaryDirectory()
    store = directory.file("Trips.sqlite")
    cache = directory.file("Cache")
    try write(store)
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

  /// The options of a backup that is a full archive in any case.
  static var full: BackupOptions {
    var options = BackupOptions()
    options.isFull = true
    return options
  }

  /// Backs up the store at a time of 2026-11-20, in minutes.
  @discardableResult
  func backup(
    at minute: Int, to vault: Vault? = nil, options: BackupOptions = BackupOptions()
  ) throws -> BackupSummary {
    var options = options
    options.time = Self.time(minute)
    options.cacheFolder = options.cacheFolder ?? cache
    // All trials are at one place: those of two writers are writers of one series.
    options.source = options.source ?? StoreSource(host: "host", path: "/Stores/Trips.sqlite")
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
        recipients: vault.environment.identities.compactMap(\.recipient))
    }
    var comparison = StoreComparison()
    comparison.options.environment = vault.environment
    let summary = try comparison.writeChanges(
      from: base.path, to: state, at: .file(changes), writing: options)
    let (before, after) = (summary.contentDigestBefore ?? "", summary.contentDigestAfter ?? "")
    let time = Self.time(minute).description.filter { $0 != "-" && $0 != ":" }
    let ending = base.backup.isEncrypted ? ".age" : ""
    #expect(
      try place.putIfAbsent(
        "\(base.backup.series.id)/\(time)-\(after.prefix(16))-changes-\(before.prefix(16))"
          + ".coffer-changes.tar.gz\(ending)", from: changes))
    for file in [state, changes] { try FileManager.default.removeItem(atPath: file) }
    return after
  }

  /// Adds what changed since the latest backup to the vault in the folder.
  @discardableResult
  func increment(at minute: Int) throws -> String {
    try increment(at: minute, in: FolderPlace(path: vault.location))
  }

  /// A full archive, three increments, a full archive, an increment, a minute between each.
  ///
  /// - Returns: the content digest of each.
  @discardableResult
  func timeline(
    to vault: Vault? = nil, in place: any BackupPlace, _ recipients: [String]? = nil
  ) throws -> [String] {
    try (0..<6).map { minute in
      try rename("name \(minute)")
      if minute % 4 > 0 { return try increment(at: minute, to: vault, in: place) }
      var options = Self.full
      options.recipients = recipients
      return try backup(at: minute, to: vault, options: options).contentDigest
    }
  }

  static func time(_ minute: Int) -> Instant {
    Instant(secondsSince1970: 1_795_132_800 + Int64(minute) * 60)
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

  /// Requires that a backup is of the state that the store has now: its archive is that of an export.
  func requireState(of backup: Backup, _ label: String = "") throws {
    let all = try vault.backups()
    var chain = [backup]
    while let last = chain.last, last.kind == .changes {
      let base = last.fileName.split(separator: "-changes-")[1].prefix(16)
      chain.append(
        try #require(all.last { $0.contentDigestPrefix == base && $0.moment < last.moment }))
    }
    var environment = WorkEnvironment()
    environment.identities = vault.environment.identities
    let paths = chain.reversed().map { "\(vault.location)/\($0.fileName)" }
    let state = try BackupChain(
      full: paths[0], changes: Array(paths.dropFirst()), environment: environment
    ).write(to: .file(directory.file("State-\(UUID().uuidString)")))
    let export = try StoreExporter().export(
      storeAt: store, to: directory.file("Export-\(UUID().uuidString)"))
    #expect(state.digest == export.digest, "\(label)")
  }

  /// The changes in a backup of changes.
  func changes(in backup: Backup) throws -> ChangesSummary {
    try StoreChanges("\(vault.location)/\(backup.fileName)", environment: vault.environment)
      .inspect()
  }

  /// The number of differences in a backup of changes.
  func changeCount(in backup: Backup) throws -> Int {
    var count = 0
    try StoreChanges("\(vault.location)/\(backup.fileName)", environment: vault.environment)
      .inspect { _ in count += 1 }
    return count
  }

  /// The files of what the machine remembers.
  func states() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: cache).filter { $0.hasSuffix(".state") }
      .map { "\(cache)/\($0)" }
  }

  /// The files of the vault.
  func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: vault.location).sorted()
  }
}
