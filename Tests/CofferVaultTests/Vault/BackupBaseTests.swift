internal import BackupPlaces
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferTables
@testable internal import CofferVault

/// What a backup begins with, and when it is a full archive.
@Suite struct BackupBaseTests {
  private static let store = "0B2E5C1D-8F4A-4C57-9F0E-1C6D2A7B3E90"

  /// What is chosen where a full archive of 1,000 bytes is followed by changes of these sizes.
  private func choice(_ sizes: [UInt64]) -> BackupBase.Choice {
    var files: [PlacedFile] = []
    for (number, size) in ([1_000] + sizes).enumerated() {
      func content(_ number: Int) -> String { String(format: "%016x", number) }
      let name = BackupName(
        time: VaultTrial.time(number), content: content(number),
        base: number == 0 ? nil : content(number - 1), compression: .gzip, isEncrypted: false)
      files.append(
        PlacedFile(name: "\(Self.store)/\(name.text)", byteCount: size, written: Date()))
    }
    let listing = VaultListing(files)
    guard let series = BackupSeries(id: Self.store) else { return .full(.first) }
    return BackupBase.choose(
      listing, of: series,
      BackupBase.latest(listing, of: series, nil, vault: "") { $0.name.stem })
  }

  private func reason(_ sizes: [UInt64]) -> FullBackupReason? {
    if case .full(let reason) = choice(sizes) { reason } else { nil }
  }

  @Test func thirtyBackupsOfChangesFollowAFullOne() {
    #expect(reason(Array(repeating: 1, count: 29)) == nil)
    #expect(reason(Array(repeating: 1, count: 30)) == .longChain)
  }

  @Test func changesThatOutgrowTheFullArchiveEndTheChain() {
    #expect(reason([500, 500]) == nil)
    #expect(reason([500, 501]) == .outgrown)
  }

