internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What does not fit into memory goes to a temporary file, and nothing else changes.
@Suite struct BoundedMemoryTests {
  /// So little that everything goes to the file at once.
  private static var tiny: VerificationOptions {
    var options = VerificationOptions()
    options.memory = 4096
    return options
  }

  @Test func aMillionthOfTheMemoryGivesTheSameFindings() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.externalCount, options.journal) = (5000, 20, .delete)
    try StoreMaker.write(to: path, options)
    for seed in 0..<40 as Range<UInt64> {
      var workshop = try DamageWorkshop(path, seed: seed)
      _ = try RandomDamage.all[Int(seed) % RandomDamage.all.count].apply(&workshop)
    }
    let expected = try Verification(of: path).findings
    #expect(expected.count > 20)
    #expect(try Verification(of: path, options: Self.tiny).findings == expected)
    let archived = try Verification.ofArchive(of: path).findings
    #expect(try Verification.ofArchive(of: path, options: Self.tiny).findings == archived)
  }

  @Test func hugeSparseKeysAreNoBurden() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Sparse.sqlite")
    let builder = try SampleStoreBuilder(path: path, schema: TodoModel.schema, journal: .delete)
    var random = SeededGenerator(seed: 11)
    let keys = Set((0..<2000).map { _ in Int64(random.next() >> 2) + 1 }).sorted()
    for key in keys {
      try builder.insert("TagEntity", ["name": .string("\(key)"), "color": 1], primaryKey: key)
    }
    try builder.finish()
    #expect(try Verification(of: path).texts == [])
    #expect(try Verification(of: path, options: Self.tiny).texts == [])
  }

  @Test func referencesToLaterObjectsAreDecidedAtTheEnd() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Forward.sqlite")
    let builder = try SampleStoreBuilder(path: path, schema: TodoModel.schema, journal: .delete)
    // Every to-do has the next one as its parent, and the last one's is not there.
    let count = 3000 as Int64
    for key in 1...count {
      try builder.insert(
        "TodoEntity",
        [
          "createdAt": 0, "flags": 0, "position": 0, "sequence": 0, "title": "", "isDone": 0,
          "priority": 1, "uuid": .blob(Array(repeating: 0, count: 16)),
        ], primaryKey: key)
    }
    try builder.database.run(
      "UPDATE ZITEMENTITY SET ZPARENT = Z_PK + 1, Z4_PARENT = 4")
    try builder.finish()
    let expected = ["error dangling-relationship TodoEntity/p\(count).parent"]
    #expect(try Verification(of: path).texts == expected)
    #expect(try Verification(of: path, options: Self.tiny).texts == expected)
    #expect(try Verification.ofArchive(of: path, options: Self.tiny).texts == expected)
  }
}
