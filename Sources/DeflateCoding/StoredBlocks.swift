/// Deflate's stored blocks (RFC 1951, section 3.2.4), for bytes that do not compress.
///
/// Written here and not by a library, so that they are the same bytes with every library.
enum StoredBlocks {
  /// The most bytes that one stored block holds.
  private static let blockSize = 65535
  /// The bytes before a block's content: its type, its length twice.
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
