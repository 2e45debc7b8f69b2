internal import BackupPlaces
internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

/// A vault is the same wherever it is.
@Suite struct VaultOnServicesTests {
  @Test(.enabled(if: S3Server.shared != nil, "\(S3Server.wanted)"))
  func aBucketKeepsBackups() throws {
    try keepsBackups(try #require(S3Server.shared).newPlace())
  }

  @Test(.enabled(if: RclonePlace.isInstalled, "the program rclone"))
  func aRemoteKeepsBackups() throws {
    let folder = try TemporaryDirectory()
    try keepsBackups(try RclonePlace.folder(folder.file("remote")))
  }

  private func keepsBackups(_ place: any BackupPlace) throws {
    let trial = try VaultTrial()
    let vault = Vault(place.address, place: place)
    let digests = try [0, 1, 2].map { minute in
      try trial.rename("Tag \(minute)")
      let digest = try trial.contentDigest()
      // The second backup is of changes; the third needs neither.
      let options = minute == 2 ? VaultTrial.full : BackupOptions()
      let summary = try trial.backup(at: minute, to: vault, options: options)
      #expect(summary.contentDigest == digest)
      return digest
    }
    let backups = try vault.backups()
    #expect(backups.map(\.storeName) == ["Trips.sqlite", "Trips.sqlite", "Trips.sqlite"])
    for (backup, digest) in zip(backups, digests) {
      #expect(try trial.restoredDigest(BackupSelection(.id(backup.id)), from: vault) == digest)
    }
    var options = VaultCheckOptions()
    options.readsData = true
    #expect(try vault.check(options).problems == [])
    var policy = RetentionPolicy()
    policy.last = 1
    _ = try vault.forget(policy)
    #expect(try vault.backups().map(\.id) == [backups[2].id])
    #expect(try trial.restoredDigest(BackupSelection(), from: vault) == digests[2])
    let later = Instant(secondsSince1970: Int64(Date().timeIntervalSince1970) + 7_200)
    _ = try vault.forget(policy, of: nil, isDryRun: false, now: later)
    #expect(!(try place.list("").map(\.name)).contains { $0.hasSuffix(".forgotten") })
    #expect(try trial.restoredDigest(BackupSelection(), from: vault) == digests[2])
  }
}
