internal import BackupPlaces
internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What a check of a vault finds.
@Suite struct VaultCheckTests {
  private static let reading = {
    var options = VaultCheckOptions()
    options.readsData = true
    return options
  }()

  @Test func aSoundVaultHasNoProblem() throws {
    let trial = try VaultTrial()
    for minute in 0..<3 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute)
    }
    let summary = try trial.vault.check(Self.reading)
    #expect(summary.problems == [])
    #expect(summary.backups.count == 3)
    #expect(summary.readByteCount == summary.backups.reduce(0) { $0 + $1.byteCount })
    #expect(summary.unusable.isEmpty)
  }

  @Test func everyFileThatIsReadIsProgress() throws {
    let trial = try VaultTrial()
    try trial.timeline(in: FolderPlace(path: trial.vault.location))
    let recorder = ProgressRecorder()
    var vault = trial.vault
    vault.progress = recorder
    _ = try vault.check(Self.reading)
    let states = recorder.reports.filter { $0.phase == .backups }
    #expect(states.map(\.completed) == Array(0...6))
    #expect(states.allSatisfy { $0.total == 6 })
  }

  @Test func aFlippedBitAnywhereIsNamed() throws {
    let trial = try VaultTrial()
    let backup = try trial.backup(at: 0).backup
    let path = "\(trial.vault.location)/\(backup.fileName)"
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    for (step, offset) in stride(from: 0, to: sound.count, by: 397).enumerated() {
      var damaged = sound
      damaged[offset] ^= 1 << (step % 8)
      try damaged.write(to: URL(fileURLWithPath: path))
      let summary = try trial.vault.check(Self.reading)
      #expect(summary.problems.map(\.backup?.id) == [backup.id], "byte \(offset)")
      #expect(summary.unusable == [backup.id])
    }
  }

  private static let flips = Effort.tries(10)

  @Test func aFlippedBitIsNamedWithWhatNeedsIt() throws {
    let trial = try VaultTrial()
    let digests = try trial.timeline(in: FolderPlace(path: trial.vault.location))
    let sound = try trial.vault.check(Self.reading)
    #expect(sound.problems == [])
    #expect(sound.readByteCount == sound.backups.reduce(0) { $0 + $1.byteCount })
    let backups = sound.backups
    // The file that each chain begins with is the first or the fifth.
    func needs(_ index: Int, _ file: Int) -> Bool { file <= index && file / 4 == index / 4 }
    var random = SeededGenerator(seed: 17)
    var named = 0
    for round in 0..<Self.flips {
      let file = random.below(backups.count)
      let url = URL(fileURLWithPath: "\(trial.vault.location)/\(backups[file].fileName)")
      let whole = try Data(contentsOf: url)
      var damaged = whole
      let offset = random.below(whole.count)
      damaged[offset] ^= UInt8(1 << random.below(8))
      try damaged.write(to: url)
      let label: Comment = "round \(round), file \(file), byte \(offset)"
      let summary = try trial.vault.check(Self.reading)
      if !summary.problems.isEmpty {
        named += 1
        #expect(summary.problems.map(\.backup?.id) == [backups[file].id], label)
        let unusable = backups.indices.filter { needs($0, file) }.map { backups[$0].id }
        #expect(summary.unusable == Set(unusable), label)
      }
      let index = random.below(backups.count)
      do {
        let digest = try trial.restoredDigest(BackupSelection(.id(backups[index].id)))
        #expect(digest == digests[index], label)
      } catch is CofferError {
        #expect(summary.unusable.contains(backups[index].id), label)
      }
      try whole.write(to: url)
    }
    // A few bits, such as the last ones of compressed data, mean nothing.
    #expect(named * 10 >= Self.flips * 9)
  }

  @Test func aForgottenBaseIsReadToo() throws {
    let trial = try VaultTrial()
    try trial.timeline(in: FolderPlace(path: trial.vault.location))
    let backups = try trial.vault.backups()
    var policy = RetentionPolicy()
    policy.last = 3
    try trial.vault.forget(policy)
    #expect(try trial.vault.check(Self.reading).problems == [])
    let path = "\(trial.vault.location)/\(backups[0].fileName)"
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    try content.prefix(content.count - 100).write(to: URL(fileURLWithPath: path))
    let summary = try trial.vault.check(Self.reading)
    #expect(summary.problems.map(\.backup?.id) == [backups[0].id])
    #expect(summary.unusable == [backups[3].id])
    // What was noted before is intact no longer, and not the latest.
    #expect(
      try trial.vault.forget(policy, isDryRun: true).decisions.last?.reasons == [
        "last", "verified",
      ])
  }

  @Test func aStateThatTheFilesDoNotLeadToIsNamed() throws {
    let trial = try VaultTrial()
    let place = MemoryPlace()
    let vault = Vault("memory:", place: place)
    let digests = try trial.timeline(to: vault, in: place)
    let backup = try vault.backups()[3]
    // Whole by itself, but with another value.
    let path = trial.directory.file("changes.tar.gz")
    try Data(place.read(backup.fileName)).write(to: URL(fileURLWithPath: path))
    var changes = try ArchiveRewriter(path)
    for index in changes.entries.indices where changes.entries[index].name.hasSuffix(".ndjson") {
      changes.entries[index].text.replace("name 3", with: "name X")
    }
    try changes.write(to: path)
    try place.put(backup.fileName, from: path)
    let summary = try vault.check(Self.reading)
    #expect(summary.problems.map(\.kind) == [.brokenChain])
    #expect(summary.problems.map(\.backup?.id) == [backup.id])
    #expect(summary.unusable == [backup.id])
    let error = #expect(throws: CofferError.self) {
      try vault.open(BackupSelection(.id(backup.id)))
    }
    #expect(error?.code == .wrongState)
    // A restore puts the state together while it reads it.
    let target = trial.directory.file("Restored.sqlite")
    let refused = #expect(throws: CofferError.self) {
      try vault.restore(BackupSelection(.id(backup.id)), to: target)
    }
    #expect(refused?.code == .wrongState)
    #expect(!FileManager.default.fileExists(atPath: target))
    let before = BackupSelection(.until(VaultTrial.time(2)))
    #expect(try trial.restoredDigest(before, from: vault) == digests[2])
  }

  @Test func anEmptyVaultIsTooOld() throws {
    let trial = try VaultTrial()
    let backup = try trial.backup(at: 0).backup
    try FileManager.default.removeItem(atPath: "\(trial.vault.location)/\(backup.fileName)")
    var options = VaultCheckOptions()
    #expect(try trial.vault.check(options).problems == [])
    options.maxAge = 1_000_000_000
    let summary = try trial.vault.check(options)
    #expect(summary.problems.map(\.kind) == [.tooOld])
    #expect(summary.problems.map(\.backup) == [nil])
  }

  @Test func aVaultThatCannotBeWrittenToIsChecked() throws {
    let trial = try VaultTrial()
    let place = MemoryPlace()
    try trial.backup(at: 0, to: Vault("memory:", place: place))
    let vault = Vault("memory:", place: ReadOnlyPlace(place: place))
    let summary = try vault.check(Self.reading)
    #expect(summary.problems == [])
    #expect(summary.noteFailure?.code == .accessDenied)
  }

  @Test func oldAndSmallBackupsAreNamed() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.edit("DELETE FROM ZATTACHMENTENTITY")
    try trial.backup(at: 1, options: VaultTrial.full)
    var options = VaultCheckOptions()
    options.maxAge = 3_600
    let sound = try trial.vault.check(options, of: nil, now: VaultTrial.time(61))
    #expect(sound.problems == [])
    let old = try trial.vault.check(options, of: nil, now: VaultTrial.time(62))
    #expect(old.problems.map(\.kind) == [.tooOld])
    options.maxAge = nil
    options.smallestSizeRatio = 1
    #expect(try trial.vault.check(options).problems.map(\.kind) == [.shrunk])
  }

  @Test func anotherStateUnderTheNameIsFound() throws {
    let trial = try VaultTrial()
    let first = try trial.backup(at: 0).backup
    try trial.rename("other")
    let second = try trial.backup(at: 1, options: VaultTrial.full).backup
    let folder = trial.vault.location
    try FileManager.default.removeItem(atPath: "\(folder)/\(second.fileName)")
    try FileManager.default.copyItem(
      atPath: "\(folder)/\(first.fileName)", toPath: "\(folder)/\(second.fileName)")
    #expect(try trial.vault.check(Self.reading).problems.map(\.kind) == [.otherState])
  }
}

/// A place in which nothing can be written.
private struct ReadOnlyPlace: BackupPlace {
  let place: MemoryPlace
  var address: String { place.address }
  private var failure: CofferError { CofferError(.accessDenied, path: address) }

  func list(_ prefix: String) throws(CofferError) -> [PlacedFile] { try place.list(prefix) }
  func read(_ name: String, range: Range<UInt64>?) throws(CofferError) -> [UInt8] {
    try place.read(name, range: range)
  }
  func putIfAbsent(_ name: String, from file: String) throws(CofferError) -> Bool {
    throw failure
  }
  func put(_ name: String, from file: String) throws(CofferError) { throw failure }
  func delete(_ name: String) throws(CofferError) { throw failure }
}
