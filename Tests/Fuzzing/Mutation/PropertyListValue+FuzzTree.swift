internal import CoreDataModel
internal import StoreGenerator

extension PropertyListValue: FuzzTree {
  var parts: [PropertyListValue] { elements ?? entries?.map(\.value) ?? [] }

  func replacing(parts: [PropertyListValue]) -> PropertyListValue {
    switch self {
    case .array: .array(parts)
    case .set: .set(parts)
    case .dictionary(let entries):
      .dictionary(
        parts.enumerated().map { position, part in
          // More values than keys: the last key comes twice.
          let key = entries.isEmpty ? "key" : entries[min(position, entries.count - 1)].key
          return Entry(key, part)
        })
    default: self
    }
  }

  func renaming(_ position: Int, to name: String) -> PropertyListValue {
    guard case .dictionary(var entries) = self, position < entries.count else { return self }
    entries[position].key = name
    return .dictionary(entries)
  }

  static var oddities: [PropertyListValue] {
    [
      .null, .bool(true), .integer(0), .integer(-1), .integer(.max), .integer(.min), .uid(0),
      .wideInteger(high: 0, low: .max), .wideInteger(high: .min, low: 0), .real(.nan), .uid(.max),
      .real(-.infinity), .real(1e300), .date(.nan), .date(0), .data([]), .data([0, 255]),
      .string(""), .string("\u{0}"), .string("e\u{301}"), .string("$null"), .string("NSArray"),
      .uid(1), .uid(2), .uid(3), .uid(5), .uid(9), .uid(17), .array([]), .set([]), .dictionary([]),
      .integer(100), .integer(700), .integer(1 << 33), .string("NSConstantValueExpressionType"),
    ]
  }

  /// Changes a binary property list by its values; other bytes are an error.
  static func mutate(
    _ bytes: inout [UInt8], words: [String], _ random: inout SeededGenerator
  ) throws {
    guard !isXML(bytes) else { throw BrokenLaw("not a binary property list") }
    bytes = BinaryPlistWriter.write(
      try BinaryPlistReader(bytes).value().mutated(words: words, &random))
  }

  private static func isXML(_ bytes: [UInt8]) -> Bool { bytes.first == UInt8(ascii: "<") }
}
