internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// The backups that a policy keeps, and the fate of the others.
@Suite struct ForgetTests {
  /// The reasons for the backups of a vault that is backed up to at these hours of days.
  private func kept(
    _ policy: RetentionPolicy, _ minutes: [Int]
  ) throws -> [Int: [String]] {
    let trial = try VaultTrial()
    for minute in minutes { try trial.backup(at: minute) }
    let decisions = try trial.vault.forget(policy, isDryRun: true).decisions
    #expect(decisions.count == minutes.count)
    var kept: [Int: [String]] = [:]
    for (minute, decision) in zip(minutes, decisions) where decision.stays {
      kept[minute] = decision.reasons
    }
    return kept
  }

  private static let day = 24 * 60

  @Test func theLatestOfEachDayStays() throws {
    var policy = RetentionPolicy()
    policy.daily = 2
    let day = Self.day
    let kept = try kept(policy, [0, 60, day, day + 60, 2 * day, 2 * day + 60])
    #expect(kept == [day + 60: ["daily"], 2 * day + 60: ["daily"]])
  }

  @Test func whileThereIsRoomTheOldestStays() throws {
    var policy = RetentionPolicy()
    policy.daily = 5
    #expect(try kept(policy, [0, 60, 120]) == [0: ["oldest daily"], 120: ["daily"]])
  }

  @Test func rulesAddUp() throws {
    var policy = RetentionPolicy()
    (policy.last, policy.hourly, policy.within) = (1, 2, 3_600)
    let kept = try kept(policy, [0, 10, 100, 130, 150])
    #expect(
      kept == [100: ["within", "hourly"], 130: ["within"], 150: ["within", "last", "hourly"]])
  }

  @Test func weeksBeginOnMonday() throws {
    var policy = RetentionPolicy()
    policy.weekly = 1
    // 2026-11-20 is a Friday.
    let kept = try kept(policy, [0, 2 * Self.day, 3 * Self.day - 1, 3 * Self.day])
    #expect(Array(kept.keys) == [3 * Self.day])
  }

  @Test func whatABackupNeedsOfForgottenOnesIsKnown() throws {
    let trial = try VaultTrial()
    let full = try trial.backup(at: 0).backup
    try trial.increment(at: 1)
    var policy = RetentionPolicy()
    policy.last = 1
    #expect(try trial.vault.forgottenBases(of: trial.vault.backups()) == [])
    try trial.vault.forget(policy)
    let left = try trial.vault.backups()
    #expect(left.map(\.kind) == [.changes])
    #expect(try trial.vault.forgottenBases(of: left).map(\.id) == [full.id])
  }

  @Test func whatIsForgottenIsNotListedAndGoesAfterAnHour() throws {
    let trial = try VaultTrial()
    for minute in 0..<3 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute, options: VaultTrial.full)
    }
    let ids = try trial.vault.backups().map(\.id)
    var policy = RetentionPolicy()
    policy.last = 1
    policy.pinned = [ids[0]]
    let before = try trial.files()
    #expect(
      try trial.vault.forget(policy, isDryRun: true).decisions.map(\.stays) == [true, false, true])
    #expect(try trial.files() == before)
    let first = try trial.vault.forget(policy)
    #expect(first.removedFileCount == 0)
    #expect(try trial.vault.backups().map(\.id) == [ids[0], ids[2]])
    // Its file is still there, for a restore that runs.
    #expect(Set(try trial.files()).isSuperset(of: before))
    let later = Instant(secondsSince1970: Instant.now.secondsSince1970 + 7_200)
    let second = try trial.vault.forget(policy, of: nil, isDryRun: false, now: later)
    #expect(second.removedFileCount == 1)
    #expect(try trial.files().count == before.count - 1)
    for id in [ids[0], ids[2]] { _ = try trial.restoredDigest(BackupSelection(.id(id))) }
  }

  /// The clock of the place is behind the machine's clock, or ahead of it.
  @Test(arguments: [-7_200, 7_200])
  func whatWasJustForgottenIsNotOldBecauseClocksDiffer(seconds: Double) throws {
    let trial = try VaultTrial()
    let place = MemoryPlace { Date(timeIntervalSinceNow: seconds) }
    let vault = Vault("memory:", place: place)
    for minute in 0..<2 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute, to: vault, options: VaultTrial.full)
    }
    var policy = RetentionPolicy()
    policy.last = 1
    try vault.forget(policy)
    let before = try place.list("")
    #expect(try vault.forget(policy).removedFileCount == 0)
    #expect(try place.list("") == before)
  }

  @Test func theLatestAndTheLastVerifiedStay() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    var options = VaultCheckOptions()
    options.readsData = true
    #expect(try trial.vault.check(options).problems == [])
    try trial.backup(at: 1)
    try trial.backup(at: 2)
    let decisions = try trial.vault.forget(RetentionPolicy()).decisions
    #expect(decisions.map(\.reasons) == [["verified"], [], ["latest"]])
  }

  @Test func aPinThatNamesNoBackupForgetsNothing() throws {
    let trial = try VaultTrial()
    for second in 0..<3 { try trial.backup(at: second) }
    var policy = RetentionPolicy()
    policy.last = 1
    policy.pinned = ["00000000"]
    let error = #expect(throws: CofferError.self) { try trial.vault.forget(policy) }
    #expect(error?.code == .noSuchBackup)
    #expect(try trial.vault.backups().count == 3)
  }

  @Test(arguments: FailingPlace.Moment.allCases)
  func aRunThatIsCutOffLosesNothingThatStays(_ moment: FailingPlace.Moment) throws {
    let trial = try VaultTrial()
    var policy = RetentionPolicy()
    policy.last = 2
    let later = Instant(secondsSince1970: Instant.now.secondsSince1970 + 7_200)
    let made = MemoryPlace()
    for minute in 0..<4 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute, to: Vault("memory:", place: made))
    }
    for call in 1...40 {
      let place = MemoryPlace(copying: made)
      let vault = Vault("memory:", place: place)
      let staying = try vault.backups().suffix(2)
      let failing = Vault("memory:", place: FailingPlace(place, atCall: call, moment))
      var isDone = true
      do {
        _ = try failing.forget(policy, of: nil, isDryRun: false, now: later)
      } catch is CofferError {
        isDone = false
      }
      let ids = try vault.backups().map(\.id)
      #expect(staying.allSatisfy { ids.contains($0.id) })
      for backup in staying {
        let digest = try trial.restoredDigest(BackupSelection(.id(backup.id)), from: vault)
        #expect(digest.hasPrefix(backup.contentDigestPrefix))
      }
      if isDone { return }
    }
    Issue.record("the run does not end")
  }
}
