/// A reference of an object to a file of external binary data.
struct ExternalReference: Sendable {
  /// The upper half of the UUID that names the file.
  let high: UInt64
  /// The lower half of it.
  let low: UInt64
  /// The column that refers to it.
  let column: Int32
  /// The primary key of the object.
  var primaryKey: Int64
  /// The number of the object's entity.
  var entityNumber: Int64

  /// Reads the 36 characters of a UUID in upper case and the NUL that ends them; nil for all else.
  init?(
    _ bytes: UnsafeRawBufferPointer, column: Int32, primaryKey: Int64, entityNumber: Int64
  ) {
    guard bytes.count == 37, unsafe bytes[36] == 0 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let byte = unsafe bytes[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      halves.0 = halves.0 << 4 | halves.1 >> 60
      halves.1 = halves.1 << 4 | UInt64(digit)
    }
    high = halves.0
    low = halves.1
    self.column = column
    self.primaryKey = primaryKey
    self.entityNumber = entityNumber
  }

  /// The name of the file: the UUID in upper case.
  var fileName: String {
    let digits = Self.hex(high) + Self.hex(low)
    let ranges = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return ranges.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }

  private static func hex(_ half: UInt64) -> [UInt8] {
    (0..<16).map { place in
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * place)) & 15
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
    }
  }
}
