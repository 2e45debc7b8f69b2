internal import BackupPlaces
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import Synchronization
internal import TestSupport
internal import Testing

/// The rewriting of full archives that are forgotten while changes start from them.
@Suite struct RewritingTests {
  /// A vault in memory whose clock is set by hand.
  private final class Clock: Sendable {
    private let seconds = Mutex(VaultTrial.time(0).secondsSince1970)

    var now: Instant { Instant(secondsSince1970: seconds.withLock(\.self)) }
    func advance(hours: Int64) { seconds.withLock { $0 += hours * 3_600 } }
    func makePlace() -> MemoryPlace {
      MemoryPlace { Date(timeIntervalSince1970: Double(self.now.secondsSince1970)) }
    }
  }

  private static func keeping(_ count: Int) -> RetentionPolicy {
    var policy = RetentionPolicy()
    policy.last = count
    return policy
  }

  private func files(_ place: MemoryPlace) throws -> [String] {
    try place.list("").map(\.name).filter { $0.contains("Z-") }.map {
      String($0.split(separator: "/")[1])
    }
  }

  @Test func aForgottenBaseStaysForAMonthAndIsReplacedThen() throws {
    let (trial, clock) = (try VaultTrial(), Clock())
    let place = clock.makePlace()
    let vault = Vault("memory:", place: place)
    let digests = try trial.timeline(to: vault, in: place)
    let backups = try vault.backups()
    let policy = Self.keeping(4)
    try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    clock.advance(hours: 30 * 24)
    let early = try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(early.rewritten.isEmpty && early.removedFileCount == 0)
    clock.advance(hours: 1)
    let later = try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(later.rewritten.map(\.id) == [backups[2].id])
    #expect(later.notRewritten == [])
    // Restores that run may need all that was there.
    #expect(later.removedFileCount == 0)
    let listed = try vault.backups()
    #expect(listed.map(\.id) == backups.dropFirst(2).map(\.id))
    #expect(listed.map(\.kind) == [.full, .changes, .full, .changes])
    // It is the archive that an export of the state writes.
    let state = trial.directory.file("State.sqlite")
    try vault.restore(BackupSelection(.id(backups[2].id)), to: state)
    let export = trial.directory.file("State.coffer.tar.gz")
    try StoreExporter().export(storeAt: state, to: export)
    let expected = try Data(contentsOf: URL(fileURLWithPath: export))
    #expect(try Data(place.read(listed[0].fileName)) == expected)
    clock.advance(hours: 2)
    let last = try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(last.removedFileCount == 3)
    #expect(try files(place) == listed.map { String($0.fileName.split(separator: "/")[1]) })
    for (backup, digest) in zip(listed, digests.dropFirst(2)) {
      let selection = BackupSelection(.id(backup.id))
      #expect(try trial.restoredDigest(selection, from: vault) == digest)
    }
  }

