/// The compression of the members of an archive.
///
/// A member states its own length in its header, so that members can be read ahead, skipped and
/// decompressed in parallel, also from a pipe. The footer after the last member gives the file offset
/// of the member in which index.json begins. Both are streams that every program for the format reads.
package enum MemberFormat: Sendable, CaseIterable {
  /// Gzip members with an extra field: ``GzipMember``.
  case gzip
  /// zstd frames, each after a skippable frame: ``ZstdMember``.
  case zstd

  /// The number of bytes that are enough to recognize a member of any format; no member is smaller.
  package static let headerSize = max(GzipMember.headerSize, ZstdMember.headerSize)

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
    if bytes.starts(with: GzipMember.deflateSignature) {
      self = .gzip
    } else if ZstdMember.mayBegin(bytes) {
      self = .zstd
    } else {
      return nil
    }
  }

  /// Reads the beginning of a member or of the footer.
  ///
  /// - Parameter bytes: the first ``headerSize`` bytes.
  /// - Returns: nil if the bytes are not canonical in any format.
  package static func header(of bytes: UnsafeRawBufferPointer) -> Header? {
    guard bytes.count == headerSize else { return nil }
    let gzip = unsafe GzipMember.header(
      of: UnsafeRawBufferPointer(rebasing: bytes[..<GzipMember.headerSize]))
    if let gzip { return gzip }
    return unsafe ZstdMember.header(
      of: UnsafeRawBufferPointer(rebasing: bytes[..<ZstdMember.headerSize]))
  }

  /// The first bytes of every stream of the format, except for skippable frames.
  package var signature: [UInt8] {
    switch self {
    case .gzip: GzipMember.deflateSignature
    case .zstd: ZstdMember.magic
    }
  }

  /// The first bytes of every member of ours.
  package var memberSignature: [UInt8] {
    switch self {
    case .gzip: GzipMember.deflateSignature
    case .zstd: ZstdMember.signature
    }
  }

  /// Whether a stream of the format begins with a member, canonical or damaged: stock tools write no gzip
  /// header with an extra field, no empty frame before a skippable one, and not our subfield.
  package func isMember(_ bytes: some Collection<UInt8>) -> Bool {
    switch self {
    case .gzip: bytes.dropFirst(3).first.map { $0 & 4 != 0 } ?? false
    case .zstd:
      bytes.starts(with: ZstdMember.signature)
        || bytes.dropFirst(ZstdMember.subfieldOffset).starts(with: ZstdMember.subfield)
    }
  }

  /// The size of the footer.
  package var footerSize: Int {
    switch self {
    case .gzip: GzipMember.footerSize
    case .zstd: ZstdMember.footerSize
    }
  }

  /// The footer for an index that begins at a file offset.
  package func footer(indexOffset: UInt64) -> ContiguousArray<UInt8> {
    switch self {
    case .gzip: GzipMember.footer(indexOffset: indexOffset)
    case .zstd: ZstdMember.footer(indexOffset: indexOffset)
    }
  }

  /// The index offset in a footer, or nil if the bytes are not exactly a footer.
  package func indexOffset(ofFooter bytes: UnsafeRawBufferPointer) -> UInt64? {
    switch self {
    case .gzip: unsafe GzipMember.indexOffset(ofFooter: bytes)
    case .zstd: unsafe ZstdMember.indexOffset(ofFooter: bytes)
    }
  }

  /// The number of plain bytes that a whole member states; 0 if it states none.
  package func plainSize(of member: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .gzip: unsafe GzipMember.plainSize(of: member)
    case .zstd: unsafe ZstdMember.plainSize(of: member)
    }
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
