internal import CoreDataModel
internal import Foundation
internal import Testing

@Suite struct BinaryPlistTests {
  static let values: [PropertyListValue] = [
    .null, .bool(true), .bool(false), .real(0), .real(-0.1), .real(.infinity), .date(1.5),
    .string(""), .string("plain"), .string("a\u{0}b"), .string("日本語 😀"),
    .string(String(repeating: "x", count: 300)), .data([]), .data([1, 2, 255]),
    .data([UInt8](repeating: 7, count: 70_000)), .uid(0), .uid(255), .uid(65_536),
    .integer(0), .integer(255), .integer(256), .integer(65_535), .integer(65_536),
    .integer(1 << 32), .integer(.max), .integer(-1), .integer(.min),
    .wideInteger(high: 0, low: .max), .wideInteger(high: -1, low: 5),
    .wideInteger(high: .max, low: 0), .array([]), .set([.integer(1), .integer(2)]),
    .array([.string("a"), .array([.string("a"), .bool(true)])]),
    .dictionary([.init("z", .integer(1)), .init("a", .dictionary([])), .init("ü", .null)]),
  ]

  @Test(arguments: values)
  func aValueIsReadBackAsItWasWritten(_ value: PropertyListValue) throws {
    let bytes = BinaryPlistWriter.write(value)
    #expect(try PropertyListValue.parse(bytes) == value)
    #expect(BinaryPlistWriter.write(value) == bytes)
  }

  @Test func manyObjectsNeedWiderReferences() throws {
    let value = PropertyListValue.array((0..<70_000).map { .integer($0) })
    #expect(try PropertyListValue.parse(BinaryPlistWriter.write(value)) == value)
  }

  @Test func foundationReadsWhatWasWritten() throws {
    let value = PropertyListValue.dictionary([
      .init("text", .string("ü")), .init("number", .integer(-7)), .init("bytes", .data([1])),
      .init("list", .array([.real(2.5), .bool(true)])),
    ])
    let data = Data(BinaryPlistWriter.write(value))
    struct Contents: Decodable, Equatable {
      let text: String
      let number: Int
      let bytes: Data
    }
    let read = try PropertyListDecoder().decode(Contents.self, from: data)
    #expect(read == Contents(text: "ü", number: -7, bytes: Data([1])))
  }

