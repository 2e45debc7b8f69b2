/// The last 32 bytes of a binary property list, checked against its length.
struct BinaryPlistTrailer {
  /// The length of the trailer in bytes.
  static let length = 32

  /// The width in bytes of an entry of the offset table, 1 to 8.
  let offsetWidth: Int
  /// The width in bytes of a reference to an object, 1 to 8.
  let referenceWidth: Int
  /// The number of objects, at least 1.
  let objectCount: Int
  /// The number of the top object.
  let top: Int
  /// Where the offset table begins; the objects stand before it.
  let tablePosition: Int

  /// Reads the trailer of a whole property list.
  init(_ bytes: [UInt8]) throws(CofferError) {
    guard bytes.count >= 8 + 1 + Self.length else { throw Self.damaged("too short") }
    let start = bytes.count - Self.length
    offsetWidth = Int(bytes[start + 6])
    referenceWidth = Int(bytes[start + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw Self.damaged("offsets or references of an impossible width")
    }
    guard
      let count = Int(exactly: bytes.bigEndianUnsigned(at: start + 8, width: 8)),
      let top = Int(exactly: bytes.bigEndianUnsigned(at: start + 16, width: 8)),
      let position = Int(exactly: bytes.bigEndianUnsigned(at: start + 24, width: 8)),
      count >= 1, top < count, position > 8, position <= start,
      count <= (start - position) / offsetWidth
    else { throw Self.damaged("a trailer that contradicts the length") }
    guard count <= BinaryPlistReader.maximumObjectCount else {
      throw CofferError(.modelLimit, detail: "a property list of \(count) objects")
    }
    objectCount = count
    self.top = top
    tablePosition = position
  }

  static func damaged(_ detail: String) -> CofferError {
    CofferError(.damagedModel, detail: "a binary property list with \(detail)")
  }
}

extension [UInt8] {
  /// The unsigned number of 1 to 8 bytes at a position, most significant byte first.
  func bigEndianUnsigned(at position: Int, width: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[position..<position + width] { number = number << 8 | UInt64(byte) }
    return number
  }
}
