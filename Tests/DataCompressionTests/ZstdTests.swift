internal import DataCompression
internal import Testing

#if ZSTD
  /// Zstd members contain their length and one frame of one form, and any reader of zstd accepts them.
  @Suite struct ZstdTests {
    private static let line = Array("{\"$pk\": 17, \"title\": \"Buy milk\"}\n".utf8)

    /// Bytes that no level shrinks.
    private static func noise(_ count: Int) -> [UInt8] {
      var state: UInt64 = 1
      return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    }

    /// Lines that differ in a number of six digits.
    private static func lines(_ count: Int) -> [UInt8] {
      var lines: [UInt8] = []
      for digit in noise(6 * count) {
        if lines.count % (line.count + 6) == 6 { lines += line }
        lines.append(0x30 + digit % 10)
      }
      return lines
    }

    private static let blocks: [[UInt8]] = [
      [7], Array(line.prefix(20)), lines(20), [UInt8](repeating: 0, count: 1 << 20), noise(200_000),
      lines(3000),
    ]

    private func member(_ plain: [UInt8], level: Int = 3) throws -> [UInt8] {
      var compressor = try MemberCompressor(.zstd, level: level)
      var output = ContiguousArray<UInt8>()
      try unsafe plain.withUnsafeBytes { try unsafe compressor.append($0, to: &output) }
      return Array(output)
    }

    private func header(_ bytes: [UInt8]) -> MemberFormat.Header? {
      let beginning = Array(bytes.prefix(MemberFormat.headerSize))
      return unsafe beginning.withUnsafeBytes { unsafe MemberFormat.header(of: $0) }
    }

    private func plainSize(_ member: [UInt8]) -> Int {
      unsafe member.withUnsafeBytes { unsafe MemberFormat.zstd.plainSize(of: $0) }
    }

    private func plain(_ member: [UInt8]) throws -> [UInt8] {
      var decompressor = MemberDecompressor()
      var plain = [UInt8](repeating: 0xAA, count: min(plainSize(member), 4 << 20))
      try unsafe member.withUnsafeBytes { bytes in
        try unsafe plain.withUnsafeMutableBytes {
          try unsafe decompressor.decompress(bytes, .zstd, filling: $0)
        }
      }
      return plain
    }

    /// Reads a stream as that of another program, a few bytes at a time.
    private func streamed(_ stream: [UInt8], windowLimit: Int = 8 << 20) throws -> [UInt8] {
      var decompressor = try StreamDecompressor(.zstd, windowLimit: windowLimit)
      var plain: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 1000)
      var offset = 0
      while offset < stream.count || decompressor.mayHaveMore {
        let piece = Array(stream[offset..<min(offset + 700, stream.count)])
        let step = try unsafe piece.withUnsafeBytes { bytes in
          try unsafe room.withUnsafeMutableBytes {
            try unsafe decompressor.decompress(bytes, into: $0)
          }
        }
        offset += step.consumed
        plain += room[..<step.produced]
      }
      guard decompressor.isBetweenMembers else { throw CompressionError.truncated }
      return plain
    }

    @Test(arguments: [1, 3, 10, 19])
    func membersComeBackAtEveryLevel(_ level: Int) throws {
      for plain in Self.blocks {
        let packed = try member(plain, level: level)
        let found = try #require(header(packed))
        #expect(found.format == .zstd && found.size == packed.count && !found.isFooter)
        #expect(plainSize(packed) == plain.count)
        #expect(try self.plain(packed) == plain)
        #expect(try member(plain, level: level) == packed, "twice")
      }
    }

    @Test func theHighestLevelIsSmaller() throws {
      let lines = Self.lines(10_000)
      let sizes = try [3, 19, 99].map { try member(lines, level: $0).count }
      #expect(sizes[1] < sizes[0])
      // Beyond the levels that there are.
      #expect(sizes[2] == sizes[1])
    }

    @Test func noiseIsStoredWithoutAHighLevel() throws {
      // Longer than the window that level 1 has by itself.
      let noise = Self.noise(700_000)
      let packed = try member(noise, level: 19)
      #expect(try packed == member(noise, level: 1))
      #expect(try plain(packed) == noise)
    }

    @Test func membersAndFooterAreOneStreamOfZstd() throws {
      let footer = MemberFormat.zstd.footer(indexOffset: 1 << 40)
      #expect(footer.count == MemberFormat.zstd.footerSize)
      #expect(
        unsafe footer.withUnsafeBytes { unsafe MemberFormat.zstd.indexOffset(ofFooter: $0) }
          == 1 << 40)
      let members = try Self.blocks.map { try member($0) }
      let stream = Array(members.joined()) + footer
      #expect(try streamed(stream) == Array(Self.blocks.joined()))
      #expect(throws: CompressionError.truncated) { try streamed(stream.dropLast()) }
    }

    @Test func everyFlippedBitIsDamageOrMeansNothing() throws {
      for plain in [Self.blocks[1], Self.blocks[2]] {
        let packed = try member(plain)
        for place in packed.indices {
          for bit in 0..<8 {
            var damaged = packed
            damaged[place] ^= 1 << UInt8(bit)
            guard header(damaged)?.size == packed.count else { continue }
            let read = try? self.plain(damaged)
            #expect(read == nil || read == plain, "bit \(bit) of byte \(place)")
          }
        }
      }
    }

    @Test func cutMembersAreDamage() throws {
      let packed = try member(Self.blocks[2])
      for count in 0..<packed.count {
        #expect(throws: CompressionError.self) { try plain(Array(packed.prefix(count))) }
      }
    }

    @Test func aMemberHoldsOneFrameAndNothingElse() throws {
      let packed = try member(Self.blocks[1])
      #expect(throws: CompressionError.trailingBytes(3)) { try plain(packed + [1, 2, 3]) }
      let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9]
      #expect(throws: CompressionError.trailingBytes(9)) { try plain(packed + skippable) }
      let frame = packed.dropFirst(MemberFormat.headerSize)
      #expect(throws: CompressionError.trailingBytes(frame.count)) { try plain(packed + frame) }
    }

    /// The descriptor of a frame, and what an ordinary one says.
    @Test(arguments: [
      (0x04, "a window"), (0x25, "a dictionary"), (0x20, "no checksum"), (0x2C, "a reserved bit"),
      (0x34, "an unused bit"),
    ])
    func framesOfAnotherFormStateNoSize(_ descriptor: UInt8, _ what: String) throws {
      var packed = try member(Self.blocks[1])
      let place = MemberFormat.headerSize + 4
      #expect(packed[place] == 0x24)
      packed[place] = descriptor
      #expect(plainSize(packed) == 0, "\(what)")
      #expect(throws: CompressionError.damaged) { try plain(packed) }
    }

    @Test func aContentSizeThatLiesIsDamage() throws {
      let packed = try member(Self.blocks[1])
      for stated in [1, 19, 21, 255] as [UInt8] {
        var lying = packed
        lying[MemberFormat.headerSize + 5] = stated
        #expect(throws: CompressionError.damaged) { try plain(lying) }
      }
    }

    // MARK: Streams of other programs

    private let skippableEnd: [UInt8] = [0x2A, 0x4D, 0x18]

    @Test func skippableFramesArePassedOver() throws {
      let frame = try member(Self.blocks[2]).dropFirst(MemberFormat.headerSize)
      var many: [UInt8] = []
      for number in 0..<10_000 {
        many += [0x50 + UInt8(number % 16)] + skippableEnd + [0, 0, 0, 0]
      }
      #expect(try streamed(many + frame + many) == Self.blocks[2])
      let huge = [0x50] + skippableEnd + [0xFF, 0xFF, 0xFF, 0xFF]
      #expect(throws: CompressionError.truncated) { try streamed(huge + frame) }
    }

    @Test func aLargerWindowThanAllowedIsRefused() throws {
      // A window of 16 MiB, and a last block of one byte without compression.
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 14 << 3, 9, 0, 0, 7]
      #expect(throws: CompressionError.windowExceeded) { try streamed(frame) }
      #expect(try streamed(frame, windowLimit: 16 << 20) == [7])
    }

    @Test func aDictionaryIsRefused() {
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 5, 1, 9, 0, 0, 7]
      #expect(throws: CompressionError.dictionary) { try streamed(frame) }
    }

    @Test func aLieAboutTheContentOfAStreamIsDamage() {
      // It states 200 bytes and holds one.
      let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 200, 9, 0, 0, 7]
      #expect(throws: CompressionError.damaged) { try streamed(frame) }
    }
  }
#else
  @Suite struct ZstdTests {
    @Test func withoutTheTraitNothingOfZstdIsThere() {
      #expect(throws: CompressionError.unavailable) { _ = try MemberCompressor(.zstd, level: 3) }
      #expect(throws: CompressionError.unavailable) {
        _ = try StreamDecompressor(.zstd, windowLimit: 1 << 20)
      }
    }
  }
#endif
