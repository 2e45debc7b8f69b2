internal import Foundation

/// A value of a binary or XML property list.
///
/// Dictionary entries keep the order of a binary source; entries from XML are sorted by key. NaN is not equal to NaN.
package enum PropertyListValue: Sendable, Equatable {
  /// The null value, which only binary property lists can contain.
  case null
  case bool(Bool)
  /// An integer of at most 64 bits.
  case integer(Int64)
  /// A 128-bit integer that does not fit `Int64`, as its upper and lower half.
  case wideInteger(high: Int64, low: UInt64)
  /// A floating-point number; 32-bit numbers are widened.
  case real(Double)
  /// A point in time, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  /// A string; unpaired surrogates are replaced by U+FFFD.
  case string(String)
  /// A reference to an object of a keyed archive.
  case uid(UInt64)
  case array([PropertyListValue])
  /// A set, in the order of the source; only binary property lists can contain one.
  case set([PropertyListValue])
  /// A dictionary, in the order of the source.
  case dictionary([Entry])

  /// A key of a dictionary and its value.
  package struct Entry: Sendable, Equatable {
    /// The key.
    package var key: String
    /// The value.
    package var value: PropertyListValue

    /// Creates an entry from a key and its value.
    package init(_ key: String, _ value: PropertyListValue) {
      self.key = key
      self.value = value
    }
  }

  /// Reads a whole property list: XML if the bytes begin with `<?xml` or `<plist`, otherwise
  /// binary.
  ///
  /// - Throws: ``CofferError`` with `notAModel` for other bytes, `damaged` for bytes that contradict
  ///   the format, `limit` if a limit of ``BinaryPlistReader`` is exceeded.
  package static func parse(_ bytes: [UInt8]) throws(CofferError) -> PropertyListValue {
    if isXML(bytes) { return try parseXML(bytes) }
    return try BinaryPlistReader(bytes).value()
  }

  /// The value of a key of a dictionary; the first one if the key is repeated.
  ///
  /// Nil for a missing key and for any other kind of value. Linear in the number of entries.
  package subscript(key: String) -> PropertyListValue? {
    entries?.first { $0.key == key }?.value
  }

  /// The entries of a dictionary; nil for any other kind of value.
  package var entries: [Entry]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The elements of an array or a set; nil for any other kind of value.
  package var elements: [PropertyListValue]? {
    switch self {
    case .array(let elements), .set(let elements): elements
    default: nil
    }
  }

  /// The text of a string; nil for any other kind of value.
  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of an integer of at most 64 bits; nil for any other kind of value.
  package var integerValue: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The bytes of a data value; nil for any other kind of value.
  package var dataValue: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }
}

/// Property lists in XML. Foundation reads them and writes them again as binary ones, so that one
/// reader decides what each value is.
extension PropertyListValue {
  /// The maximum size of an XML property list in bytes.
  package static let maximumXMLSize = 16 << 20

  /// Whether bytes begin like an XML property list, optionally after a byte order mark and white
  /// space.
  package static func isXML(_ bytes: [UInt8]) -> Bool {
    var start = bytes.prefix(1024)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return start.starts(with: "<?xml".utf8) || start.starts(with: "<plist".utf8)
      || start.starts(with: "<!DOCTYPE plist".utf8)
  }

  static func parseXML(_ bytes: [UInt8]) throws(CofferError) -> PropertyListValue {
    guard bytes.count <= maximumXMLSize else {
      throw CofferError(.modelLimit, detail: "an XML property list of \(bytes.count) bytes")
    }
    guard MarkupElement.hasASCIITags(bytes) else {
      throw CofferError(
        .damagedModel, detail: "an XML property list in an encoding other than UTF-8")
    }
    guard nesting(of: bytes) <= BinaryPlistReader.maximumDepth else {
      throw CofferError(.modelLimit, detail: "an XML property list nested too deeply")
    }
    // The pointer for the format that was found is nil; nothing unsafe happens.
    let object = try? unsafe PropertyListSerialization.propertyList(
      from: Data(bytes), options: [], format: nil)
    guard let object, let value = Self(object) else {
      throw CofferError(.damagedModel, detail: "an XML property list that cannot be read")
    }
    return value
  }

  /// The value of an object that Foundation read; nil for an object that no property list contains.
  private init?(_ object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let bytes as Data: self = .data([UInt8](bytes))
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let number as NSNumber: self.init(number)
    case let elements as [Any]:
      let values = elements.compactMap(Self.init(_:) as (Any) -> Self?)
      guard values.count == elements.count else { return nil }
      self = .array(values)
    case let members as [String: Any]:
      var entries: [Entry] = []
      for (key, member) in members.sorted(by: {
        $0.key.utf16.lexicographicallyPrecedes($1.key.utf16)
      }) {
        guard let value = Self(member) else { return nil }
        entries.append(Entry(key, value))
      }
      self = .dictionary(entries)
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
    case UInt8(ascii: "Q"):
      self =
        Int64(exactly: number.uint64Value).map(Self.integer)
        ?? .wideInteger(high: 0, low: number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  /// The maximum number of arrays and dictionaries open at one time; never too low.
  ///
  /// Foundation's parser recurses for each level, so deep nesting must be detected before it runs.
  private static func nesting(of bytes: [UInt8]) -> Int {
    var (depth, deepest, position) = (0, 0, 0)
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let tag = bytes[start...]
      if tag.starts(with: "<!--".utf8) {
        position = end(of: "-->", in: bytes, from: start + 4)
      } else if tag.starts(with: "<?".utf8) {
        position = end(of: "?>", in: bytes, from: start + 2)
      } else if tag.starts(with: "<![CDATA[".utf8) {
        position = end(of: "]]>", in: bytes, from: start + 9)
      } else {
        position = end(of: ">", in: bytes, from: start + 1)
        let isEmpty = position >= 2 && bytes[position - 2] == UInt8(ascii: "/")
        if tag.starts(with: "</array".utf8) || tag.starts(with: "</dict".utf8) {
          depth = max(0, depth - 1)
        } else if !isEmpty, tag.starts(with: "<array".utf8) || tag.starts(with: "<dict".utf8) {
          depth += 1
          deepest = max(deepest, depth)
        }
      }
    }
    return deepest
  }

  /// The position after the next occurrence of a text, or the end of the bytes.
  private static func end(of text: StaticString, in bytes: [UInt8], from start: Int) -> Int {
    let pattern = Array(text.description.utf8)
    var position = start
    while position + pattern.count <= bytes.count {
      if bytes[position..<position + pattern.count].elementsEqual(pattern) {
        return position + pattern.count
      }
      position += 1
    }
    return bytes.count
  }
}
