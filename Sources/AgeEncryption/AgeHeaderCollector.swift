/// Collects the bytes of a header from a stream.
struct AgeHeaderCollector {
  /// The bytes of the header once it is there, to its last line end.
  private(set) var header: [UInt8]?

  private var bytes: [UInt8] = []
  private var lineStart = 0

  /// Takes bytes up to the end of the header.
  ///
  /// - Returns: how many belong to it.
  /// - Throws: `damaged-encryption` for what does not begin as a header does, or is too long.
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
