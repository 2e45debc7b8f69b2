internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The scripts that back up every night do their work with stores that have defects of their own.
@Suite struct NightlyScriptTests {
  private static let resources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Commands").path

  private let folder: TemporaryDirectory
  private var store: String { folder.file("srv/trips/Trips.sqlite") }

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["srv/trips", "backup", "usr/local/bin"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try SampleStore.write(to: folder.file("srv/trips/Trips.sqlite"))
  }

  /// Runs a script of `packaging`, with its places in the folder, and shows each command on standard error.
  private func run(_ name: String) throws -> ProcessResult {
    var environment = ProcessInfo.processInfo.environment
    let program = URL(fileURLWithPath: try BuiltProgram.path()).deletingLastPathComponent().path
    environment["PATH"] =
      "\(Self.resources)/bin:\(program):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["ROOT"] = folder.path
    environment["XDG_CACHE_HOME"] = folder.file("cache")
    for script in ["coffer-backup", "coffer-backup-all", "coffer-backup-ping"] {
      let text = try Repository.text("packaging/\(script)")
        .replacing(#/(?<before>[\s=])\/(?<place>srv|backup|usr)\//#) {
          "\($0.output.before)\(folder.path)/\($0.output.place)/"
        }
        .replacing("/srv ", with: "\(folder.path)/srv ")
      let path = folder.file("usr/local/bin/\(script)")
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    return try ProcessRunner("/bin/sh", environment: environment)
      .run(["-x", folder.file("usr/local/bin/\(name)")])
  }

  /// What was printed, and whether old backups were forgotten.
  private static func outcome(_ result: ProcessResult) -> (said: [Substring], forgets: Bool) {
    let lines = result.errorOutput.split(separator: "\n")
    // The commands of a pipe are traced at the same time, so that pieces of their lines mix.
    let starts = ["Error: ", "Hint: ", "Warning: ", "error: ", "warning: "]
    let messages = lines.filter { line in starts.contains { line.hasPrefix($0) } }
    return (
      result.output.split(separator: "\n") + messages,
      lines.contains { $0.hasPrefix("+ coffer vault forget") }
    )
  }

  @Test(arguments: [
    "UPDATE ZATTACHMENTENTITY SET ZITEM = 99 WHERE ZITEM NOT NULL",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = -1",
  ])
  func aDefectOfTheAppsOwnDataLetsTheScriptReachForget(_ defect: String) throws {
    try GeneratorDatabase(path: store).run(defect)
    for script in ["coffer-backup", "coffer-backup-all"] {
      let result = try run(script)
      #expect(result.status == 0)
      let (said, forgets) = Self.outcome(result)
      #expect(said == [])
      #expect(forgets)
    }
  }

  /// 30 tags come, and all go; nothing is inserted.
  @Test func aWipeIsToldAndNothingIsForgotten() throws {
    let database = try GeneratorDatabase(path: store)
    try database.run(
      """
      WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 1029)
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT)
      SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'), 1 FROM n
      """)
    try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1029 WHERE Z_NAME = 'TagEntity'")
    #expect(try run("coffer-backup-ping").status == 0)
    try database.run("DELETE FROM ZTAGENTITY")
    let result = try run("coffer-backup-ping")
    #expect(result.status == 3)
    let pings = try String(contentsOfFile: folder.file("pings"), encoding: .utf8)
    #expect(pings == "https://hc-ping.com/your-uuid/0\nhttps://hc-ping.com/your-uuid/3\n")
    let sent = try String(contentsOfFile: folder.file("sent"), encoding: .utf8)
    #expect(sent.contains("error: TagEntity: the entity lost most of its objects"))
  }

  @Test func aStoreThatCannotBeBackedUpKeepsNeitherOthersNorForgetFromIt() throws {
    try SampleStore.write(to: folder.file("srv/Other.sqlite"))
    // A store whose pages are gone behind its first ones.
    let broken = folder.file("srv/Broken.sqlite")
    try SampleStore.write(to: broken)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: broken))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: broken))
    let result = try run("coffer-backup-all")
    #expect(result.status == 1)
    let (said, forgets) = Self.outcome(result)
    #expect(said.contains { $0.hasPrefix("Error: ") && $0.contains("Broken.sqlite") })
    #expect(forgets)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.file("backup/vault"))
    #expect(files.contains { $0.hasSuffix("-full.coffer.tar.gz") })
  }

  /// Cuts all backups.
  private func damageBackups() throws {
    let vault = folder.file("backup/vault")
    for name in try FileManager.default.subpathsOfDirectory(atPath: vault)
    where name.hasSuffix(".tar.gz") {
      let file = URL(fileURLWithPath: "\(vault)/\(name)")
      try Data(contentsOf: file).prefix(2000).write(to: file)
    }
  }

  @Test func aDamagedBackupKeepsOthersFromBeingForgotten() throws {
    #expect(try run("coffer-backup-all").status == 0)
    try damageBackups()
    let full = try run("coffer-backup-all")
    #expect(full.status == 3)
    #expect(full.errorOutput.contains("the previous backup is damaged, so this one is full"))
    // Of a store that is gone, the damaged backup stays the latest.
    try damageBackups()
    try FileManager.default.removeItem(atPath: folder.file("srv/trips"))
    try SampleStore.write(to: folder.file("srv/Other.sqlite"))
    let result = try run("coffer-backup-all")
    #expect(result.status == 3)
    #expect(!Self.outcome(result).forgets)
  }
}
