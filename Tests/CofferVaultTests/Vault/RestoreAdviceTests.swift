internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import TestSupport
internal import Testing

/// The error about a damaged backup names the latest one of its store that is intact.
@Suite struct RestoreAdviceTests {
  private static func damage(_ backup: Backup, of trial: VaultTrial) throws {
    let path = "\(trial.vault.location)/\(backup.fileName)"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for index in bytes.count / 2..<bytes.count / 2 + 50 { bytes[index] = 0 }
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// The advice where those of six backups are damaged that these numbers name; the first and the fifth are
  /// full archives.
  private func advice(damaging numbers: [Int], restoring number: Int) throws -> (
    [CofferError.Advice], [Backup]
  ) {
    let trial = try VaultTrial()
    for minute in 0..<6 {
      try trial.rename("name \(minute)")
      try trial.backup(at: minute, options: minute == 4 ? VaultTrial.full : BackupOptions())
    }
    let all = try trial.vault.backups()
    for number in numbers { try Self.damage(all[number], of: trial) }
    let error = #expect(throws: CofferError.self) {
      try trial.vault.restore(
        BackupSelection(id: all[number].id), to: trial.directory.file("Restored.sqlite"))
    }
    return (error?.advice ?? [], all)
  }

  @Test(arguments: [
    ([5], 5, 4), ([4], 5, 3), ([4, 2], 4, 1), ([0], 2, 5), ([3], 3, 5),
  ])
  func theLatestIntactOneIsNamed(_ damaged: [Int], _ restored: Int, _ named: Int) throws {
    let (advice, all) = try advice(damaging: damaged, restoring: restored)
    #expect(
      advice == [.restoreBackup(id: all[named].id, time: all[named].moment.description)])
  }

  @Test func thatNoneIsIntactIsSaid() throws {
    let (advice, _) = try advice(damaging: [0, 4], restoring: 5)
    #expect(advice.last == "No other backup of the store is intact.")
  }
}
