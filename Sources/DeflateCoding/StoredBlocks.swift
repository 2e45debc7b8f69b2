/// Deflate's stored blocks (RFC 1951, section 3.2.4), for incompressible bytes.
///
/// Implemented here so that the bytes are the same with every library.
enum StoredBlocks {
  /// The maximum number of bytes in a stored block.
  private static let blockSize = 65535
  /// The bytes before a block's content: its type and its length, twice.
  private static let headerSize = 5

  /// The size of `count` plain bytes as stored blocks, in bytes.
  static func size(of count: Int) -> Int {
    count + headerSize * max(1, (count + blockSize - 1) / blockSize)
  }

  /// Appends plain bytes as a whole deflate stream of stored blocks.
  static func append(
    _ plain: UnsafeRawBufferPointer, to output: inout ContiguousArray<UInt8>
  ) {
    var start = 0
    repeat {
      let count = min(blockSize, plain.count - start)
      let isLast = start + count == plain.count
      let length = UInt16(count)
      output.append(isLast ? 1 : 0)
      output.append(UInt8(truncatingIfNeeded: length))
      output.append(UInt8(truncatingIfNeeded: length >> 8))
      output.append(UInt8(truncatingIfNeeded: ~length))
      output.append(UInt8(truncatingIfNeeded: ~length >> 8))
      unsafe output.append(contentsOf: plain[start..<start + count])
      start += count
    } while start < plain.count
  }
}
