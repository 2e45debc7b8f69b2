internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Names from a model are data: whatever they are, an archive holds them and no file gets them.
@Suite struct RoundTripNameTests {
  /// Names that mean something in JSON, in SQL, in a path or in an archive's own lines.
  static let names: [Name] = [
    "$pk", "$entity", "$", "$$x", "a\"b", "a'b", "a\\b", "a/b", "../x", "/etc/passwd", ".", "..",
    "📷 photo", "línea", "a\u{0301}b", "a b", "%41", "a.b", "a:b", "null", "rowid", "ndjson",
    "line\nfeed", "index.json", "CON", "-rf", Name(String(repeating: "long", count: 40)),
  ]

  /// A store with an entity of a name, which has an attribute, a to-one relationship to itself and a
  /// many-to-many relationship with such names.
  ///
  /// The store is made under plain names and renamed, since the generator quotes nothing.
  private static func store(named name: Name, in folder: TemporaryDirectory) throws -> String {
    let path = folder.file("Store.sqlite")
    let builder = try SampleStoreBuilder(path: path, model: model("Plain", "attr", "parent"))
    let first = try builder.insert("Plain", ["attr": "one"])
    try builder.insert("Plain", ["attr": 2, "parent": .integer(first)])
    try builder.finish()
    let renamed = model(name, name, "\(name)2")
    let upper = name.text.uppercased().replacingOccurrences(of: "\"", with: "\"\"")
    try builder.database.run(
      """
      ALTER TABLE ZPLAIN RENAME COLUMN ZATTR TO "Z\(upper)";
      ALTER TABLE ZPLAIN RENAME COLUMN ZPARENT TO "Z\(upper)2";
      ALTER TABLE ZPLAIN RENAME TO "Z\(upper)"
      """)
    try builder.database.run(
      "UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = 'Plain'", [.string(name.text)])
    try builder.database.run(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(try ModelCacheWriter.write(renamed))])
    return path
  }

  private static func model(
    _ entity: Name, _ attribute: Name, _ relationship: Name
  ) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: entity, attributes: [.init(name: attribute, type: .string)],
          relationships: [
            .init(name: relationship, destinationName: entity, inverseName: nil, maxCount: 1)
          ])
      ],
      source: .modelCache)
  }

  @Test(arguments: names) func aStrangeNameComesBack(_ name: Name) throws {
    let folder = try TemporaryDirectory()
    let path = try Self.store(named: name, in: folder)
    let store = try PersistentStore(readingFrom: path)
    #expect(store.model.entities.map(\.name) == [name])
    let trip = try RoundTrip(of: path)
    #expect(try trip.problems() == [])
    #expect(trip.exported.objectCount == 2)
    #expect(trip.imported.findings == [])
  }

  /// Unpacked by stock tools, an archive writes below its folder alone.
  @Test(.enabled(if: ProcessRunner.find("tar") != nil, "needs tar"), arguments: names)
  func entriesOfAStrangeNameStayInTheirFolder(_ name: Name) throws {
    let folder = try TemporaryDirectory()
    let trip = try RoundTrip(of: try Self.store(named: name, in: folder))
    let listing = try ProcessRunner("/bin/sh").run(["-c", "tar -tzf \"$0\"", trip.archive])
    #expect(listing.status == 0)
    let entries = listing.output.split(separator: "\n")
    #expect(entries.last == "index.json")
    for entry in entries {
      let parts = entry.split(separator: "/", omittingEmptySubsequences: false)
      #expect(!parts.contains("..") && !parts.contains(".") && !parts.contains(""), "\(entry)")
    }
  }
}
