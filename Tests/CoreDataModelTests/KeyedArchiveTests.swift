internal import CoreDataModel
internal import Testing

@Suite struct KeyedArchiveTests {
  private func value(_ objects: [PropertyListValue]) throws -> ModelValue {
    var archive = try KeyedArchive(ArchiveFixture.archive(objects: objects))
    return try archive.value(of: archive.root)
  }

  private let null = PropertyListValue.string("$null")

  @Test func foundationsClassesBecomeValues() throws {
    let uuid: [UInt8] = Array(0..<16)
    let list = ArchiveFixture.object(
      2, [("NS.objects", .array((3...9).map { .uid($0) }))])
    let found = try value([
      null, list, ArchiveFixture.describedClass("NSMutableSet", "NSSet", "NSObject"),
      ArchiveFixture.object(10, [("NS.string", .string("a"))]),
      ArchiveFixture.object(11, [("NS.data", .data([1]))]),
      ArchiveFixture.object(12, [("NS.time", .real(2.5))]),
      ArchiveFixture.object(13, [("NS.uuidbytes", .data(uuid))]),
      ArchiveFixture.object(14, [("NS.base", .uid(0)), ("NS.relative", .uid(15))]),
      ArchiveFixture.object(16, []),
      .wideInteger(high: 0, low: .max),
      ArchiveFixture.describedClass("NSMutableString", "NSString", "NSObject"),
      ArchiveFixture.describedClass("NSMutableData", "NSData", "NSObject"),
      ArchiveFixture.describedClass("NSDate", "NSObject"),
      ArchiveFixture.describedClass("NSUUID", "NSObject"),
      ArchiveFixture.describedClass("NSURL", "NSObject"),
      .string("urn:x"),
      ArchiveFixture.describedClass("NSNull", "NSObject"),
    ])
    #expect(
      found
        == .array([
          .string("a"), .data([1]), .date(2.5), .uuid("00010203-0405-0607-0809-0A0B0C0D0E0F"),
          .url("urn:x"), .null, .unsigned(.max),
        ]))
  }

  @Test func aBackReferenceBecomesACycle() throws {
    let found = try value([
      null, ArchiveFixture.object(2, [("self", .uid(1)), ("list", .uid(3)), ("n", .integer(1))]),
      ArchiveFixture.describedClass("App.Node", "NSObject"),
      ArchiveFixture.object(4, [("NS.objects", .array([.uid(1), .uid(3), .uid(0)]))]),
      ArchiveFixture.describedClass("NSMutableArray", "NSArray", "NSObject"),
    ])
    #expect(
      found
        == .object(
          className: "App.Node",
          fields: [
            "self": .cycle(className: "App.Node"), "n": .integer(1),
            "list": .array([
              .cycle(className: "App.Node"), .cycle(className: "NSArray"), .null,
            ]),
          ]))
  }

  @Test func dictionariesWithFixedKeysLeaveOutEmptySlots() throws {
    let found = try value([
      null,
      ArchiveFixture.object(
        2, [("searchMapping", .uid(3)), ("values", .uid(4)), ("emptyToken", .uid(5))]),
      ArchiveFixture.describedClass("NSKnownKeysDictionary1", "NSDictionary", "NSObject"),
      ArchiveFixture.object(6, [("keys", .uid(7))]),
      ArchiveFixture.object(8, [("NS.objects", .array([.uid(5), .uid(9)]))]),
      .string("empty"),
      ArchiveFixture.describedClass("NSKnownKeysMappingStrategy1", "NSObject"),
      ArchiveFixture.object(8, [("NS.objects", .array([.uid(10), .uid(11)]))]),
      ArchiveFixture.describedClass("NSArray", "NSObject"),
      .integer(5), .string("a"), .string("b"),
    ])
    #expect(found == .dictionary(["b": .integer(5)]))
  }

  @Test func keysThatAreNoTextsAreWrittenAsText() throws {
    let found = try value([
      null,
      ArchiveFixture.object(
        2, [("NS.keys", .array([.uid(3)])), ("NS.objects", .array([.uid(4)]))]),
      ArchiveFixture.describedClass("NSDictionary", "NSObject"), .integer(7), .bool(true),
    ])
    #expect(found == .dictionary(["7": .bool(true)]))
  }

  @Test func partsOfTheModelAreNamedAndNotExpanded() throws {
    let found = try value([
      null, ArchiveFixture.object(2, [("entity", .uid(3))]),
      ArchiveFixture.describedClass("App.Thing", "NSObject"),
      ArchiveFixture.object(4, [("NSEntityName", .uid(5)), ("NSProperties", .uid(1))]),
      ArchiveFixture.describedClass("NSEntityDescription", "NSObject"), .string("Person"),
    ])
    let entity = ModelValue.object(
      className: "NSEntityDescription", fields: ["NSEntityName": .string("Person")])
    #expect(found == .object(className: "App.Thing", fields: ["entity": entity]))
  }

  @Test func aReferenceToAReferenceIsAnError() {
    for objects in [[null, .uid(1)], [null, .uid(2), .uid(1)]] as [[PropertyListValue]] {
      #expect(code { _ = try value(objects) } == .damagedModel)
    }
  }

  @Test func aReferenceToNothingIsAnError() {
    for uid in [2, 1 << 40, .max] as [UInt64] {
      #expect(code { _ = try value([null, .array([.uid(uid)])]) } == .damagedModel)
    }
  }

  @Test func archivesWithoutRootOrArchiverAreErrors() {
    #expect(
      code { _ = try KeyedArchive(ArchiveFixture.archive(objects: [null], root: 0)) }
        == .damagedModel)
    #expect(code { _ = try KeyedArchive(BinaryPlistWriter.write(.dictionary([]))) } == .notAModel)
    #expect(code { _ = try KeyedArchive(BinaryPlistWriter.write(.array([]))) } == .notAModel)
  }

  @Test func deepValuesAreErrors() {
    let list = ArchiveFixture.describedClass("NSArray", "NSObject")
    let deep = (1...1000).map { position in
      ArchiveFixture.object(
        1001, [("NS.objects", .array(position == 1000 ? [] : [.uid(UInt64(position + 1))]))])
    }
    #expect(code { _ = try value([null] + deep + [list]) } == .modelLimit)
  }

  @Test func sharingThatMultipliesIsAnError() {
    let list = ArchiveFixture.describedClass("NSArray", "NSObject")
    let shared = (1...50).map { position in
      let next = PropertyListValue.uid(UInt64(position + 1))
      return ArchiveFixture.object(
        51, [("NS.objects", .array(position == 50 ? [] : [next, next]))])
    }
    #expect(code { _ = try value([null] + shared + [list]) } == .modelLimit)
  }

  @Test func anObjectOfTooManyFieldsIsAnError() {
    let fields = (0..<300).map { ("field\($0)", PropertyListValue.integer(1)) }
    #expect(
      code {
        _ = try value([
          null, ArchiveFixture.object(2, fields), ArchiveFixture.describedClass("A", "NSObject"),
        ])
      } == .modelLimit)
  }
}
