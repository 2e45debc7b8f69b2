internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct DamageTests {
  @Test(arguments: Damage.all) func changesTheStore(_ damage: Damage) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Todo.sqlite")
    try SampleStore.write(to: path)
    let before = try state(path)
    try damage.apply(to: path)
    #expect(try state(path) != before)
  }

  @Test func namesAreDifferent() {
    #expect(Set(Damage.all.map(\.name)).count == Damage.all.count)
  }

  /// Damage done by SQL leaves a database that SQLite itself finds intact.
  @Test(arguments: Damage.all.filter { damage in !Self.fileDamage.contains(damage.name) })
  func leavesAnIntactDatabase(_ damage: Damage) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Todo.sqlite")
    try SampleStore.write(to: path)
    try damage.apply(to: path)
    let database = try GeneratorDatabase(path: path)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
  }

  private static let fileDamage = [
    "broken-page", "truncated-file", "empty-file", "not-a-database", "wrong-free-list",
  ]

  private func state(_ path: String) throws -> [Data] {
    let files = StoreFiles(path)
    let folder = (path as NSString).deletingLastPathComponent
    let beside = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let external = files.externalFileNames.flatMap { name in
      let url = URL(fileURLWithPath: "\(files.externalDataFolder)/\(name)")
      return [Data(name.utf8), (try? Data(contentsOf: url)) ?? Data()]
    }
    let log = try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    return [try Data(contentsOf: URL(fileURLWithPath: path)), log ?? Data()] + external
      + beside.map { Data($0.utf8) }
  }
}
