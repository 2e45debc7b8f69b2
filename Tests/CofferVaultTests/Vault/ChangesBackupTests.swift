internal import CofferKit
internal import CoreDataArchive
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Backups of changes: their content, and that they give the state of the store together with their base.
@Suite struct ChangesBackupTests {
  @Test func nothingChangedIsAFewKilobytes() throws {
    let trial = try VaultTrial()
    #expect(try trial.backup(at: 0).fullReason == .first)
    let made = try trial.backup(at: 1)
    #expect(made.fullReason == nil)
    #expect(made.backup.kind == .changes)
    #expect(made.backup.byteCount <= 10_000)
    #expect(try trial.changeCount(in: made.backup) == 0)
    try trial.requireState(of: made.backup)
  }

  @Test func oneRowThatChangedIsOneRowInTheBackup() throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.rename("other")
    let made = try trial.backup(at: 1).backup
    #expect(made.kind == .changes)
    #expect(try trial.changes(in: made).differences.objects.changed == 1)
    #expect(try trial.changeCount(in: made) == 1)
    try trial.requireState(of: made)
    try trial.edit("DELETE FROM ZTAGENTITY WHERE Z_PK = 1")
    try trial.edit("INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (900, 9, 1, 'new')")
    let next = try trial.backup(at: 2).backup
    let found = try trial.changes(in: next).differences.objects
    #expect((found.added, found.removed, found.changed) == (1, 1, 0))
    try trial.requireState(of: next)
  }

  @Test func everyStateOfRandomStoresIsWhatItWas() throws {
    for seed in 1...UInt64(max(4, ChangesTrial.rounds / 3)) {
      let trial = try VaultTrial { path in
        let changes = try ChangesTrial()
        defer { withExtendedLifetime(changes) {} }
        _ = try StoreFiles(changes.generatedStore(seed: seed)).copy(to: path)
      }
      for number in 0..<4 {
        let made = try trial.backup(at: number)
        #expect(
          made.fullReason == (number == 0 ? .first : nil) || made.fullReason == .outgrown,
          "seed \(seed)")
        try trial.requireState(of: made.backup, "seed \(seed), state \(number)")
        var edits = RandomEdits(seed: seed &+ UInt64(number) &* 7919)
        try edits.make(1 + Int(seed) % 30, in: trial.store)
      }
    }
  }

  /// The places of blobs, and the names of large values, depend on the rows before.
  @Test func rowsWithValuesOutsideTheirLinesAreToldApart() throws {
    let trial = try VaultTrial { path in
      try SampleStore.write(to: path)
      let database = try GeneratorDatabase(path: path)
      try database.registerCoreDataFunctions()
      try database.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
        INSERT INTO ZATTACHMENTENTITY (Z_PK, Z_ENT, Z_OPT, ZCONTENT)
        SELECT i, 1, 1, CAST(x'01' || zeroblob(i * 2) AS BLOB) FROM n
        """)
      try database.run(
        """
        UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(4194304 + Z_PK) AS BLOB)
        WHERE Z_PK IN (1060, 1070)
        """)
    }
    try trial.backup(at: 0)
    // The first one moves all others; the second one stays as long as it was.
    try trial.edit("UPDATE ZATTACHMENTENTITY SET ZCONTENT = x'0102' WHERE Z_PK = 1000")
    try trial.edit(
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || randomblob(2100) AS BLOB) "
        + "WHERE Z_PK = 1050")
    let blobs = try trial.backup(at: 1).backup
    #expect(try trial.changeCount(in: blobs) == 2)
    try trial.requireState(of: blobs)
    try trial.edit(
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = "
        + "CAST(substr(ZCONTENT, 1, 3000000) || x'07' || substr(ZCONTENT, 3000002) AS BLOB) "
        + "WHERE Z_PK = 1070")
    let large = try trial.backup(at: 2, options: Self.small).backup
    #expect(try trial.changeCount(in: large) == 1)
    try trial.requireState(of: large)
    try trial.edit("UPDATE ZATTACHMENTENTITY SET ZCONTENT = NULL WHERE Z_PK = 1060")
    let last = try trial.backup(at: 3).backup
    #expect(try trial.changeCount(in: last) == 1)
    try trial.requireState(of: last)
  }

  private static var small: BackupOptions { BackupOptions(compression: .gzip) }

  @Test func filesThatComeChangeAndGoAreInTheBackup() throws {
    let trial = try VaultTrial()
    let folder = trial.directory.file(".Trips_SUPPORT/_EXTERNAL_DATA")
    let there = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try #require(there.count >= 2)
    try trial.backup(at: 0)
    try Data("new".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(UUID().uuidString)"))
    try Data("other".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(there[0])"))
    try FileManager.default.removeItem(atPath: "\(folder)/\(there[1])")
    let made = try trial.backup(at: 1).backup
    #expect(made.kind == .changes)
    let found = try trial.changes(in: made).differences.externalData
    #expect((found.added, found.removed, found.changed) == (1, 1, 1))
    try trial.requireState(of: made)
    #expect(try trial.changeCount(in: trial.backup(at: 2).backup) == 0)
  }

  #if os(Linux)
    /// Other file systems take both names for one.
    @Test func filesWhoseNamesDifferInTheirAccentsAreTwo() throws {
      let trial = try VaultTrial()
      let folder = trial.directory.file(".Trips_SUPPORT/_EXTERNAL_DATA")
      let names = ["caf\u{E9}", "cafe\u{301}"]
      func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      for name in names { try write("one of \(name.utf8.count) bytes", name) }
      try trial.requireState(of: trial.backup(at: 0).backup)
      for (minute, name) in names.enumerated() {
        try write("changed", name)
        let changed = try trial.backup(at: 2 * minute + 1).backup
        #expect(changed.kind == .changes)
        try trial.requireState(of: changed)
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try trial.requireState(of: trial.backup(at: 2 * minute + 2).backup)
      }
    }
  #endif

  @Test func severalConnectionsRecordTheSame() throws {
    let trial = try VaultTrial { path in
      var options = GeneratorOptions()
      options.objectCount = 12_000
      try StoreMaker.write(to: path, options)
    }
    var options = BackupOptions()
    options.threads = 4
    try trial.backup(at: 0, options: options)
    let four = try Data(contentsOf: URL(fileURLWithPath: trial.states()[0]))
    options.threads = 1
    options.isFull = true
    options.cacheFolder = trial.directory.file("Other")
    try trial.backup(at: 1, options: options)
    // All but the name of the backup.
    let file = try FileManager.default.subpathsOfDirectory(atPath: trial.directory.file("Other"))
      .first { $0.hasSuffix(".state") }
    let one = try Data(
      contentsOf: URL(fileURLWithPath: "\(trial.directory.file("Other"))/\(try #require(file))"))
    #expect(four.count == one.count)
    #expect(four.prefix(four.count / 2) == one.prefix(four.count / 2))
  }

  @Test func anEncryptedBackupOfChangesTakesNoSecret() throws {
    let key = "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"
    let recipient = "age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7"
    let trial = try VaultTrial()
    let options = BackupOptions(compression: .gzip, recipients: [recipient])
    try trial.backup(at: 0, options: options)
    try trial.rename("other")
    let made = try trial.backup(at: 1).backup
    #expect(made.kind == .changes && made.isEncrypted)
    #expect(made.fileName.hasSuffix(".coffer-changes.tar.gz.age"))
    var reading = trial
    reading.vault.environment.identities = try ArchiveIdentity.identities(inFile: Array(key.utf8))
    try reading.requireState(of: made)
    // A machine that cannot read the previous backup, and does not remember it, needs a full one.
    try FileManager.default.removeItem(atPath: trial.cache)
    #expect(try trial.backup(at: 2).fullReason == .unknownBase)
    try FileManager.default.removeItem(atPath: trial.cache)
    try trial.rename("third")
    let next = try reading.backup(at: 3)
    #expect(next.backup.kind == .changes)
    try reading.requireState(of: next.backup)
  }

  @Test func twoWritersAtOnceHaveABaseEach() async throws {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    try trial.rename("other")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { try trial.backup(at: 1) } }
      try await group.waitForAll()
    }
    let backups = try await trial.vault.backups()
    #expect(backups.count == 3)
    for backup in backups.dropFirst() { try trial.requireState(of: backup) }
  }
}
