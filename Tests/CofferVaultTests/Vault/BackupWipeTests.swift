internal import CofferKit
internal import TestSupport
internal import Testing

/// A backup reports that an entity lost most of its objects since the previous one.
@Suite struct BackupWipeTests {
  /// A store with 30 more tags, whose counter knows them, after its first backup.
  private static func trial() throws -> VaultTrial {
    let trial = try VaultTrial()
    try trial.edit(
      """
      WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 1029)
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT)
      SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'), 1 FROM n
      """)
    try trial.edit("UPDATE Z_PRIMARYKEY SET Z_MAX = 1029 WHERE Z_NAME = 'TagEntity'")
    try trial.backup(at: 0)
    return trial
  }

  private static func wiped(_ summary: BackupSummary) -> [Name?] {
    summary.findings.filter { $0.code == .silentWipe }.map(\.entityName)
  }

  enum Way: CaseIterable { case changes, full, withoutMemory, afterMigration }

  @Test(arguments: Way.allCases) func mostObjectsAreGone(_ way: Way) throws {
    let trial = try Self.trial()
    try trial.edit("DELETE FROM ZTAGENTITY")
    if way == .afterMigration { try trial.edit("CREATE INDEX ANOTHER ON ZTAGENTITY (ZNAME)") }
    var options = BackupOptions()
    options.isFull = way == .full
    if way == .withoutMemory { options.cacheFolder = trial.directory.file("Other") }
    let summary = try trial.backup(at: 1, options: options)
    #expect(Self.wiped(summary) == ["TagEntity"])
    #expect(
      summary.fullReason
        == (way == .full ? .requested : way == .afterMigration ? .incomparable : nil))
    // The next one has as many as this one.
    options.isFull = false
    #expect(try Self.wiped(trial.backup(at: 2, options: options)) == [])
  }

  /// Tags with new keys.
  private static func tags(_ count: Int) -> [String] {
    [
      """
      WITH RECURSIVE n(k) AS (SELECT 2000 UNION ALL SELECT k + 1 FROM n WHERE k < \(1999 + count))
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT)
      SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'), 1 FROM n
      """, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(1999 + count) WHERE Z_NAME = 'TagEntity'",
    ]
  }

  /// Also if so many are inserted that most seem to be there.
  @Test(arguments: Way.allCases, [1, 12]) func newObjectsDoNotHideAWipe(
    _ way: Way, _ count: Int
  ) throws {
    let trial = try Self.trial()
    try trial.edit("DELETE FROM ZTAGENTITY WHERE Z_PK >= 1000")
    for statement in Self.tags(count) { try trial.edit(statement) }
    if way == .afterMigration { try trial.edit("CREATE INDEX ANOTHER ON ZTAGENTITY (ZNAME)") }
    var options = BackupOptions()
    options.isFull = way == .full
    if way == .withoutMemory { options.cacheFolder = trial.directory.file("Other") }
    let summary = try trial.backup(at: 1, options: options)
    // A migration may renumber objects, so only the counts decide.
    #expect(
      Self.wiped(summary) == (way == .afterMigration && count == 12 ? [] : ["TagEntity"]))
  }

  @Test func objectsThatAreReplacedAreNotWiped() throws {
    let trial = try Self.trial()
    try trial.edit("DELETE FROM ZTAGENTITY WHERE Z_PK >= 1000")
    for statement in Self.tags(15) { try trial.edit(statement) }
    #expect(try Self.wiped(trial.backup(at: 1)) == [])
  }

  @Test(arguments: [
    "DELETE FROM ZTAGENTITY WHERE Z_PK < 1008",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1030 WHERE Z_NAME = 'TagEntity'",
    "UPDATE ZTAGENTITY SET ZNAME = NULL",
  ])
  func fewerAreGone(_ edit: String) throws {
    let trial = try Self.trial()
    try trial.edit(edit)
    #expect(try Self.wiped(trial.backup(at: 1)) == [])
  }

  /// The report of a backup equals a comparison of both states.
  @Test(arguments: 0..<12, [0, 9]) func theRuleIsThatOfVerify(_ kept: Int, _ new: Int) throws {
    let trial = try Self.trial()
    let older = trial.directory.file("Older.coffer.tar.gz")
    try StoreExporter().export(storeAt: trial.store, to: older)
    try trial.edit(
      "DELETE FROM ZTAGENTITY WHERE Z_PK NOT IN (SELECT Z_PK FROM ZTAGENTITY LIMIT \(kept * 2))")
    if new > 0 { for statement in Self.tags(new) { try trial.edit(statement) } }
    var found: [Name?] = []
    try Verifier().verify(trial.store, against: older) {
      if $0.code == .silentWipe { found.append($0.entityName) }
    }
    #expect(try Self.wiped(trial.backup(at: 1)) == found)
  }
}
