/// The zstd members of an archive (RFC 8878) and the footer after them.
///
/// A member is an empty frame, so that every program recognizes zstd, a skippable frame with the extra
/// field of a gzip member, and the frame with the content:
///
///     offset  size
///      0       9   28 b5 2f fd 20 00 01 00 00   a frame of no bytes
///      9       4   5c 2a 4d 18                  magic of a skippable frame
///     13       4   8                            its length
///     17       4   'C' 'F' 4 0                  subfield, its length
///     21       4   length                       of the whole member, this header included
///     25       …   a frame                      one segment, with checksum, without dictionary
///
/// The footer has a skippable frame of 20 bytes with a second subfield `'C' 'X' 8 0`, followed by the
/// file offset of the member in which index.json begins, and no frame with content. Everything is
/// little-endian. A header with any other value is damaged.
package enum ZstdMember {
  /// The size of a member's header, and of the identical beginning of a footer.
  package static let headerSize = 25
  /// The size of the footer.
  package static let footerSize = 37
  /// The size of the smallest member: header, and a frame of one byte.
  package static let minimumSize = headerSize + 14
  /// The first bytes of every frame with content.
  package static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
  /// The first bytes of every member and of the footer: the empty frame and the next magic.
  static let signature = magic + [0x20, 0, 1, 0, 0, 0x5c, 0x2a, 0x4d, 0x18]

  /// The position of our subfield in a member and in the footer.
  static let subfieldOffset = 17
  /// The subfield with the length of the member, without the length.
  static let subfield: [UInt8] = [0x43, 0x46, 4, 0]

  /// Whether bytes begin like a zstd stream: with a frame, or with a skippable one.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: magic)
      || bytes.dropFirst().starts(with: [0x2a, 0x4d, 0x18]) && bytes.first.map { $0 >> 4 } == 5
  }

  /// Appends a block as one member.
  ///
  /// - Throws: ``CompressionError/outOfMemory``.
  static func append(
    _ plain: UnsafeRawBufferPointer, with compressor: inout FrameCompressor,
    to output: inout ContiguousArray<UInt8>
  ) throws(CompressionError) {
    let start = output.count
    appendHeader(extraSize: 8, to: &output)
    try unsafe compressor.compress(plain, appendingTo: &output)
    write(UInt64(output.count - start), size: 4, at: start + 21, to: &output)
  }

  /// The footer for an index that begins at a file offset.
  package static func footer(indexOffset: UInt64) -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    appendHeader(extraSize: 20, to: &output)
    write(UInt64(footerSize), size: 4, at: 21, to: &output)
    output += [0x43, 0x58, 8, 0]
    output += [0, 0, 0, 0, 0, 0, 0, 0]
    write(indexOffset, size: 8, at: 29, to: &output)
    return output
  }

  /// The index offset in a footer, or nil if the bytes are not exactly a footer.
  package static func indexOffset(ofFooter bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == footerSize else { return nil }
    let offset = unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 29, as: UInt64.self))
    return unsafe footer(indexOffset: offset).elementsEqual(bytes) ? offset : nil
  }

  /// Reads the beginning of a member or of the footer.
  ///
  /// - Parameter bytes: the first ``headerSize`` bytes.
  /// - Returns: nil if the bytes are not canonical.
  package static func header(of bytes: UnsafeRawBufferPointer) -> MemberFormat.Header? {
    guard bytes.count == headerSize, unsafe bytes[0..<13].elementsEqual(signature),
      unsafe bytes[14..<21].elementsEqual([0, 0, 0] + subfield)
    else { return nil }
    let stated = unsafe bytes.loadUnaligned(fromByteOffset: 21, as: UInt32.self)
    let size = Int(UInt32(littleEndian: stated))
    switch unsafe bytes[13] {
    case 8: return size >= minimumSize ? .init(format: .zstd, size: size, isFooter: false) : nil
    case 20: return size == footerSize ? .init(format: .zstd, size: size, isFooter: true) : nil
    default: return nil
    }
  }

  /// The number of plain bytes that the frame of a whole member states; 0 if it is not as it must be.
  package static func plainSize(of member: UnsafeRawBufferPointer) -> Int {
    guard member.count >= minimumSize else { return 0 }
    return unsafe contentSize(of: UnsafeRawBufferPointer(rebasing: member[headerSize...])) ?? 0
  }

  /// Decompresses a whole member and verifies its checksum.
  ///
  /// - Throws: ``CompressionError``, for each kind of defect.
  static func decompress(
    _ member: UnsafeRawBufferPointer, with decompressor: inout FrameDecompressor,
    filling plain: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    guard member.count >= minimumSize else { throw .truncated }
    let frame = unsafe UnsafeRawBufferPointer(rebasing: member[headerSize...])
    guard unsafe contentSize(of: frame) == plain.count else { throw .damaged }
    try unsafe decompressor.decompress(frame, filling: plain)
  }

  /// The content size in the header of a frame (RFC 8878, section 3.1.1.1).
  ///
  /// - Parameter frame: at least as many bytes as the longest header has, 13.
  /// - Returns: nil for a frame of another form: a single segment with a checksum, without a dictionary.
  private static func contentSize(of frame: UnsafeRawBufferPointer) -> Int? {
    let descriptor = unsafe frame[4]
    guard unsafe frame.starts(with: magic), descriptor & 0b0011_1111 == 0b0010_0100 else {
      return nil
    }
    switch descriptor >> 6 {
    case 0: return unsafe Int(frame[5])
    case 1:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt16.self)
      return Int(UInt16(littleEndian: stated)) + 256
    case 2:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt32.self)
      return Int(UInt32(littleEndian: stated))
    default:
      let stated = unsafe frame.loadUnaligned(fromByteOffset: 5, as: UInt64.self)
      return Int(exactly: UInt64(littleEndian: stated))
    }
  }

  /// Appends a header whose length field is 0.
  private static func appendHeader(extraSize: UInt8, to output: inout ContiguousArray<UInt8>) {
    output += signature
    output += [extraSize, 0, 0, 0] + subfield + [0, 0, 0, 0]
  }

  private static func write(
    _ value: UInt64, size: Int, at place: Int, to output: inout ContiguousArray<UInt8>
  ) {
    for index in 0..<size {
      output[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
    }
  }
}
