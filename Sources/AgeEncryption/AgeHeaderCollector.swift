/// Collects the bytes of a header from a stream.
struct AgeHeaderCollector {
  /// The bytes of the complete header, including its last line break.
  private(set) var header: [UInt8]?

  private var bytes: [UInt8] = []
  private var lineStart = 0

  /// Takes bytes up to the end of the header.
  ///
  /// - Returns: the number of bytes that belong to the header.
  /// - Throws: `damaged-encryption` for bytes that do not begin like a header, or a header that is
  ///   too long.
  mutating func take(_ more: UnsafeRawBufferPointer) throws(AgeError) -> Int {
    var count = 0
    for byte in unsafe Array(more) {
      bytes.append(byte)
      count += 1
      guard bytes.count <= AgeLimits.headerSize else {
        throw AgeError(.damaged, "its header is longer than \(AgeLimits.headerSize) bytes")
      }
      guard byte == UInt8(ascii: "\n") else { continue }
      let isLast = bytes[lineStart...].starts(with: "---".utf8)
      lineStart = bytes.count
      if isLast {
        header = bytes
        break
      }
    }
    return count
  }
}
