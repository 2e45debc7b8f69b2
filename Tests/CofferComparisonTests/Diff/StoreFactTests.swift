internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Differences of the stores themselves: metadata, model and files.
@Suite struct StoreFactTests {
  let samples: SampleSources

  init() throws { samples = try SampleSources() }

  private func expect(
    _ expected: [String], _ changed: String, _ form: Form,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let (first, second) = try form.sources(samples.sample, changed, samples)
    let found = try differences(first, second)
    #expect(found.texts == expected, sourceLocation: location)
    #expect(!found.summary.isEqual, sourceLocation: location)
  }

  private static func replace(_ old: String, by new: String, in store: String) throws {
    let database = try GeneratorDatabase(path: store)
    guard case .blob(let list)? = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first
    else { throw GeneratorError("no metadata") }
    var data = Data(list)
    let range = try #require(data.range(of: Data(old.utf8)))
    data.replaceSubrange(range, with: Data(new.utf8))
    try database.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(Array(data))])
  }

  @Test(arguments: Form.allCases) func keyOfMetadataIsNamed(_ form: Form) throws {
    let renamed = try samples.copy {
      try Self.replace("AppLastSync", by: "AppLastSynk", in: $0.path)
    }
    try expect(["removed metadata AppLastSync", "added metadata AppLastSynk"], renamed, form)
    let value = try samples.copy(named: "Value") {
      try Self.replace("columns", by: "kolumns", in: $0.path)
    }
    try expect(["changed metadata AppSettings"], value, form)
  }

  @Test(arguments: Form.allCases) func entityOfModelIsNamed(_ form: Form) throws {
    var entities = TodoModel.model.entities
    let position = try #require(entities.firstIndex { $0.name == "TagEntity" })
    entities[position].userInfo["new"] = .string("value")
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: ["7"], source: .modelCache)
    let cache = try ModelCacheWriter.write(model)
    let changed = try samples.copy {
      try GeneratorDatabase(path: $0.path)
        .run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(cache)])
    }
    try expect(["changed model TagEntity", "changed model"], changed, form)
  }

  @Test func modelThatIsOnlyCompressedInAnotherWayIsTheSame() throws {
    let archive = ModelCacheWriter.archive(TodoModel.model)
    #expect(archive.count < 65_536)
    // One stored block of deflate.
    let count = UInt16(archive.count)
    let header: [UInt8] = [
      1, UInt8(count & 255), UInt8(count >> 8), ~UInt8(count & 255), ~UInt8(count >> 8),
    ]
    let changed = try samples.copy {
      try GeneratorDatabase(path: $0.path)
        .run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(header + archive)])
    }
    #expect(try differences(samples.sample, changed).texts == [])
  }

  private static let file = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"

  @Test(arguments: Form.allCases) func filesAreComparedByContent(_ form: Form) throws {
    let changed = try samples.copy { files in
      let path = "\(files.externalDataFolder)/\(Self.file)"
      var data = try #require(FileManager.default.contents(atPath: path))
      data[data.count - 1] ^= 1
      try data.write(to: URL(fileURLWithPath: path))
    }
    try expect(["changed file \(Self.file) 20000 20000"], changed, form)
    let others = try samples.copy(named: "Others") { files in
      try FileManager.default.removeItem(atPath: "\(files.externalDataFolder)/\(Self.file)")
      try Data([1, 2]).write(
        to: URL(fileURLWithPath: "\(files.externalDataFolder)/00000000-0000-0000-0000-000000000000")
      )
      try Data([1]).write(to: URL(fileURLWithPath: "\(files.supportFolder)/more"))
    }
    try expect(
      [
        "added file 00000000-0000-0000-0000-000000000000 -1 2",
        "removed file \(Self.file) 20000 -1", "added file more -1 1",
      ], others, form)
  }

  @Test(arguments: Form.allCases) func pairsWithoutKeyAreComparedByContent(_ form: Form) throws {
    func rebuilt(_ name: String, order: String, columns: String) throws -> String {
      try samples.copy(
        named: name,
        changing: [
          "CREATE TABLE old AS SELECT * FROM Z_4TAGS ORDER BY 1 \(order), 2 \(order)",
          "DROP TABLE Z_4TAGS", "CREATE TABLE Z_4TAGS (\(columns))",
          "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) SELECT * FROM old", "DROP TABLE old",
        ])
    }
    let up = try rebuilt("Up", order: "ASC", columns: "Z_4TODOS INTEGER, Z_9TAGS INTEGER")
    let down = try rebuilt("Down", order: "DESC", columns: "Z_4TODOS INTEGER, Z_9TAGS INTEGER")
    let turned = try rebuilt(
      "Turned", order: "ASC",
      columns: "Z_9TAGS INTEGER, Z_4TODOS INTEGER, PRIMARY KEY (Z_9TAGS, Z_4TODOS)")
    for (left, right) in [(up, down), (samples.sample, down), (samples.sample, turned)] {
      let (first, second) = try form.sources(left, right, samples)
      let summary = try differences(first, second).summary
      #expect(summary.pairs.total == 0)
      #expect(summary.objects.total == 0)
      #expect(summary.tables.isEmpty)
    }
    let less = try samples.copy(
      of: down, named: "Less", changing: ["DELETE FROM Z_4TAGS WHERE Z_9TAGS = 5"])
    let (first, second) = try form.sources(up, less, samples)
    #expect(try differences(first, second).texts == ["removed TodoEntity.tags 1-5"])
  }

  @Test(arguments: Form.allCases) func relationshipMayBeNamedByEitherEnd(_ form: Form) throws {
    let renamed = try samples.copy(
      changing: [
        "ALTER TABLE Z_4TAGS RENAME TO Z_9TODOS",
        "ALTER TABLE Z_4ASSIGNEES RENAME TO Z_7ASSIGNMENTS",
      ])
    let (first, second) = try form.sources(samples.sample, renamed, samples)
    let summary = try differences(first, second).summary
    #expect(summary.pairs.total == 0)
    #expect(summary.objects.total == 0)
    let less = try samples.copy(
      of: renamed, named: "Less",
      changing: [
        "DELETE FROM Z_9TODOS WHERE Z_9TAGS = 5",
        "UPDATE Z_7ASSIGNMENTS SET Z_FOK_7ASSIGNEES = 3 WHERE Z_7ASSIGNEES = 2",
      ])
    let (left, right) = try form.sources(samples.sample, less, samples)
    let texts = try differences(left, right).texts.filter { !$0.contains("schema") }
    #expect(texts == ["changed TodoEntity.assignees 1-2", "removed TodoEntity.tags 1-5"])
  }

  @Test func rowsWithoutRowNumbersAreComparedInAnyOrder() throws {
    let table = "CREATE TABLE words (a TEXT COLLATE NOCASE PRIMARY KEY, b) WITHOUT ROWID"
    let left = try samples.copy(
      named: "Left",
      changing: [table, "INSERT INTO words VALUES ('a', 1), ('B', 2), ('c', 3), ('d', 4)"])
    let right = try samples.copy(
      named: "Right", changing: [table, "INSERT INTO words VALUES ('B', 2), ('c', 4), ('d', 4)"])
    #expect(try differences(left, right).texts == ["unknown words +1 -2 ~0"])
    #expect(try differences(left, left).texts == [])
  }
}
