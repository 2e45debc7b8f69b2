internal import CoreDataArchive
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CofferTables
@testable internal import CofferVault

/// What a machine remembers of a store may be lost or wrong in any way: the backup is right.
@Suite struct StateCacheTests {
  /// A store with a backup, and a change since.
  private func changedTrial() throws -> (VaultTrial, state: String) {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.rename("other")
    return (trial, try #require(trial.states().first))
  }

  /// Backs up, and requires the state of the store.
  @discardableResult
  private func requireRight(
    _ trial: VaultTrial, at minute: Int, _ label: String = ""
  ) throws -> BackupSummary {
    let made = try trial.backup(at: minute)
    try trial.requireState(of: made.backup, label)
    return made
  }

  @Test func whatIsLostIsReadFromTheVault() throws {
    let (trial, state) = try changedTrial()
    let remembered = try #require(StateFile(path: state)).description.tables
    try FileManager.default.removeItem(atPath: trial.cache)
    let made = try requireRight(trial, at: 1)
    #expect(made.fullReason == nil)
    #expect(try trial.changeCount(in: made.backup) == 1)
    // The chain of both is read, too.
    try FileManager.default.removeItem(atPath: trial.cache)
    try trial.rename("third")
    let next = try requireRight(trial, at: 2)
    #expect(try trial.changeCount(in: next.backup) == 1)
    let known = try #require(StateFile(path: state)).description.tables
    #expect(known.map(\.rowCount) == remembered.map(\.rowCount))
  }

  @Test func onlyThisUserCanReadIt() throws {
    let (trial, state) = try changedTrial()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(state) == 0o600)
    #expect(try mode((state as NSString).deletingLastPathComponent) == 0o700)
    #expect(try mode(trial.cache) == 0o700)
    // Nothing else stays.
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: (state as NSString).deletingLastPathComponent
      ).count == 1)
  }

  @Test func everyDamagedByteIsNoticed() throws {
    let (trial, state) = try changedTrial()
    let whole = try Data(contentsOf: URL(fileURLWithPath: state))
    #expect(StateFile(path: state)?.isWhole == true)
    let copy = trial.directory.file("Copy.state")
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= UInt8(1 << (position % 8))
      try bytes.write(to: URL(fileURLWithPath: copy))
      #expect(StateFile(path: copy)?.isWhole != true, "byte \(position)")
    }
    for length in stride(from: 0, to: whole.count, by: 61) {
      try whole.prefix(length).write(to: URL(fileURLWithPath: copy))
      #expect(StateFile(path: copy) == nil, "\(length) bytes")
    }
    try (whole + [0]).write(to: URL(fileURLWithPath: copy))
    #expect(StateFile(path: copy) == nil)
  }

  @Test func aDamagedFileNeverLeadsToAWrongBackup() throws {
    let (trial, state) = try changedTrial()
    var minute = 1
    let size = try Data(contentsOf: URL(fileURLWithPath: state)).count
    for position in stride(from: 0, to: size, by: size / 12) {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: state))
      bytes[min(position, bytes.count - 1)] ^= 0x10
      try bytes.write(to: URL(fileURLWithPath: state))
      try trial.rename("name \(minute)")
      try requireRight(trial, at: minute, "byte \(position)")
      minute += 1
    }
  }

  @Test func whatIsRememberedOfAnotherBackupIsNotUsed() throws {
    let (trial, state) = try changedTrial()
    let old = try Data(contentsOf: URL(fileURLWithPath: state))
    try requireRight(trial, at: 1)
    try trial.rename("third")
    // That of the first backup fits as well, as long as the vault has it.
    try old.write(to: URL(fileURLWithPath: state))
    let made = try requireRight(trial, at: 2)
    #expect(made.fullReason == nil)
    let first = try trial.vault.backups()[0]
    #expect(made.backup.fileName.contains("-changes-\(first.contentDigestPrefix)"))
    // Without it, and without its changes, another base is read.
    try old.write(to: URL(fileURLWithPath: state))
    for backup in try trial.vault.backups() {
      try FileManager.default.removeItem(atPath: "\(trial.vault.location)/\(backup.fileName)")
    }
    #expect(try requireRight(trial, at: 3).fullReason == .first)
    try old.write(to: URL(fileURLWithPath: state))
    try trial.rename("fourth")
    let next = try requireRight(trial, at: 4)
    #expect(try trial.changeCount(in: next.backup) == 1)
  }

  /// A copy has the ID of the vault, and a backup of the same second and rows has the same name.
  @Test func whatWasBackedUpToACopyOfTheVaultIsNotUsed() throws {
    let (trial, _) = try changedTrial()
    let copy = try Vault(trial.directory.file("Copy"))
    try FileManager.default.copyItem(atPath: trial.vault.location, toPath: copy.location)
    try trial.edit("PRAGMA user_version = 2")
    let first = try trial.backup(at: 1)
    try trial.edit("PRAGMA user_version = 3")
    let second = try trial.backup(at: 1, to: copy)
    #expect(first.backup.fileName == second.backup.fileName)
    try requireRight(trial, at: 2)
    // The record of the last one is used again.
    try trial.rename("third")
    #expect(try trial.changeCount(in: requireRight(trial, at: 3).backup) == 1)
  }

  @Test func whatAnotherVersionOrVaultRemembersIsNotUsed() throws {
    let (trial, state) = try changedTrial()
    let known = try #require(StateFile(path: state)).description
    let origin = try #require(known.origin)
    func cache(_ vault: String, _ series: String) -> StateCache? {
      BackupSeries(id: series).flatMap {
        StateCache(in: trial.cache, vault: vault, series: $0)
      }
    }
    #expect(cache(origin.vault, origin.store)?.load() != nil)
    let other = UUID().uuidString
    for (vault, store) in [(other, origin.store), (origin.vault, other)] {
      let path = "\(trial.cache)/\(vault)/\(store).state"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: state, toPath: path)
      #expect(cache(vault, store)?.load() == nil)
    }
    #expect(cache("../up", origin.store) == nil)
    var future = known.encoded
    guard case .object(var members) = future else { return }
    members.members[1].value = .integer(3)
    future = .object(members)
    #expect(throws: (any Error).self) { try StateDescription(future) }
    #expect(try StateDescription(known.encoded) == known)
  }

  @Test func aMachineThatCanRememberNothingBacksUp() throws {
    let trial = try VaultTrial()
    var options = BackupOptions()
    options.cacheFolder = trial.store
    try trial.backup(at: 0, options: options)
    try trial.rename("other")
    let made = try trial.backup(at: 1, options: options)
    #expect(made.fullReason == nil)
    try trial.requireState(of: made.backup)
  }
}
