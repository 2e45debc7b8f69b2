internal import CoreDataModel

/// The name of a file of external binary data: an upper-case UUID, as 128 bits.
package struct ExternalFileName: Sendable, Hashable {
  /// The upper half.
  let high: UInt64
  /// The lower half.
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses the 36 characters of an upper-case UUID; nil for anything else.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 36 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let byte = unsafe bytes[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let isLowerCase = byte >= UInt8(ascii: "a")
      guard !isLowerCase, let digit = Hexadecimal.value(byte) else { return nil }
      halves.0 = halves.0 << 4 | halves.1 >> 60
      halves.1 = halves.1 << 4 | UInt64(digit)
    }
    self.init(high: halves.0, low: halves.1)
  }

  /// Parses a file name; nil if it is not an upper-case UUID.
  package init?(_ name: String) {
    let found = unsafe Array(name.utf8).withUnsafeBytes { unsafe Self($0) }
    guard let found else { return nil }
    self = found
  }

  /// The upper-case UUID.
  package var text: String {
    let digits = Hexadecimal.digits(of: high) + Hexadecimal.digits(of: low)
    let ranges = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return ranges.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
      .uppercased()
  }
}

/// The order of the texts.
extension ExternalFileName: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
