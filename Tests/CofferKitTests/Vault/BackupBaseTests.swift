internal import BackupPlaces
internal import CoreDataModel
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CofferKit

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
    return BackupBase.choose(VaultListing(files), of: Self.store, nil, vault: "")
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

  /// A place where, from a listing on, somebody else has done something to the first full archive.
  private final class SharedPlace: BackupPlace {
    /// What somebody does to it.
    enum Deed {
      case forget
      /// The same state is backed up again, a second later.
      case repeatIt
    }

    private let place = MemoryPlace()
    private let empty: String
    private let countdown = Mutex(Int.max)
    private let deed: Deed
    var address: String { place.address }
    var createsExclusively: Bool { true }

    /// - Parameters:
    ///   - empty: an empty file.
    ///   - deed: what somebody does.
    init(_ empty: String, _ deed: Deed) { (self.empty, self.deed) = (empty, deed) }

    func happens(atListing number: Int) { countdown.withLock { $0 = number } }

    func list(_ prefix: String) throws(CofferError) -> [PlacedFile] {
      let isDue = countdown.withLock { countdown in
        countdown -= 1
        return countdown == 0
      }
      let files = try place.list(prefix)
      guard isDue, let first = files.first(where: { $0.name.contains("-full.") }) else {
        return files
      }
      switch deed {
      case .forget: _ = try place.putIfAbsent(first.name + ".forgotten", from: empty)
      case .repeatIt: try place.copy(first.name, to: Self.second(later: first.name))
      }
      return try place.list(prefix)
    }

    private static func second(later name: String) -> String {
      let parts = name.split(separator: "/").map(String.init)
      guard parts.count == 2, var backup = BackupName(parts[1]) else { return name }
      backup.time = backup.time.advanced(by: 1)
      return "\(parts[0])/\(backup.text)"
    }

    func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
      try place.read(name, range: range)
    }
    func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
      try place.putIfAbsent(name, from: file)
    }
    func put(_ name: String, from file: String) throws(CofferError) {
      try place.put(name, from: file)
    }
    func delete(_ name: String) throws(CofferError) { try place.delete(name) }
    func copy(_ name: String, to other: String) throws(CofferError) {
      try place.copy(name, to: other)
    }
    func localPath(of name: String) -> String? { nil }
  }

  @Test func aBaseThatVanishesWhileABackupIsMadeIsNoBase() throws {
    let trial = try VaultTrial()
    let place = SharedPlace(try trial.directory.write([], to: "empty"), .forget)
    let vault = Vault("memory:", place: place)
    try trial.backup(at: 0, to: vault)
    // The first listing looks for a vault, the second for a base, the third for one that is still there.
    place.happens(atListing: 3)
    let made = try trial.backup(at: 1, to: vault)
    #expect(made.fullReason == .changedMeanwhile)
    #expect(try vault.backups().map(\.id) == [made.backup.id])
    #expect(try trial.backup(at: 2, to: vault).fullReason == nil)
  }

  @Test(arguments: [3, 4]) func changesAreNotLeftBesideAnotherBaseOfTheirName(listing: Int) throws {
    let trial = try VaultTrial()
    let place = SharedPlace(try trial.directory.write([], to: "empty"), .repeatIt)
    let vault = Vault("memory:", place: place)
    try trial.backup(at: 0, to: vault)
    try trial.edit("UPDATE ZTAGENTITY SET ZNAME = 'later' WHERE Z_PK = 1")
    // The third listing is before the backup is put in its place, the fourth after that.
    place.happens(atListing: listing)
    let made = try trial.backup(at: 1, to: vault)
    #expect(made.fullReason == .changedMeanwhile)
    #expect(try vault.backups().map(\.kind) == [.full, .full, .full])
    #expect(try trial.backup(at: 2, to: vault).fullReason == nil)
  }
}
