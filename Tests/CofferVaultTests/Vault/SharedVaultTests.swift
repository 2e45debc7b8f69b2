internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// Concurrent changes of a vault, and wrong clocks: a run is right, or refused.
@Suite struct SharedVaultTests {
  // MARK: Two writers

  @Test func twoWritersOfOneFolderBothSucceed() async throws {
    let folder = try TemporaryDirectory()
    try await requireThatTwoWritersSucceed(FolderPlace(path: folder.file("vault")))
  }

  @Test(.enabled(if: S3Server.shared != nil, "\(S3Server.wanted)"))
  func twoWritersOfOneBucketBothSucceed() async throws {
    try await requireThatTwoWritersSucceed(try #require(S3Server.shared).newPlace())
  }

  /// Two machines with copies of one store, which have the same state now and then, and the same clock.
  private func requireThatTwoWritersSucceed(_ place: any BackupPlace) async throws {
    let trials = [try VaultTrial(), try VaultTrial()]
    let vault = Vault(place.address, place: place)
    let made = try await withThrowingTaskGroup(of: [BackupSummary].self) { group in
      for (writer, trial) in trials.enumerated() {
        group.addTask {
          try (0..<4).map { minute in
            try trial.rename(minute % 2 == 0 ? "both \(minute)" : "writer \(writer)")
            return try trial.backup(at: minute, to: vault)
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try requireRight(vault, trials[0], made)
  }

  /// Requires that all backups are listed, and restored as they were.
  private func requireRight(_ vault: Vault, _ trial: VaultTrial, _ made: [BackupSummary]) throws {
    #expect(Set(try vault.backups().map(\.id)) == Set(made.map(\.backup.id)))
    #expect(Set(made.map(\.backup.id)).count == made.count)
    for summary in made {
      let selection = BackupSelection(.id(summary.backup.id))
      #expect(try trial.restoredDigest(selection, from: vault) == summary.contentDigest)
    }
  }

  @Test func aSeriesThatAnotherWriterBeginsMeanwhileIsContinued() throws {
    let trial = try VaultTrial()
    let other: @Sendable (MemoryPlace) throws(CofferError) -> Void = { place throws(CofferError) in
      var options = VaultTrial.full
      options.cacheFolder = trial.directory.file("Other")
      do {
        _ = try trial.backup(at: 0, to: Vault("memory:", place: place), options: options)
      } catch {
        throw error as? CofferError ?? CofferError(.writeFailed, path: "\(error)")
      }
    }
    try beforeEachCall(to: MemoryPlace(), other) { vault, place, call in
      try? FileManager.default.removeItem(atPath: trial.cache)
      let made = try trial.backup(at: 1, to: vault)
      let backups = try Vault("memory:", place: place).backups()
      #expect(Set(backups.map(\.series)) == [made.backup.series], "call \(call)")
      #expect(backups.contains { $0.id == made.backup.id }, "call \(call)")
    }
  }

  @Test func backupsOfOneStateInTheSameSecondHaveIDsOfTheirOwn() throws {
    let (trial, model) = (try VaultTrial(), MemoryPlace())
    try trial.backup(at: 0, to: Vault("memory:", place: model))
    let cache = trial.directory.file("Remembered")
    try FileManager.default.moveItem(atPath: trial.cache, toPath: cache)
    try trial.rename("other")
    let digest = try trial.contentDigest()
    let other: @Sendable (MemoryPlace) throws(CofferError) -> Void = { place throws(CofferError) in
      var options = VaultTrial.full
      options.cacheFolder = trial.directory.file("Other")
      do {
        _ = try trial.backup(at: 1, to: Vault("memory:", place: place), options: options)
      } catch {
        throw error as? CofferError ?? CofferError(.writeFailed, path: "\(error)")
      }
    }
    try beforeEachCall(to: model, other) { vault, place, call in
      try? FileManager.default.removeItem(atPath: trial.cache)
      try FileManager.default.copyItem(atPath: cache, toPath: trial.cache)
      let made = try trial.backup(at: 1, to: vault)
      let after = Vault("memory:", place: place)
      let files = try place.list("").filter { $0.name.contains("Z-") }
      let backups = try after.backups()
      #expect(backups.count == files.count && backups.contains { $0.id == made.backup.id })
      #expect(Set(backups.map(\.id)).count == backups.count, "call \(call)")
      for backup in backups.dropFirst() {
        #expect(try trial.restoredDigest(BackupSelection(.id(backup.id)), from: after) == digest)
      }
    }
  }

  // MARK: Clocks

  @Test func backupsStayInTheOrderInWhichTheyWereMadeWhateverTheClockSays() throws {
    let trial = try VaultTrial()
    // An hour later, two years ahead, right again, before the first one, and at last later than all.
    let minutes = [0, 60, 1_000_000, 120, -1_000_000, 1_000_001]
    let made = try minutes.map { minute in
      try trial.rename("name \(minute)")
      return try trial.backup(at: minute)
    }
    #expect(made.map(\.fullReason) == [.first, nil, nil, nil, nil, nil])
    #expect(try trial.vault.backups().map(\.id) == made.map(\.backup.id))
    #expect(try trial.vault.find(BackupSelection()).id == made[5].backup.id)
    try requireRight(trial.vault, trial, made)
    var policy = RetentionPolicy()
    policy.last = 3
    try trial.vault.forget(policy)
    try requireRight(trial.vault, trial, made.suffix(3))
  }

  // MARK: What vanishes

  /// A vault in memory, with the content digest of each backup.
  private func makeVault(_ trial: VaultTrial) throws -> (MemoryPlace, digests: [String]) {
    let place = MemoryPlace()
    return (place, try trial.timeline(to: Vault("memory:", place: place), in: place))
  }

  /// Runs something once for each call that it makes, on a copy of the place each time, and does
  /// something before this call.
  private func beforeEachCall(
    to model: MemoryPlace, _ deed: @escaping @Sendable (MemoryPlace) throws(CofferError) -> Void,
    run: (_ vault: Vault, _ place: MemoryPlace, _ call: Int) throws -> Void
  ) throws {
    for call in 1...200 {
      let place = MemoryPlace(copying: model)
      let shared = InterposedPlace(place)
      shared.interpose { made throws(CofferError) in
        if made.number == call { try deed(place) }
      }
      try run(Vault("memory:", place: shared), place, call)
      if shared.callCount < call {
        #expect(call > 4)
        return
      }
    }
    Issue.record("the run does not end")
  }

  /// Removes the files of the oldest backups.
  private static func removing(
    _ count: Int
  ) -> @Sendable (MemoryPlace) throws(CofferError) -> Void {
    { place throws(CofferError) in
      for file in try place.list("").filter({ $0.name.contains("Z-") }).prefix(count) {
        try place.delete(file.name)
      }
    }
  }

  @Test func forgettingDoesNotDisturbARestoreThatRuns() throws {
    let trial = try VaultTrial()
    let (model, digests) = try makeVault(trial)
    let old = try Vault("memory:", place: model).backups()[2]
    var policy = RetentionPolicy()
    policy.last = 1
    let forgetting: @Sendable (MemoryPlace) throws(CofferError) -> Void = {
      [policy] place throws(CofferError) in
      do {
        // The second run could remove what the first one forgot.
        for _ in 0..<2 { try Vault("memory:", place: place).forget(policy) }
      } catch {
        throw error as? CofferError ?? CofferError(.readFailed, path: "\(error)")
      }
    }
    try beforeEachCall(to: model, forgetting) { vault, _, call in
      do {
        let digest = try trial.restoredDigest(BackupSelection(.id(old.id)), from: vault)
        #expect(digest == digests[2], "call \(call)")
      } catch let error as CofferError {
        // What was forgotten before it was looked for is not found.
        #expect(error.code == .noSuchBackup, "call \(call)")
        #expect(call <= 4)
      }
    }
  }

  @Test func aBaseThatVanishesWhileItIsRestoredLeadsToAnErrorOrTheRightStore() throws {
    let trial = try VaultTrial()
    let (model, digests) = try makeVault(trial)
    let old = try Vault("memory:", place: model).backups()[2]
    var (errors, stores) = (Set<CofferError.Code>(), 0)
    try beforeEachCall(to: model, Self.removing(4)) { vault, _, call in
      let target = trial.directory.file("Target-\(call).sqlite")
      do {
        try vault.restore(BackupSelection(.id(old.id)), to: target)
        #expect(try VaultTrial.contentDigest(target) == digests[2], "call \(call)")
        stores += 1
      } catch let error as CofferError {
        errors.insert(error.code)
        #expect(!FileManager.default.fileExists(atPath: target), "call \(call)")
      }
    }
    #expect(errors.isSubset(of: [.noSuchBackup, .missingEntry, .notFound]), "\(errors)")
    #expect(errors.contains(.notFound) && stores > 0)
  }

  /// With a remembered base, and with a base that has to be read.
  @Test(arguments: [true, false])
  func aBaseThatVanishesWhileABackupIsMadeLeavesNothingThatCannotBeRestored(
    isRemembered: Bool
  ) throws {
    let (trial, model) = (try VaultTrial(), MemoryPlace())
    try trial.backup(at: 0, to: Vault("memory:", place: model))
    let cache = trial.directory.file("Remembered")
    try FileManager.default.moveItem(atPath: trial.cache, toPath: cache)
    try trial.rename("other")
    let digest = try trial.contentDigest()
    var late = 0
    try beforeEachCall(to: model, Self.removing(1)) { vault, place, call in
      try? FileManager.default.removeItem(atPath: trial.cache)
      if isRemembered { try FileManager.default.copyItem(atPath: cache, toPath: trial.cache) }
      let made = try trial.backup(at: 1, to: vault)
      #expect(made.contentDigest == digest)
      let after = Vault("memory:", place: place)
      #expect(try after.backups().map(\.id).last == made.backup.id, "call \(call)")
      do {
        #expect(try trial.restoredDigest(BackupSelection(), from: after) == digest, "call \(call)")
      } catch let error as CofferError {
        // It vanished after the writer had looked for it for the last time.
        #expect(error.code == .missingEntry, "call \(call)")
        #expect(try after.check().problems.map(\.kind) == [.brokenChain], "call \(call)")
        late += 1
      }
    }
    #expect(late <= 1)
  }
}