  @Test func withoutAKeyTheBaseStays() throws {
    let (trial, clock) = (try VaultTrial(), Clock())
    let place = clock.makePlace()
    let identities = try ArchiveIdentity.identities(inFile: Array(IncrementTests.key.utf8))
    let locked = Vault("memory:", place: place)
    var vault = locked
    vault.environment.identities = identities
    let digests = try trial.timeline(
      to: vault, in: place, identities.compactMap(\.recipient))
    let policy = Self.keeping(3)
    try locked.forget(policy, of: nil, isDryRun: false, now: clock.now)
    clock.advance(hours: 31 * 24)
    let before = try files(place)
    let failed = try locked.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(failed.notRewritten.map(\.error.code) == [.encryptedArchive])
    #expect(failed.notRewritten.map(\.backup) == [try vault.backups()[0]])
    #expect(failed.removedFileCount == 0)
    #expect(try files(place) == before)
    let done = try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(done.rewritten.map(\.isEncrypted) == [true])
    clock.advance(hours: 2)
    #expect(
      try locked.forget(policy, of: nil, isDryRun: false, now: clock.now).removedFileCount == 4)
    let oldest = BackupSelection(.until(VaultTrial.time(3)))
    #expect(try trial.restoredDigest(oldest, from: vault) == digests[3])
  }

  @Test func whatCannotBeRewrittenKeepsItsBase() throws {
    let (trial, clock) = (try VaultTrial(), Clock())
    let place = clock.makePlace()
    let vault = Vault("memory:", place: place)
    try trial.timeline(to: vault, in: place)
    let backups = try vault.backups()
    let policy = Self.keeping(4)
    try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    let damaged = trial.directory.file("damaged")
    try Data(place.read(backups[1].fileName).dropLast(200))
      .write(to: URL(fileURLWithPath: damaged))
    try place.put(backups[1].fileName, from: damaged)
    clock.advance(hours: 31 * 24)
    let summary = try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
    #expect(summary.notRewritten.map(\.backup.id) == [backups[2].id])
    #expect(summary.notRewritten[0].error.description.contains(backups[1].fileName))
    #expect(summary.rewritten.isEmpty && summary.removedFileCount == 0)
  }

  /// It is stopped after each call, which leaves what stopping before the next one leaves.
  @Test func aRewritingThatIsCutOffLosesNothing() throws {
    let (trial, clock) = (try VaultTrial(), Clock())
    let model = clock.makePlace()
    let digests = try trial.timeline(to: Vault("memory:", place: model), in: model)
    let policy = Self.keeping(3)
    for call in 1...200 {
      let place = MemoryPlace(copying: model)
      let vault = Vault("memory:", place: place)
      let failing = Vault("memory:", place: FailingPlace(place, atCall: call, .after))
      var isDone = true
      for hours: Int64 in [0, 31 * 24, 2] {
        guard isDone else { break }
        clock.advance(hours: hours)
        do {
          try failing.forget(policy, of: nil, isDryRun: false, now: clock.now)
        } catch is CofferError {
          isDone = false
          try requireRight(vault, trial, digests, count: 3, "call \(call)")
        }
      }
      // The next runs come to the end.
      if !isDone {
        for hours: Int64 in [0, 31 * 24, 2] {
          clock.advance(hours: hours)
          try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
        }
      }
      try requireRight(vault, trial, digests, count: 3, "call \(call)")
      #expect(try files(place).count == 3, "call \(call)")
      if isDone { return }
    }
    Issue.record("the run does not end")
  }

  /// Requires that the latest backups are there, and that whatever is listed has its state.
  private func requireRight(
    _ vault: Vault, _ trial: VaultTrial, _ digests: [String], count: Int, _ label: Comment
  ) throws {
    let backups = try vault.backups()
    #expect(backups.count >= count, label)
    for backup in backups {
      let minute = (backup.moment.secondsSince1970 - VaultTrial.time(0).secondsSince1970) / 60
      let opened = try vault.open(BackupSelection(.id(backup.id)))
      let state = try BackupChain(full: opened.path, changes: [])
      #expect(state.contentDigest == digests[Int(minute)], label)
      withExtendedLifetime(opened) {}
    }
  }

  /// Long runs try some, with 30 states each.
  private static let timelines = Effort.isLong ? Effort.factor : 0

  /// Full archives, changes, and forgetting at random: whatever is listed is restored as it was.
  @Test func anythingThatIsListedIsRestoredAsItWas() throws {
    for seed in 1...UInt64(max(1, Self.timelines)) {
      try requireLaw(seed: seed, states: Self.timelines > 0 ? 30 : 12)
    }
  }

  private func requireLaw(seed: UInt64, states: Int) throws {
    var random = SeededGenerator(seed: seed)
    let (trial, clock) = (try VaultTrial(), Clock())
    let place = clock.makePlace()
    let vault = Vault("memory:", place: place)
    var digests: [String] = []
    for minute in 0..<states {
      var edits = RandomEdits(seed: random.next())
      // Often, nothing has changed.
      if random.chance(0.8) { try edits.make(1 + random.below(6), in: trial.store) }
      let digest = try trial.contentDigest()
      if minute == 0 || random.chance(0.2) {
        try trial.backup(at: minute, to: vault, options: VaultTrial.full)
      } else {
        #expect(try trial.increment(at: minute, to: vault, in: place) == digest)
      }
      digests.append(digest)
      clock.advance(hours: Int64([1, 24, 24, 24 * 20][random.below(4)]))
      guard random.chance(0.4) else { continue }
      var policy = Self.keeping(1 + random.below(5))
      policy.hourly = random.below(3)
      if let pinned = try vault.backups().randomElement(using: &random), random.chance(0.5) {
        policy.pinned = [pinned.id]
      }
      try vault.forget(policy, of: nil, isDryRun: false, now: clock.now)
      try requireRight(vault, trial, digests, count: 1, "seed \(seed), state \(minute)")
    }
    var options = VaultCheckOptions()
    options.readsData = true
    #expect(try vault.check(options).problems == [], "seed \(seed)")
  }
}
