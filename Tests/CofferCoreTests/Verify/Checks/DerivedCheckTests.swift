internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Every kind of derived attribute that can be evaluated, right and wrong.
@Suite struct DerivedCheckTests {
  /// Counts over all kinds of to-many relationships, copies over two kinds of to-one ones, and
  /// expressions that are not evaluated.
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Owner",
        attributes: [
          count("byInverse", .function(operand: nil, name: "count:", arguments: [path("items")])),
          count("byPath", path("items.@count")),
          count("pairs", path("others.@count")),
          count("owned", path("parts.@count")),
          count("friendCount", path("friends.@count")),
          count("sum", path("items.@sum.number")),
          AttributeDescription(
            name: "now", type: .date,
            derivation: Derivation(
              expression: .function(operand: nil, name: "now", arguments: []))),
        ],
        relationships: [
          toMany("items", "Item", inverse: "owner"), toMany("others", "Item", inverse: "fans"),
          toMany("parts", "Part", inverse: nil), toMany("friends", "Owner", inverse: "friends"),
        ]),
      EntityDescription(
        name: "Item",
        attributes: [
          AttributeDescription(name: "number", type: .double),
          derived("partNumber", .double, path("part.number")),
          derived("city", .string, path("part.address.city")),
          derived("parentNumber", .double, path("parent.number")),
        ],
        relationships: [
          RelationshipDescription(
            name: "owner", destinationName: "Owner", inverseName: "items", maxCount: 1),
          toMany("fans", "Owner", inverse: "others"),
          RelationshipDescription(name: "part", destinationName: "Part", maxCount: 1),
          RelationshipDescription(name: "parent", destinationName: "Item", maxCount: 1),
        ]),
      EntityDescription(
        name: "Part",
        attributes: [
          AttributeDescription(
            name: "address", type: .composite,
            elements: [AttributeDescription(name: "city", type: .string)]),
          AttributeDescription(name: "number", type: .double),
        ]),
    ], source: .modelCache)

  private static func path(_ text: String) -> ModelExpression { .keyPath(operand: nil, text) }

  private static func derived(
    _ name: Name, _ type: AttributeType, _ expression: ModelExpression
  ) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isReadOnly: true, derivation: Derivation(expression: expression))
  }

  private static func count(_ name: Name, _ expression: ModelExpression) -> AttributeDescription {
    derived(name, .integer64, expression)
  }

  private static func toMany(
    _ name: Name, _ destination: Name, inverse: Name?
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destination, inverseName: inverse, maxCount: 0)
  }

  /// Two owners, three items and two parts, all values right; with statements that change them.
  private func texts(changing statements: String = "") throws -> [String] {
    let folder = try TemporaryDirectory()
    let path = folder.file("Derived.sqlite")
    let builder = try SampleStoreBuilder(path: path, model: Self.model)
    try builder.insert(
      "Owner", ["byInverse": 2, "byPath": 2, "pairs": 3, "owned": 1, "friendCount": 77, "sum": 88])
    try builder.insert(
      "Owner", ["byInverse": 0, "byPath": 0, "pairs": 1, "owned": 1, "friendCount": 77, "now": 5])
    try builder.insert("Part", ["number": 1.5, "address.city": "Bern, Postgasse"])
    try builder.insert("Part", ["number": 7])
    try builder.insert(
      "Item", ["number": 4, "part": 1, "partNumber": 1.5, "city": "Bern, Postgasse"])
    try builder.insert(
      "Item", ["number": 5, "part": 2, "partNumber": 7.0, "parent": 1, "parentNumber": 4])
    try builder.insert("Item")
    try builder.link("Owner", "items", from: 1, to: [1, 3])
    try builder.link("Owner", "others", from: 1, to: [1, 2, 3])
    try builder.link("Owner", "others", from: 2, to: [3])
    try builder.link("Owner", "parts", from: 1, to: [2])
    try builder.link("Owner", "parts", from: 2, to: [1])
    try builder.link("Owner", "friends", from: 1, to: [2])
    try builder.finish()
    try builder.database.dropTriggers()
    // The builder leaves unspecified values to the triggers.
    try builder.database.run("UPDATE ZOWNER SET ZFRIENDCOUNT = 77, ZNOW = 5, ZSUM = 88")
    try builder.database.run(statements)
    var options = VerificationOptions()
    options.checks = [.derived]
    let found = try Verification(of: path, options: options).texts
    #expect(try Verification.ofArchive(of: path, options: options).texts == found)
    return found
  }

  @Test func rightValuesHaveNoFindings() throws {
    #expect(try texts() == [])
  }

  @Test func everyKindOfCountIsCompared() throws {
    let found = try texts(
      changing: "UPDATE ZOWNER SET ZBYINVERSE = 9, ZBYPATH = 9, ZPAIRS = 9, ZOWNED = 9")
    var expected: Set<String> = []
    for key in 1...2 {
      for name in ["byInverse", "byPath", "pairs", "owned"] {
        expected.insert("error derived-value-mismatch Owner/p\(key).\(name)")
      }
    }
    #expect(found.count == 8)
    #expect(Set(found) == expected)
  }

  @Test func aCountThatIsNoIntegerIsWrong() throws {
    #expect(
      try texts(changing: "UPDATE ZOWNER SET ZPAIRS = 'three' WHERE Z_PK = 1")
        == ["error derived-value-mismatch Owner/p1.pairs"])
  }

  @Test func everyKindOfCopyIsCompared() throws {
    #expect(
      try texts(
        changing: """
          UPDATE ZITEM SET ZPARTNUMBER = 1.25, ZCITY = 'Bern, Postgass' WHERE Z_PK = 1;
          UPDATE ZITEM SET ZPARENTNUMBER = NULL WHERE Z_PK = 2
          """
      ).sorted()
        == [
          "error derived-value-mismatch Item/p1.city",
          "error derived-value-mismatch Item/p1.partNumber",
          "warning derived-value-missing Item/p2.parentNumber",
        ])
  }

  @Test func aValueWithoutDestinationValueIsWrong() throws {
    #expect(
      try texts(changing: "UPDATE ZITEM SET ZCITY = '' WHERE Z_PK = 2")
        == ["error derived-value-mismatch Item/p2.city"])
  }

  @Test func aDanglingReferenceIsForAnotherCheck() throws {
    #expect(try texts(changing: "UPDATE ZITEM SET ZPART = 99 WHERE Z_PK = 1") == [])
  }

  @Test func oneMoreByteAnywhereIsFound() throws {
    for length in 1...40 {
      let name = String(repeating: "x", count: length)
      let other = String(repeating: "x", count: length - 1) + "y"
      #expect(
        try texts(
          changing: "UPDATE ZPART SET ZCITY = '\(name)' WHERE Z_PK = 1;"
            + "UPDATE ZITEM SET ZCITY = '\(length % 2 == 0 ? name : other)' WHERE Z_PK = 1")
          == (length % 2 == 0 ? [] : ["error derived-value-mismatch Item/p1.city"]))
    }
  }
}
