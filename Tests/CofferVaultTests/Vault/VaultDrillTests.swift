internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The restored stores of a drill, and its findings.
@Suite struct VaultDrillTests {
  @Test func aSoundVaultComesBackAndNothingIsLeft() throws {
    let trial = try VaultTrial()
    for minute in 0..<3 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute)
    }
    var vault = trial.vault
    vault.environment.temporaryFolder = trial.directory.file("Temporary")
    try FileManager.default.createDirectory(
      atPath: trial.directory.file("Temporary"), withIntermediateDirectories: true)
    let before = try trial.files()
    let summary = try vault.drill(sampleSize: 3)
    #expect(summary.problems == [])
    #expect(summary.unusable.isEmpty)
    #expect(summary.backups.map(\.id) == (try vault.backups().map(\.id)))
    #expect(summary.readByteCount == summary.backups.reduce(0) { $0 + $1.byteCount })
    #expect(try trial.files() == before)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: trial.directory.file("Temporary"))
    #expect(left == [])
  }

  @Test(arguments: [
    (1, [6]), (2, [0, 6]), (3, [0, 3, 6]), (4, [0, 2, 4, 6]), (7, Array(0...6)), (9, Array(0...6)),
  ])
  func theLatestAndOthersEvenlySpreadAreRestored(_ size: Int, _ chosen: [Int]) throws {
    let trial = try VaultTrial()
    for minute in 0..<7 { try trial.backup(at: minute) }
    let all = try trial.vault.backups().map(\.id)
    let summary = try trial.vault.drill(sampleSize: size)
    #expect(summary.backups.map(\.id) == chosen.map { all[$0] })
  }

  @Test func aDamagedBackupIsNamedAndTheOthersComeBack() throws {
    let trial = try VaultTrial()
    let first = try trial.backup(at: 0).backup
    try trial.backup(at: 1, options: VaultTrial.full)
    let path = "\(trial.vault.location)/\(first.fileName)"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: URL(fileURLWithPath: path))
    let summary = try trial.vault.drill(sampleSize: 2)
    #expect(summary.backups.count == 2)
    #expect(summary.problems.map(\.kind) == [.notRestored])
    #expect(summary.problems.map(\.backup?.id) == [first.id])
    #expect(summary.unusable == [first.id])
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
    let summary = try trial.vault.drill()
    #expect(summary.problems.map(\.kind) == [.otherState])
    #expect(summary.unusable == [second.id])
  }

  @Test func errorsThatTheStoreHadAreANote() throws {
    let trial = try VaultTrial()
    try trial.edit("UPDATE ZATTACHMENTENTITY SET ZITEM = 99 WHERE ZITEM NOT NULL")
    let backup = try trial.backup(at: 0).backup
    let summary = try trial.vault.drill()
    #expect(summary.problems == [])
    #expect(summary.unusable.isEmpty)
    #expect(summary.notes.map(\.kind) == [.oldErrors])
    #expect(summary.notes.map(\.backup?.id) == [backup.id])
    #expect(summary.notes.first?.detail.contains("AttachmentEntity/p") == true)
  }

  /// A restore raises them, so that the content digest is another one.
  @Test func countersThatARestoreRaisesAreANote() throws {
    let trial = try VaultTrial()
    try trial.edit("UPDATE Z_PRIMARYKEY SET Z_MAX = -1 WHERE Z_NAME = 'TagEntity'")
    try trial.backup(at: 0)
    let summary = try trial.vault.drill()
    #expect(summary.problems == [])
    #expect(summary.unusable.isEmpty)
    #expect(summary.notes.map(\.kind) == [.raisedCounters])
    #expect(summary.notes.first?.detail.hasSuffix(": TagEntity") == true)
  }

  /// Damages the store that a drill restores in a folder once it is to be verified.
  private struct Intruder: ProgressReporter {
    let folder: String

    func report(_ progress: WorkProgress) {
      guard progress.phase == .opening,
        let path = try? FileManager.default.subpathsOfDirectory(atPath: folder)
          .first(where: { $0.hasSuffix("/Restored.sqlite") })
      else { return }
      try? GeneratorDatabase(path: "\(folder)/\(path)").run(
        "UPDATE ZATTACHMENTENTITY SET ZITEM = 99 WHERE ZITEM NOT NULL")
    }
  }

  @Test func errorsThatOnlyTheRestoredStoreHasAreAProblem() throws {
    let trial = try VaultTrial()
    let backup = try trial.backup(at: 0).backup
    let folder = trial.directory.file("Temporary")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var vault = trial.vault
    vault.environment.temporaryFolder = folder
    vault.progress = Intruder(folder: folder)
    let summary = try vault.drill()
    #expect(summary.problems.map(\.kind) == [.invalidData])
    #expect(summary.problems.map(\.backup?.id) == [backup.id])
    #expect(summary.problems.first?.detail.contains("AttachmentEntity/p") == true)
    #expect(summary.notes == [])
    // It comes back as it was backed up.
    #expect(summary.unusable.isEmpty)
  }

  @Test func anEncryptedVaultNeedsTheKey() throws {
    let trial = try VaultTrial()
    let key = "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"
    let identities = try ArchiveIdentity.identities(inFile: Array(key.utf8))
    try trial.backup(
      at: 0, options: BackupOptions(recipients: identities.compactMap(\.recipient)))
    let error = #expect(throws: CofferError.self) { try trial.vault.drill() }
    #expect(error?.code == .encryptedArchive)
    var vault = trial.vault
    vault.environment.identities = identities
    #expect(try vault.drill().problems == [])
  }

  /// The memory of a process that restores many backups is that of one that restores a few.
  @Test(.enabled(if: ProgramMemory.isPossible, "needs the program and python3"))
  func manyBackupsTakeTheMemoryOfAFew() throws {
    let count = Effort.tries(24)
    let trial = try VaultTrial()
    for minute in 0..<count { try trial.backup(at: minute) }
    func peak(_ sample: Int) throws -> Int {
      try ProgramMemory.peak(["vault", "drill", trial.vault.location, "--sample", "\(sample)"])
    }
    let (few, all) = (try peak(8), try peak(count))
    print("memory of \(count) restored backups: \(all >> 10) KiB; of 8: \(few >> 10) KiB")
    #expect(all - few < 6 << 20)
  }
}
