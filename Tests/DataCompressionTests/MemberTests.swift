internal import DataCompression
internal import Testing

/// Gzip members contain their length, and any reader of gzip accepts them.
@Suite struct MemberTests {
  private let pieces = ["first ", String(repeating: "second ", count: 10_000), "", "fourth"]

  private func members(level: Int) throws -> [ContiguousArray<UInt8>] {
    var compressor = try BlockCompressor(level: level)
    return pieces.map { piece in
      var member = ContiguousArray<UInt8>()
      unsafe Array(piece.utf8).withUnsafeBytes {
        unsafe compressor.appendMember($0, to: &member)
      }
      return member
    }
  }

  @Test(arguments: BlockCompressor.levels)
  func membersStateTheirLengthAndAreInflatedAlone(_ level: Int) throws {
    var inflater = try BlockInflater()
    for (piece, member) in zip(pieces, try members(level: level)) {
      try unsafe member.withUnsafeBytes { bytes in
        let beginning = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[..<MemberFormat.gzip.headerSize])
        let header = unsafe try #require(MemberFormat.gzip.header(of: beginning))
        #expect(header.size == member.count && !header.isFooter)
        var plain = unsafe [UInt8](repeating: 0, count: MemberFormat.gzip.plainSize(of: bytes))
        try unsafe plain.withUnsafeMutableBytes {
          try unsafe inflater.inflateMember(bytes, filling: $0)
        }
        #expect(String(decoding: plain, as: UTF8.self) == piece)
      }
    }
  }

  @Test(arguments: [0, 1, 6, 12])
  func membersAndFooterAreOneStreamOfGzip(_ level: Int) throws {
    let members = try members(level: level)
    let footer = MemberFormat.gzip.footer(indexOffset: 77)
    #expect(
      unsafe footer.withUnsafeBytes { unsafe MemberFormat.gzip.indexOffset(ofFooter: $0) } == 77)
    let stream = ContiguousArray((members + [footer]).joined())
    #expect(String(decoding: try plain(of: stream), as: UTF8.self) == pieces.joined())
  }

  @Test func aWrongChecksumIsDamage() throws {
    var member = try members(level: 6)[1]
    member[member.count - 8] ^= 1
    var inflater = try BlockInflater()
    #expect(throws: CompressionError.damaged) {
      try unsafe member.withUnsafeBytes { bytes in
        var plain = unsafe [UInt8](repeating: 0, count: MemberFormat.gzip.plainSize(of: bytes))
        try unsafe plain.withUnsafeMutableBytes {
          try unsafe inflater.inflateMember(bytes, filling: $0)
        }
      }
    }
    #expect(throws: CompressionError.damaged) { _ = try plain(of: member) }
  }

  /// Inflates a stream with zlib's own reader of gzip.
  private func plain(of stream: ContiguousArray<UInt8>) throws -> [UInt8] {
    var inflater = try StreamInflater()
    var plain: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1000)
    var offset = 0
    while offset < stream.count {
      let step = try unsafe stream.withUnsafeBytes { bytes in
        try unsafe room.withUnsafeMutableBytes {
          try unsafe inflater.inflate(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: $0)
        }
      }
      offset += step.consumed
      plain += room[..<step.produced]
    }
    return plain
  }
}