  @Test func foundationsPropertyListsAreRead() throws {
    struct Contents: Codable {
      var dates = [Date(timeIntervalSinceReferenceDate: 12.5)]
      var float: Float = 0.5
      var large = UInt64.max
      var text = "é"
    }
    let encoder = PropertyListEncoder()
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      encoder.outputFormat = format
      let value = try PropertyListValue.parse([UInt8](try encoder.encode(Contents())))
      let expected = 12.5
      // XML has dates in whole seconds.
      #expect(
        value["dates"] == .array([.date(format == .xml ? expected.rounded(.down) : expected)]))
      #expect(value["float"] == .real(0.5))
      #expect(value["large"] == .wideInteger(high: 0, low: .max))
      #expect(value["text"]?.stringValue == "é")
    }
  }

  @Test func xmlKeepsBooleansAndIntegersApart() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>a</key><true/><key>b</key><integer>1</integer>
      <key>c</key><real>1</real><key>d</key><data>AQI=</data><key>e</key><array/></dict></plist>
      """
    let value = try PropertyListValue.parse(Array(text.utf8))
    #expect(value["a"] == .bool(true))
    #expect(value["b"] == .integer(1))
    #expect(value["c"] == .real(1))
    #expect(value["d"] == .data([1, 2]))
    #expect(value["e"] == .array([]))
  }

  @Test(arguments: [
    "<?xml version=\"1.0\"?><plist><dict>", "<plist><array><string>a</array></plist>", "<?xml",
    "<plist version=\"1.0\"><!-- ", "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist/>",
  ])
  func damagedXMLIsAnError(_ text: String) {
    #expect(code { _ = try PropertyListValue.parse(Array(text.utf8)) } == .damagedModel)
  }

  @Test func xmlNestedDeeplyIsAnError() {
    let text =
      "<plist>"
      + String(repeating: "<array><!-- </array> --><![CDATA[</array>]]>", count: 100_000)
    #expect(code { _ = try PropertyListValue.parse(Array(text.utf8)) } == .modelLimit)
  }

  @Test func otherBytesAreNoPropertyList() {
    for bytes in [[], Array("bplist".utf8), Array("SQLite format 3".utf8), [0x1F, 0x8B]] {
      #expect(code { _ = try PropertyListValue.parse(bytes) } == .notAModel)
    }
  }

  @Test func unpairedSurrogatesAreReplaced() throws {
    let bytes = ArchiveFixture.plist([[0x61, 0xD8, 0x00]])
    #expect(try PropertyListValue.parse(bytes) == .string("\u{FFFD}"))
  }

  @Test(arguments: [
    [[0x51, 0xE9]],  // text that is not ASCII
    [[0x0F]], [[0x90]],  // unknown types
    [[0x15, 0, 0, 0, 0]], [[0x21, 0, 0]], [[0x32, 0, 0, 0, 0]], [[0x88]],  // unknown widths
    [[0x13, 0]], [[0x44, 1]], [[0xA1, 0]],  // cut off
    [[0xA1, 0, 9]],  // a reference to a missing object
    [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],  // an impossible count
    [[0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
    [[0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
    [[0x6F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
    [[0x4F, 0x51, 0x20]],  // a length that is not an integer
    [[0xD1, 0, 1, 0, 1], [0x10, 5]],  // a key that is not a text
  ])
  func damagedObjectsAreErrors(_ objects: [[UInt8]]) {
    #expect(
      code { _ = try PropertyListValue.parse(ArchiveFixture.plist(objects)) } == .damagedModel)
  }

  @Test func impossibleCountsAreErrors() {
    for count in [0, 2, 1 << 40, .max] as [UInt64] {
      let bytes = ArchiveFixture.plist([[0x10, 1]], count: count)
      #expect(code { _ = try PropertyListValue.parse(bytes) } == .damagedModel)
    }
  }

  @Test func overlappingObjectsAreErrors() {
    let text: [UInt8] = [0x5F, 0x11, 0x03, 0xE8] + [UInt8](repeating: 65, count: 1000)
    let bytes = Array("bplist00".utf8) + text
    let table = ArchiveFixture.table(
      [Int](repeating: 8, count: 100_000), referenceWidth: 4, at: bytes.count)
    #expect(code { _ = try PropertyListValue.parse(bytes + table) } == .damagedModel)
  }

  @Test func anArrayThatContainsItselfIsAnError() {
    #expect(
      code { _ = try PropertyListValue.parse(ArchiveFixture.plist([[0xA1, 0, 0]])) } == .modelLimit)
  }

  @Test func deepNestingIsAnError() {
    let objects: [[UInt8]] = (1...50_000).map { number in
      let next: [UInt8] = [0xA1, UInt8(number >> 8), UInt8(number & 0xFF)]
      return number == 50_000 ? [0xA0] : next
    }
    #expect(code { _ = try PropertyListValue.parse(ArchiveFixture.plist(objects)) } == .modelLimit)
  }

  @Test func sharingThatMultipliesIsAnError() {
    // Each of 60 arrays holds the next one twice: 2 to the power of 60 values.
    let objects: [[UInt8]] = (1...60).map { number in
      number == 60 ? [0x09] : [0xA2, 0, UInt8(number), 0, UInt8(number)]
    }
    #expect(code { _ = try PropertyListValue.parse(ArchiveFixture.plist(objects)) } == .modelLimit)
  }

  @Test func truncationAndFlippedBitsGiveAnErrorOrAValue() throws {
    let bytes = BinaryPlistWriter.write(
      .array(Self.values.filter { $0.dataValue?.count != 70_000 }))
    for length in 0..<bytes.count {
      _ = try? PropertyListValue.parse(Array(bytes[..<length]))
    }
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        _ = try? PropertyListValue.parse(damaged)
      }
    }
    #expect(try PropertyListValue.parse(bytes).elements?.count == Self.values.count - 1)
  }
}

/// The code of the model error that a closure throws; nil when it throws none.
func code(_ body: () throws -> Void) -> CofferError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? CofferError)?.code
  }
}
