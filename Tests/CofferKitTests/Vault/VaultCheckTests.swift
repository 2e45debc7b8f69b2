internal import CofferKit
internal import CoreDataModel
internal import Foundation
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

  @Test func everyFlippedBitIsNamed() throws {
    let trial = try VaultTrial()
    let backup = try trial.backup(at: 0).backup
    let path = "\(trial.vault.location)/\(backup.fileName)"
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    for (step, offset) in stride(from: 0, to: sound.count, by: 397).enumerated() {
      var damaged = sound
      damaged[offset] ^= 1 << (step % 8)
      try damaged.write(to: URL(fileURLWithPath: path))
      let summary = try trial.vault.check(Self.reading)
      #expect(summary.problems.map(\.backup.id) == [backup.id], "byte \(offset)")
      #expect(summary.unusable == [backup.id])
    }
  }

  @Test func oldAndSmallBackupsAreNamed() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.edit("DELETE FROM ZATTACHMENTENTITY")
    try trial.backup(at: 1, options: VaultTrial.full)
    var options = VaultCheckOptions()
    options.greatestAge = 3_600
    let sound = try trial.vault.check(options, of: nil, now: VaultTrial.time(61))
    #expect(sound.problems == [])
    let old = try trial.vault.check(options, of: nil, now: VaultTrial.time(62))
    #expect(old.problems.map(\.kind) == [.tooOld])
    options.greatestAge = nil
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
