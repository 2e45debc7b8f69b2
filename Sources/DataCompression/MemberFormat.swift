/// The compression of the members of an archive.
///
/// A member states its own length in its header, so that members can be read ahead, skipped and
/// decompressed in parallel, also from a pipe. The footer after the last member gives the file offset
/// of the member in which index.json begins. Both are streams that every program for the format reads.
///
/// The header is the bytes that begin a stream of the format, up to the length of an extra field, then
/// the extra field: a subfield `'C' 'F' 4 0` with the length of the whole member, header included. In
/// the footer, a second subfield `'C' 'X' 8 0` with the offset follows, and no content. Everything is
/// little-endian. A header with any other value is damaged.
package enum MemberFormat: Sendable, CaseIterable {
  /// Gzip members with an extra field (RFC 1952).
  ///
  ///     offset  size
  ///      0       4   1f 8b 08 04      magic, deflate, FLG = FEXTRA
  ///      4       4   0                MTIME
  ///      8       2   00 ff            XFL, OS = unknown
  ///     10       2   8                XLEN; 20 in the footer
  ///     12       4   'C' 'F' 4 0      subfield, its length
  ///     16       4   length           of the whole member, header and trailer included
  ///     20       …   raw deflate      RFC 1951
  ///     −8       4   CRC-32           of the plain bytes
  ///     −4       4   ISIZE            count of the plain bytes
  case gzip
  /// zstd frames (RFC 8878), each after an empty frame, so that every program recognizes zstd, and a
  /// skippable frame with the extra field of a gzip member.
  ///
  ///     offset  size
  ///      0       9   28 b5 2f fd 20 00 01 00 00   a frame of no bytes
  ///      9       4   5c 2a 4d 18                  magic of a skippable frame
  ///     13       4   8                            its length; 20 in the footer
  ///     17       4   'C' 'F' 4 0                  subfield, its length
  ///     21       4   length                       of the whole member, this header included
  ///     25       …   a frame                      one segment, with checksum, without dictionary
  case zstd

  /// The first bytes of every gzip stream.
  package static let gzipSignature: [UInt8] = [0x1f, 0x8b]
  /// The subfield with the length of the member, without the length.
  private static let lengthSubfield: [UInt8] = [0x43, 0x46, 4, 0]
  /// The subfield with the offset of the index, without the offset.
  private static let indexSubfield: [UInt8] = [0x43, 0x58, 8, 0]
  private static let (extraSize, footerExtraSize): (UInt8, UInt8) = (8, 20)

  /// The number of bytes that are enough to recognize a member of any format; no member is smaller.
  package static let headerSize = allCases.map(\.headerSize).max() ?? 0

  /// The information at the beginning of a member.
  package struct Header: Sendable, Equatable {
    /// The format of the member.
    package var format: MemberFormat
    /// The length of the whole member in bytes; at least ``MemberFormat/headerSize``.
    package var size: Int
    /// Whether it is the footer.
    package var isFooter: Bool
  }

  /// The format of a compressed stream of ours or of another program, by its first four bytes.
  ///
  /// - Returns: nil for anything else, and for fewer bytes than the format needs.
  package init?(streamBeginning bytes: some Collection<UInt8>) {
    if bytes.starts(with: Self.gzip.signature) {
      self = .gzip
    } else if bytes.starts(with: Self.zstd.signature)
      || bytes.dropFirst().starts(with: [0x2a, 0x4d, 0x18]) && bytes.first.map({ $0 >> 4 }) == 5
    {
      self = .zstd
    } else {
      return nil
    }
  }

  /// The first bytes of every stream of the format with content, except for skippable frames.
  package var signature: [UInt8] {
    switch self {
    case .gzip: Self.gzipSignature + [8]
    case .zstd: [0x28, 0xb5, 0x2f, 0xfd]
    }
  }

  /// The first bytes of every member of ours, up to the length of the extra field.
  private var magic: [UInt8] {
    switch self {
    case .gzip: signature + [4, 0, 0, 0, 0, 0, 0xff]
    case .zstd: signature + [0x20, 0, 1, 0, 0, 0x5c, 0x2a, 0x4d, 0x18]
    }
  }

  /// The first bytes of every member of ours that a search looks for.
  package var memberSignature: [UInt8] { self == .gzip ? signature : magic }

  /// The bytes that follow the extra field of the footer: a stream of no bytes, if the format needs one.
  private var emptyContent: [UInt8] { self == .gzip ? [3, 0, 0, 0, 0, 0, 0, 0, 0, 0] : [] }

  /// The size of a member's header, and of the identical beginning of a footer.
  package var headerSize: Int { subfieldOffset + 8 }
  /// The size of the footer.
  package var footerSize: Int { headerSize + 12 + emptyContent.count }
  /// The size of the smallest member: a header; an empty deflate stream and a trailer, or a frame of one
  /// byte.
  package var minimumSize: Int { headerSize + (self == .gzip ? emptyContent.count : 14) }
  /// The position of the length of the extra field, behind ``magic``.
  private var lengthOffset: Int { self == .gzip ? 10 : 13 }
  /// The position of our first subfield.
  private var subfieldOffset: Int { lengthOffset + (self == .gzip ? 2 : 4) }

  /// Whether a stream of the format begins with a member, canonical or damaged: stock tools write no gzip
  /// header with an extra field, no empty frame before a skippable one, and not our subfield.
  package func isMember(_ bytes: some Collection<UInt8>) -> Bool {
    switch self {
    case .gzip: bytes.dropFirst(3).first.map { $0 & 4 != 0 } ?? false
    case .zstd:
      bytes.starts(with: magic)
        || bytes.dropFirst(subfieldOffset).starts(with: Self.lengthSubfield)
    }
  }

  func appendHeader(size: Int, to output: inout ContiguousArray<UInt8>, isFooter: Bool = false) {
    let start = output.count
    output += magic
    output.append(isFooter ? Self.footerExtraSize : Self.extraSize)
    output += repeatElement(0, count: start + subfieldOffset - output.count)
    output += Self.lengthSubfield
    output.append(UInt64(size), size: 4)
  }

  /// Writes the length of a member into its header, when it is known.
  func setSize(ofMemberAt start: Int, in output: inout ContiguousArray<UInt8>) {
    let size = output.count - start
    for index in 0..<4 {
      output[start + headerSize - 4 + index] = UInt8(truncatingIfNeeded: size >> (8 * index))
    }
  }

  /// Reads the beginning of a member or of the footer.
  ///
  /// - Parameter bytes: the first ``headerSize`` bytes.
  /// - Returns: nil if the bytes are not canonical in any format.
  package static func header(of bytes: UnsafeRawBufferPointer) -> Header? {
    guard bytes.count == headerSize else { return nil }
    return allCases.lazy.compactMap { unsafe $0.header(of: bytes) }.first
  }

  /// Reads the beginning of a member or of the footer of this format.
  ///
  /// - Parameter bytes: at least as many bytes as the header has.
  /// - Returns: nil if the bytes are not canonical.
  package func header(of bytes: UnsafeRawBufferPointer) -> Header? {
    guard bytes.count >= headerSize else { return nil }
    let isFooter = unsafe bytes[lengthOffset] == Self.footerExtraSize
    let stated = unsafe bytes.loadUnaligned(fromByteOffset: headerSize - 4, as: UInt32.self)
    let size = Int(UInt32(littleEndian: stated))
    var canonical = ContiguousArray<UInt8>()
    appendHeader(size: size, to: &canonical, isFooter: isFooter)
    guard unsafe bytes.starts(with: canonical), isFooter ? size == footerSize : size >= minimumSize
    else { return nil }
    return Header(format: self, size: size, isFooter: isFooter)
  }

  /// The footer for an index that begins at a file offset.
  package func footer(indexOffset: UInt64) -> ContiguousArray<UInt8> {
    var output = ContiguousArray<UInt8>()
    appendHeader(size: footerSize, to: &output, isFooter: true)
    output += Self.indexSubfield
    output.append(indexOffset, size: 8)
    return output + emptyContent
  }

  /// The index offset in a footer, or nil if the bytes are not exactly a footer.
  package func indexOffset(ofFooter bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == footerSize else { return nil }
    let offset = unsafe UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: headerSize + 4, as: UInt64.self))
    return unsafe footer(indexOffset: offset).elementsEqual(bytes) ? offset : nil
  }
}

extension ContiguousArray<UInt8> {
  /// Appends the low bytes of a number, the lowest first.
  mutating func append(_ value: UInt64, size: Int) {
    for index in 0..<size { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }
}

/// An error while compressing or decompressing.
package enum CompressionError: Error, Sendable, Equatable {
  /// The stream contradicts its format (RFC 1951, RFC 8878).
  case damaged
  /// The stream ends too early.
  case truncated
  /// Bytes follow the end of the stream; their number.
  case trailingBytes(Int)
  /// The plain bytes exceed the caller's limit.
  case limitExceeded(Int)
  /// The stream needs more memory for its window than the caller allows.
  case windowExceeded
  /// The stream was compressed with a dictionary, which archives do not use.
  case dictionary
  /// The library could not allocate memory.
  case outOfMemory
  /// The program was built without zstd.
  case unavailable
}
