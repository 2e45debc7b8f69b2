internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// Backups in a vault: made, listed, named, restored.
@Suite struct VaultTests {
  @Test func aBackupIsListedAndRestored() throws {
    let trial = try VaultTrial()
    let made = try trial.backup(at: 0)
    let backups = try trial.vault.backups()
    #expect(backups.map(\.id) == [made.backup.id])
    #expect(backups[0].storeName == "Trips.sqlite")
    #expect(backups[0].moment.description == "2026-11-20T00:00:00Z")
    #expect(backups[0].kind == .full)
    #expect(try trial.contentDigest() == made.contentDigest)
    #expect(try trial.restoredDigest(BackupSelection()) == made.contentDigest)
    #expect(made.contentDigest.hasPrefix(backups[0].contentDigestPrefix))
  }

  @Test func everyMomentIsRestoredAsItWas() throws {
    let trial = try VaultTrial()
    var digests: [String] = []
    for minute in 0..<4 {
      try trial.rename("name \(minute)")
      digests.append(try trial.backup(at: minute).contentDigest)
    }
    #expect(Set(digests).count == 4)
    for (minute, digest) in digests.enumerated() {
      let time = VaultTrial.time(minute)
      #expect(try trial.restoredDigest(BackupSelection(.until(time))) == digest)
    }
    let error = #expect(throws: CofferError.self) {
      try trial.vault.find(BackupSelection(.until(VaultTrial.time(-1))))
    }
    #expect(error?.code == .noSuchBackup)
  }

  @Test func theSameStateTwiceIsTwoBackups() throws {
    let trial = try VaultTrial()
    let (first, second) = (try trial.backup(at: 0), try trial.backup(at: 0))
    #expect(first.contentDigest == second.contentDigest)
    #expect(first.backup.id != second.backup.id)
    #expect(try trial.vault.backups().count == 2)
  }

  @Test func aFolderWithOtherFilesIsNoVault() throws {
    let trial = try VaultTrial()
    let vault = try Vault(trial.directory.path)
    let error = #expect(throws: CofferError.self) { try vault.backup(storeAt: trial.store) }
    #expect(error?.code == .refused)
    let other = #expect(throws: CofferError.self) { try vault.backups() }
    #expect(other?.code == .notAVault)
  }

  @Test func aNewerVaultIsRefused() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    let path = trial.vault.location + "/vault.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("\"version\": 1", with: "\"version\": 2")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: CofferError.self) { try trial.backup(at: 1) }
    #expect(error?.code == .newerFormat)
  }

  @Test(arguments: FailingPlace.Moment.allCases)
  func aBackupThatIsCutOffAnywhereLeavesNothingThatIsListed(_ moment: FailingPlace.Moment) throws {
    let trial = try VaultTrial()
    let counting = FailingPlace(MemoryPlace(), atCall: .max)
    try trial.backup(at: 0, to: Vault("memory:", place: counting))
    #expect(counting.callCount > 4)
    for call in 1...counting.callCount {
      let place = MemoryPlace()
      let failing = FailingPlace(place, atCall: call, moment)
      #expect(throws: CofferError.self) {
        try trial.backup(at: 0, to: Vault("memory:", place: failing))
      }
      // The next run succeeds, whatever was left, and everything that is listed can be restored.
      let vault = Vault("memory:", place: place)
      let digest = try trial.backup(at: 1, to: vault).contentDigest
      for backup in try vault.backups() {
        #expect(try trial.restoredDigest(BackupSelection(.id(backup.id)), from: vault) == digest)
      }
    }
  }

  @Test func severalStoresAreToldApart() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    let uuid = "0B2E5C1D-8F4A-4C57-9F0E-1C6D2A7B3E90"
    try trial.edit("UPDATE Z_METADATA SET Z_UUID = '\(uuid)'")
    let second = try trial.backup(at: 1).backup
    #expect(Set(try trial.vault.backups().map(\.storeUUID)).count == 2)
    let error = #expect(throws: CofferError.self) { try trial.vault.find(BackupSelection()) }
    #expect(error?.code == .noSuchBackup)
    #expect(try trial.vault.find(BackupSelection(store: "0B2E5C1D")).id == second.id)
    #expect(try trial.vault.find(BackupSelection(id: "\(uuid)/latest")).id == second.id)
    #expect(try trial.vault.backups(of: "0B2E5C1D").map(\.id) == [second.id])
  }

  @Test func referencesNameBackups() throws {
    let trial = try VaultTrial()
    let id = try trial.backup(at: 0).backup.id
    let vault = trial.vault.location
    #expect(try BackupReference("\(vault)#\(id)")?.selection == BackupSelection(.id(id)))
    #expect(try BackupReference("\(vault)#latest")?.selection == BackupSelection())
    #expect(
      try BackupReference("\(vault)#Trips/latest")?.selection == BackupSelection(store: "Trips"))
    let time = try Instant(endOf: "2026-11-20T12:00Z")
    #expect(
      try BackupReference("\(vault)@2026-11-20T12:00Z")?.selection == BackupSelection(.until(time)))
    #expect(
      try BackupReference("\(vault)#Trips@2026-11-20T12:00Z")?.selection
        == BackupSelection(store: "Trips", .until(time)))
    #expect(try BackupReference(trial.store) == nil)
    #expect(try BackupReference("\(vault)-other#latest") == nil)
    #expect(throws: CofferError.self) { try BackupReference("\(vault)@yesterday") }
    let folder = "\(vault)s#2"
    try FileManager.default.copyItem(atPath: vault, toPath: folder)
    #expect(try BackupReference("\(folder)#latest")?.vault == folder)
    #expect(
      try BackupReference("\(folder)@2026-11-20T12:00Z")?.selection
        == BackupSelection(.until(time)))
    #expect(try BackupReference("\(folder)#Trips@2026-11-20T12:00Z")?.vault == folder)
    // A file whose name looks like a reference is a file.
    try Data().write(to: URL(fileURLWithPath: "\(vault)#file"))
    #expect(try BackupReference("\(vault)#file") == nil)
  }

  @Test func anAddressOfAServiceIsNotTakenForAFolder() {
    let error = #expect(throws: CofferError.self) { try Vault("gs://bucket/backups") }
    #expect(error?.code == .invalidPlace)
  }

  @Test func aVaultOfANewerFormatIsNotTouched() throws {
    let trial = try VaultTrial()
    for minute in 0..<2 { try trial.backup(at: minute) }
    let path = "\(trial.vault.location)/vault.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let newer = text.replacing("\"version\":1", with: "\"version\":2")
      .replacing("\"version\": 1", with: "\"version\": 2")
    #expect(newer != text)
    try newer.write(toFile: path, atomically: true, encoding: .utf8)
    var policy = RetentionPolicy()
    policy.last = 1
    let error = #expect(throws: CofferError.self) { try trial.vault.forget(policy) }
    #expect(error?.code == .newerFormat)
    #expect(throws: CofferError.self) { try trial.vault.open() }
  }
}
