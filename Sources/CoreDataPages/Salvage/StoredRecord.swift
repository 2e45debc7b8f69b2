internal import CoreDataStore

/// The stored values of a row (<https://sqlite.org/fileformat2.html#record_format>).
package struct StoredRecord {
  /// One value: its storage class and where its bytes are.
  struct Value {
    /// The code of its storage class and size.
    var code: UInt64
    /// Its bytes; the buffer may extend beyond the record.
    var range: Range<Int>
  }

  /// The maximum number of columns of a table.
  private static let columnLimit = 32_767

  /// The values in the order of the columns.
  let values: [Value]
  private let bytes: [UInt8]

  /// Reads the offsets of the values from the beginning of a record of some size; nil if the bytes are not one.
  init?(_ bytes: [UInt8], size: Int) {
    var offset = 0
    guard let stored = bytes.variable(&offset), let end = Int(exactly: stored), end <= bytes.count,
      end <= size
    else { return nil }
    var values: [Value] = []
    var place = end
    while offset < end {
      guard values.count < Self.columnLimit, let code = bytes.variable(&offset),
        let count = Self.size(code), count <= size - place
      else { return nil }
      values.append(Value(code: code, range: place..<(place + count)))
      place += count
    }
    guard offset == end, place == size else { return nil }
    self.values = values
    self.bytes = bytes
  }

  /// The number of bytes of a value; nil for codes that no record has.
  private static func size(_ code: UInt64) -> Int? {
    switch code {
    case 0, 8, 9: 0
    case 1...4: Int(code)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    default: Int(exactly: (code - 12) / 2)
    }
  }

  func storageClass(_ column: Int) -> StorageClass {
    switch values[column].code {
    case 0: .null
    case 7: .real
    case 1...9: .integer
    case let code: code & 1 == 0 ? .blob : .text
    }
  }

  /// The value of a column; nil if its bytes are lost.
  func value(_ column: Int, _ encoding: DatabaseHeader.TextEncoding) -> SQLiteValue? {
    let value = values[column]
    guard value.range.upperBound <= bytes.count else { return nil }
    let content = bytes[value.range]
    switch storageClass(column) {
    case .null: return .null
    case .integer: return integer(column).map { .integer($0) }
    case .real:
      let number = Double(bitPattern: UInt64(bitPattern: Self.number(content)))
      return number.isNaN ? .null : .real(number)
    case .text: return .text(Self.text(content, encoding))
    case .blob: return .blob(Array(content))
    }
  }

  /// The integer of a column; nil for another storage class, and if its bytes are lost.
  func integer(_ column: Int) -> Int64? {
    let value = values[column]
    guard storageClass(column) == .integer, value.range.upperBound <= bytes.count else {
      return nil
    }
    switch value.code {
    case 8: return 0
    case 9: return 1
    default: return Self.number(bytes[value.range])
    }
  }

  /// The big-endian number with a sign in at most eight bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let sign: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// The text in UTF-8, as SQLite would give it.
  private static func text(
    _ bytes: ArraySlice<UInt8>, _ encoding: DatabaseHeader.TextEncoding
  ) -> [UInt8] {
    if encoding == .utf8 { return Array(bytes) }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return encoding == .utf16BigEndian ? first << 8 | second : second << 8 | first
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