  @Test func aFullBackupIsMadeOnRequest() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    var options = BackupOptions()
    options.isFull = true
    let made = try trial.backup(at: 1, options: options)
    #expect(made.fullReason == .requested)
    #expect(made.backup.kind == .full)
    #expect(try trial.backup(at: 2).fullReason == nil)
  }

  @Test func anotherSchemaOrModelNeedsAFullBackup() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.edit("CREATE INDEX ANOTHER ON ZTAGENTITY (ZNAME)")
    #expect(try trial.backup(at: 1).fullReason == .incomparable)
    try trial.edit("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
    let made = try trial.backup(at: 2)
    #expect(made.fullReason == .incomparable)
    try trial.requireState(of: made.backup)
    #expect(try trial.backup(at: 3).fullReason == nil)
  }

  @Test func settingsMayDiffer() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.edit("PRAGMA user_version = 77")
    let made = try trial.backup(at: 1)
    #expect(made.fullReason == nil)
    try trial.requireState(of: made.backup)
    try trial.rename("other")
    try trial.requireState(of: try trial.backup(at: 2).backup)
  }

  @Test func rowsWithKeysThatAreNoIntegersNeedAFullBackup() throws {
    let trial = try VaultTrial()
    try trial.edit("CREATE TABLE PAIRS (A, B, PRIMARY KEY (A, B)) WITHOUT ROWID")
    try trial.edit("INSERT INTO PAIRS VALUES ('a', 1), ('b', 2)")
    try trial.backup(at: 0)
    // Of rows that nothing identifies, all are written.
    try trial.edit("UPDATE PAIRS SET B = 3 WHERE A = 'b'")
    let made = try trial.backup(at: 1)
    #expect(made.fullReason == nil)
    #expect(try trial.changeCount(in: made.backup) > 0)
    try trial.requireState(of: made.backup)
    try trial.edit("DELETE FROM PAIRS")
    try trial.requireState(of: try trial.backup(at: 2).backup)
  }

  @Test func thatAStoreCannotBeComparedIsRemembered() throws {
    let trial = try VaultTrial()
    try trial.edit("INSERT INTO Z_4TAGS VALUES ('no key', 1)")
    let first = try trial.backup(at: 0).backup
    #expect(try trial.backup(at: 1).fullReason == .incomparable)
    // What is not remembered is read.
    try FileManager.default.removeItem(atPath: trial.cache)
    #expect(try trial.backup(at: 2).fullReason == .incomparable)
    // What is remembered is not read, except for its end.
    for backup in try trial.vault.backups() {
      let file = URL(fileURLWithPath: "\(trial.vault.location)/\(backup.fileName)")
      let bytes = try Data(contentsOf: file)
      try (Data(count: bytes.count - 4096) + bytes.suffix(4096)).write(to: file)
    }
    let made = try trial.backup(at: 3)
    #expect(made.fullReason == .incomparable && made.backup.id != first.id)
    try trial.requireState(of: made.backup)
    try trial.edit("DELETE FROM Z_4TAGS WHERE typeof(Z_4TODOS) = 'text'")
    #expect(try trial.backup(at: 4).fullReason == .incomparable)
    #expect(try trial.backup(at: 5).fullReason == nil)
  }

  @Test func withoutRoomForWhatIsRememberedChangesAreFoundAllTheSame() throws {
    let (trial, place) = (try VaultTrial(), MemoryPlace())
    try trial.backup(at: 0, to: Vault("memory:", place: place))
    try trial.rename("later")
    let cache = trial.cache
    // The folder of caches is no longer writable.
    let made = try backUp(
      trial, to: Vault("memory:", place: place), in: place, listing: 2
    ) { _, _ throws(CofferError) in
      _ = try? FileManager.default.removeItem(atPath: cache)
    }
    #expect(made.fullReason == nil)
    let vault = Vault("memory:", place: place)
    #expect(try trial.restoredDigest(BackupSelection(), from: vault) == trial.contentDigest())
    // Nothing is remembered, so the needed files are read.
    #expect(try trial.backup(at: 2, to: vault).fullReason == nil)
  }

  /// Makes a backup while another program acts on the first full archive, before a listing of the place.
  ///
  /// The first listing looks for a vault, the second for a base, the third for one that is still there; the
  /// fourth is after the backup was put in its place.
  private func backUp(
    _ trial: VaultTrial, to vault: Vault, in place: MemoryPlace, listing: Int,
    _ deed: @escaping @Sendable (MemoryPlace, String) throws(CofferError) -> Void
  ) throws -> BackupSummary {
    let shared = InterposedPlace(place)
    shared.interpose { call throws(CofferError) in
      guard call.kind == .list, call.numberOfKind == listing,
        let first = try place.list("").first(where: { $0.name.contains("-full.") })
      else { return }
      try deed(place, first.name)
    }
    return try trial.backup(at: 1, to: Vault(vault.location, place: shared))
  }

  @Test func aBaseThatVanishesWhileABackupIsMadeIsNoBase() throws {
    let (trial, place) = (try VaultTrial(), MemoryPlace())
    let vault = Vault("memory:", place: place)
    try trial.backup(at: 0, to: vault)
    let empty = try trial.directory.write([], to: "empty")
    let made = try backUp(trial, to: vault, in: place, listing: 4) {
      place, name throws(CofferError) in
      _ = try place.putIfAbsent(name + ".forgotten", from: empty)
    }
    #expect(made.fullReason == .changedMeanwhile)
    #expect(try vault.backups().map(\.id) == [made.backup.id])
    #expect(try trial.backup(at: 2, to: vault).fullReason == nil)
  }

  @Test(arguments: [4, 5]) func changesAreNotLeftBesideAnotherBaseOfTheirName(listing: Int) throws {
    let (trial, place) = (try VaultTrial(), MemoryPlace())
    let vault = Vault("memory:", place: place)
    try trial.backup(at: 0, to: vault)
    try trial.rename("later")
    // The same state is backed up again, a second later.
    let made = try backUp(trial, to: vault, in: place, listing: listing) {
      place, name throws(CofferError) in
      let parts = name.split(separator: "/").map(String.init)
      guard var backup = BackupName(parts[1]) else { return }
      backup.time = backup.time.advanced(by: 1)
      try place.copy(name, to: "\(parts[0])/\(backup.text)")
    }
    #expect(made.fullReason == .changedMeanwhile)
    #expect(try vault.backups().map(\.kind) == [.full, .full, .full])
    #expect(try trial.backup(at: 2, to: vault).fullReason == nil)
  }
}
