internal import CoreDataModel
internal import CoreDataStore
internal import StoreGenerator

extension FuzzTarget {
  private static let listWords = [
    "bplist00", "$objects", "$top", "root", "$archiver", "NSKeyedArchiver", "$class", "$classname",
    "NSStoreModelVersionHashes", "NSPersistenceFrameworkVersion", "migrationManagerClass",
    "NS.keys",
    "\u{d1}\u{1}\u{2}",
  ]

  private static let list = PropertyListValue.dictionary([
    .init("NSPersistenceFrameworkVersion", .integer(1234)),
    .init("NSStoreModelVersionHashes", .dictionary([.init("A", .data([1, 2, 3]))])),
    .init("NSStoreModelVersionIdentifiers", .array([.string("1.0"), .string("ü")])),
    .init(
      "app", .array([.bool(true), .real(0.5), .date(1), .uid(3), .null, .set([.integer(-1)])])),
    .init("wide", .wideInteger(high: 0, low: .max)), .init("empty", .dictionary([])),
  ])

  /// Binary property lists, alone and as store metadata.
  static let propertyList = FuzzTarget(
    "plist", "binary property lists; one that is written reads the same", words: listWords,
    seeds: { [BinaryPlistWriter.write(list), BinaryPlistWriter.write(.string("")), hardList] },
    change: { bytes, random in
      if random.chance(0.5) {
        try PropertyListValue.mutate(&bytes, words: listWords, &random)
      } else {
        try changeTrailer(&bytes, &random)
      }
    },
    body: { try holdList($0) })

  /// A list of two references to a list of two references, and so on: 2¹² values in a few bytes.
  private static var hardList: [UInt8] {
    var bytes = Array("bplist00".utf8)
    for number in 0..<12 as Range<UInt8> { bytes += [0xA2, number + 1, number + 1] }
    bytes += [0x08]
    let table = bytes.count
    for number in 0...12 as ClosedRange<UInt8> { bytes.append(8 + 3 * number) }
    return bytes + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 13]
      + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
  }

  /// Changes a field of the trailer or an entry of the offset table.
  private static func changeTrailer(
    _ bytes: inout [UInt8], _ random: inout SeededGenerator
  ) throws {
    guard bytes.count > 41 else { throw BrokenLaw("too short") }
    let start = bytes.count - 32
    switch random.below(5) {
    case 0: bytes[start + 6] = UInt8(random.below(10))
    case 1: bytes[start + 7] = UInt8(random.below(10))
    case 2: bytes[start + 8 + 7 + 8 * random.below(3)] = UInt8(random.below(256))
    case 3: bytes[start + 8 + random.below(24)] = UInt8(random.below(256))
    default:
      let table = Int(bytes[bytes.count - 1]) | Int(bytes[bytes.count - 2]) << 8
      guard table < start else { throw BrokenLaw("no table") }
      bytes[table + random.below(start - table)] = UInt8(random.below(256))
    }
  }

  private static func holdList(_ input: [UInt8]) throws {
    let metadata = StoreMetadata(version: 1, uuid: nil, propertyList: input)
    let reader: Result<PropertyListValue, CofferError>
    do throws(CofferError) {
      reader = .success(try PropertyListValue.parse(input))
    } catch {
      reader = .failure(error)
    }
    try hold(
      (metadata.propertyListError != nil) == ((try? reader.get()) == nil) || input.isEmpty,
      "metadata judge their property list otherwise")
    let value = try reader.get()
    let written = BinaryPlistWriter.write(value)
    guard let again = try? BinaryPlistReader(written).value() else {
      throw BrokenLaw("a property list that was written is refused")
    }
    // By bytes: NaN is not equal to itself.
    try hold(BinaryPlistWriter.write(again) == written, "a list reads otherwise when written")
  }

  /// Property lists in XML, which Foundation reads.
  static let xmlPropertyList = FuzzTarget(
    "xml-plist", "XML property lists; one that is read is written as binary, and reads the same",
    maximumSize: 1 << 13,
    words: [
      "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<string>", "<integer>",
      "<data>", "<date>", "<real>nan</real>", "<true/>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;",
      "&#x0;", "<!DOCTYPE plist [<!ENTITY a \"b\">]>", "encoding=\"utf-16\"", "&a;", "<array/>",
    ],
    seeds: {
      [
        """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict><key>a</key>\
        <integer>-5</integer><key>b</key><array><true/><real>1.5</real><data>AAEC</data>\
        <date>2024-05-01T12:30:00Z</date><string>x &amp; y</string></array></dict></plist>
        """,
        "<plist><array><array/><dict/><!-- <array> --><![CDATA[<dict>]]></array></plist>",
      ].map { Array($0.utf8) }
    },
    body: { input in
      // Other bytes are the binary form, which has its own target.
      guard input.first == UInt8(ascii: "<") else { return }
      try holdList(input)
    })
}
