/// The gzip members of an archive (RFC 1952) and the footer after them.
///
/// A member is an ordinary gzip member that states its own length:
///
///     offset  size
///      0       4   1f 8b 08 04      magic, deflate, FLG = FEXTRA
///      4       4   0                MTIME
///      8       2   00 ff            XFL, OS = unknown
///     10       2   8                XLEN
///     12       4   'C' 'F' 4 0      subfield, its length
///     16       4   length           of the whole member, header and trailer included
///     20       …   raw deflate      RFC 1951
///     −8       4   CRC-32           of the plain bytes
///     −4       4   ISIZE            count of the plain bytes
///
/// The footer is a member of no bytes with XLEN = 20 and a second subfield `'C' 'X' 8 0`, followed
/// by the file offset of the member in which index.json begins. Everything is little-endian. A
/// header with any other value is damaged.
package enum GzipMember {
  /// The size of a member's header, and of the identical beginning of a footer.
  package static let headerSize = 20
  /// The size of a member's trailer.
  package static let trailerSize = 8
  /// The size of the footer.
  package static let footerSize = 42
  /// The size of the smallest member: header, an empty deflate stream, trailer.
  package static let minimumSize = headerSize + 2 + trailerSize
  /// The first bytes of every gzip stream.
  package static let signature: [UInt8] = [0x1f, 0x8b]
  /// The first bytes of every gzip stream that is deflated, as all are.
  package static let deflateSignature = signature + [8]
  /// The first bytes of every member.
  private static let magic = deflateSignature + [4, 0, 0, 0, 0, 0, 0xff]
  /// A deflate stream of no bytes.
  private static let emptyStream: [UInt8] = [3, 0]

  /// Appends a block as one member.
  package static func append(
    _ plain: UnsafeRawBufferPointer, with compressor: inout BlockCompressor,
    to output: inout ContiguousArray<UInt8>
  ) {
    let start = output.count
    appendHeader(extraSize: 8, to: &output)
    unsafe compressor.compress(plain, appendingTo: &output)
    unsafe append(UInt64(crc32(of: plain)), size: 4, to: &output)
    append(UInt64(plain.count), size: 4, to: &output)
    let size = output.count - start
    for index in 0..<4 {
      output[start + 16 + index] = UInt8(truncatingIfNeeded: size >> (8 * index))
    }
  }

  /// The footer for an index that begins at a file offset.
  package static func footer(indexOffset: UInt64) -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    appendHeader(extraSize: 20, to: &output)
    output[16] = UInt8(footerSize)
    output += [0x43, 0x58, 8, 0]
    append(indexOffset, size: 8, to: &output)
    output += emptyStream
    append(0, size: trailerSize, to: &output)
    return output
  }

  /// The index offset in a footer, or nil if the bytes are not exactly a footer.
  package static func indexOffset(ofFooter bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == footerSize else { return nil }
    let offset = unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    return unsafe footer(indexOffset: offset).elementsEqual(bytes) ? offset : nil
  }

  /// Reads the beginning of a member or of the footer.
  ///
  /// - Parameter bytes: the first ``headerSize`` bytes.
  /// - Returns: nil if the bytes are not canonical.
  package static func header(of bytes: UnsafeRawBufferPointer) -> MemberFormat.Header? {
    guard bytes.count == headerSize, unsafe bytes[0..<10].elementsEqual(magic),
      unsafe bytes[11..<16].elementsEqual([0, 0x43, 0x46, 4, 0])
    else { return nil }
    let stated = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    let size = Int(UInt32(littleEndian: stated))
    switch unsafe bytes[10] {
    case 8: return size >= minimumSize ? .init(format: .gzip, size: size, isFooter: false) : nil
    case 20: return size == footerSize ? .init(format: .gzip, size: size, isFooter: true) : nil
    default: return nil
    }
  }

  /// The number of plain bytes in the trailer of a whole member.
  package static func plainSize(of member: UnsafeRawBufferPointer) -> Int {
    guard member.count >= trailerSize else { return 0 }
    let stated = unsafe member.loadUnaligned(
      fromByteOffset: member.count - 4, as: UInt32.self)
    return Int(UInt32(littleEndian: stated))
  }

  /// Inflates a whole member and verifies its checksum.
  ///
  /// - Parameters:
  ///   - member: the member, whose header was read with ``header(of:)``; borrowed for the call.
  ///   - inflater: the inflater to use.
  ///   - plain: a buffer of exactly ``plainSize(of:)`` bytes.
  /// - Throws: as ``BlockInflater/inflate(_:filling:)``; ``CompressionError/damaged`` also for a wrong
  ///   checksum.
  package static func inflate(
    _ member: UnsafeRawBufferPointer, with inflater: inout BlockInflater,
    filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    guard member.count >= minimumSize else { throw .truncated }
    let stream = headerSize..<member.count - trailerSize
    try unsafe inflater.inflate(UnsafeRawBufferPointer(rebasing: member[stream]), filling: plain)
    let stated = unsafe member.loadUnaligned(fromByteOffset: stream.upperBound, as: UInt32.self)
    guard unsafe crc32(of: UnsafeRawBufferPointer(plain)) == UInt32(littleEndian: stated) else {
      throw .damaged
    }
  }

  /// Appends a header whose length field is 0.
  private static func appendHeader(extraSize: UInt8, to output: inout ContiguousArray<UInt8>) {
    output += magic
    output += [extraSize, 0, 0x43, 0x46, 4, 0, 0, 0, 0, 0]
  }

  private static func append(
    _ value: UInt64, size: Int, to output: inout ContiguousArray<UInt8>
  ) {
    for index in 0..<size { output.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }
}
