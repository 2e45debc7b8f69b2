/// Writes property lists in the binary form; the same value always gives the same bytes.
///
/// Equal strings, numbers and data are written once and shared, as in Foundation. Objects are
/// numbered in the order of a walk from the top, containers before their parts.
package struct BinaryPlistWriter {
  /// The bytes of a whole binary property list.
  package static func write(_ value: PropertyListValue) -> [UInt8] {
    var writer = BinaryPlistWriter()
    _ = writer.number(value)
    return writer.finish()
  }

  private enum Object {
    case scalar(PropertyListValue)
    case container(marker: UInt8, references: [Int])
  }

  private enum ScalarKey: Hashable {
    case string([UInt8]), integer(Int64), data([UInt8]), real(UInt64), date(UInt64), bool(Bool)
  }

  private var objects: [Object] = []
  private var known: [ScalarKey: Int] = [:]

  private mutating func number(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let parts): return container(0xA0, values: parts)
    case .set(let parts): return container(0xC0, values: parts)
    case .dictionary(let entries):
      return container(0xD0, keys: entries.map(\.key), values: entries.map(\.value))
    default:
      let key = Self.key(of: value)
      if let key, let number = known[key] { return number }
      let number = objects.count
      objects.append(.scalar(value))
      if let key { known[key] = number }
      return number
    }
  }

  private mutating func container(
    _ marker: UInt8, keys: [String] = [], values: [PropertyListValue]
  ) -> Int {
    let number = objects.count
    objects.append(.container(marker: marker, references: []))
    var references: [Int] = []
    for key in keys { references.append(self.number(.string(key))) }
    for value in values { references.append(self.number(value)) }
    objects[number] = .container(marker: marker, references: references)
    return number
  }

  private static func key(of value: PropertyListValue) -> ScalarKey? {
    switch value {
    // By bytes: Swift takes differently composed accents for equal, which are different texts.
    case .string(let text): .string(Array(text.utf8))
    case .integer(let number): .integer(number)
    case .data(let bytes): .data(bytes)
    case .real(let number): .real(number.bitPattern)
    case .date(let seconds): .date(seconds.bitPattern)
    case .bool(let value): .bool(value)
    default: nil
    }
  }

  private func finish() -> [UInt8] {
    let referenceWidth = Self.width(UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let value): Self.append(value, to: &bytes)
      case .container(let marker, let references):
        let count = marker == 0xD0 ? references.count / 2 : references.count
        Self.append(marker: marker, count: count, to: &bytes)
        for reference in references {
          bytes.appendBigEndian(UInt64(reference), width: referenceWidth)
        }
      }
    }
    let table = bytes.count
    let offsetWidth = Self.width(UInt64(table))
    for offset in offsets { bytes.appendBigEndian(UInt64(offset), width: offsetWidth) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    bytes.appendBigEndian(UInt64(objects.count), width: 8)
    bytes.appendBigEndian(0, width: 8)
    bytes.appendBigEndian(UInt64(table), width: 8)
    return bytes
  }

  private static func append(_ value: PropertyListValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0x00)
    case .bool(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let number): append(number, to: &bytes)
    case .wideInteger(let high, let low):
      bytes.append(0x14)
      bytes.appendBigEndian(UInt64(bitPattern: high), width: 8)
      bytes.appendBigEndian(low, width: 8)
    case .real(let number):
      bytes.append(0x23)
      bytes.appendBigEndian(number.bitPattern, width: 8)
    case .date(let seconds):
      bytes.append(0x33)
      bytes.appendBigEndian(seconds.bitPattern, width: 8)
    case .data(let data):
      append(marker: 0x40, count: data.count, to: &bytes)
      bytes += data
    case .string(let text): append(text, to: &bytes)
    case .uid(let number):
      let width = width(number)
      bytes.append(0x80 | UInt8(width - 1))
      bytes.appendBigEndian(number, width: width)
    case .array, .set, .dictionary: break  // containers are not scalars
    }
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    let width = number < 0 ? 8 : width(UInt64(number))
    bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
    bytes.appendBigEndian(UInt64(bitPattern: number), width: width)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      append(marker: 0x50, count: text.utf8.count, to: &bytes)
      bytes += text.utf8
    } else {
      append(marker: 0x60, count: text.utf16.count, to: &bytes)
      for unit in text.utf16 { bytes.appendBigEndian(UInt64(unit), width: 2) }
    }
  }

  private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    bytes.append(marker | UInt8(min(count, 15)))
    if count >= 15 { append(Int64(count), to: &bytes) }
  }

  /// The smallest of 1, 2, 4 and 8 bytes that holds a number.
  private static func width(_ number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}

extension [UInt8] {
  /// Appends the lower bytes of a number, most significant byte first.
  mutating func appendBigEndian(_ number: UInt64, width: Int) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
