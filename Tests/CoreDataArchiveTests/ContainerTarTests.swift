internal import CoreDataArchive
internal import DataCompression
internal import Testing

@Suite struct ContainerTarTests {
  @Test func shortNameNeedsOneBlock() {
    let header = TarHeader(name: "a/b", size: 0o1234).encoded
    #expect(header.count == 512)
    #expect(header[0..<4].elementsEqual("a/b\0".utf8))
    #expect(header[124..<136].elementsEqual("00000001234\0".utf8))
    #expect(header[257..<265].elementsEqual("ustar\u{0}00".utf8))
  }

  @Test(arguments: [
    (100, 0, 512), (101, 0, 1536), (95, 1 << 33, 1536), (95, (1 << 33) - 1, 512),
    (1000, 1 << 40, 2560),
  ])
  func paxHeaderStandsOnlyWhereItIsNeeded(name: Int, size: Int, bytes: Int) {
    let header = TarHeader(name: String(repeating: "n", count: name), size: size).encoded
    #expect(header.count == bytes)
  }

  @Test func paddingFillsTheBlock() {
    for (size, padding) in [(0, 0), (1, 511), (511, 1), (512, 0), (513, 511)] {
      #expect(TarHeader.padding(after: size) == padding)
    }
  }
}

@Suite struct ContainerMemberTests {
  private func member(
    _ plain: ContiguousArray<UInt8>, level: Int
  ) throws -> ContiguousArray<UInt8> {
    var compressor = try BlockCompressor(level: level)
    var output = ContiguousArray<UInt8>()
    unsafe plain.withUnsafeBytes { bytes in
      unsafe compressor.appendMember(bytes, to: &output)
    }
    return output
  }

  @Test(arguments: [0, 1, 6, 9, 12], [0, 1, 65_535, 65_536, 200_000])
  func memberComesBackAtEveryLevel(level: Int, count: Int) throws {
    var random = Seeded(state: UInt64(level * 7 + count))
    for plain in [random.text(count), random.noise(count)] {
      let packed = try member(plain, level: level)
      #expect(packed.count <= count + 5 * (count / 65_535 + 1) + 28)
      var inflater = try BlockInflater()
      var room = ContiguousArray<UInt8>(repeating: 0, count: count)
      try unsafe packed.withUnsafeBytes { bytes in
        let header = unsafe MemberFormat.gzip.header(
          of: UnsafeRawBufferPointer(rebasing: bytes[..<20]))
        #expect(header?.size == packed.count)
        #expect(header?.isFooter == false)
        #expect(unsafe MemberFormat.gzip.plainSize(of: bytes) == count)
        try unsafe room.withUnsafeMutableBytes { room in
          try unsafe inflater.inflateMember(bytes, filling: room)
        }
      }
      #expect(room == plain)
    }
  }

  @Test func wrongRoomIsAnErrorNotACrash() throws {
    var random = Seeded(state: 2)
    let packed = try member(random.text(10_000), level: 6)
    for count in [0, 1, 9_999, 10_001, 20_000] {
      var inflater = try BlockInflater()
      var room = ContiguousArray<UInt8>(repeating: 0, count: count)
      #expect(throws: CompressionError.self) {
        try unsafe packed.withUnsafeBytes { bytes in
          try unsafe room.withUnsafeMutableBytes { room in
            try unsafe inflater.inflateMember(bytes, filling: room)
          }
        }
      }
    }
  }

  @Test func noiseIsStored() throws {
    var random = Seeded(state: 4)
    let noise = random.noise(1 << 20)
    #expect(try member(noise, level: 6) == member(noise, level: 0))
  }

  @Test func noiseInATarEntryIsStored() throws {
    var random = Seeded(state: 4)
    let header = TarHeader(name: "entities/Photo/00000.blobs", size: 1 << 20).encoded
    let padding = ContiguousArray<UInt8>(repeating: 0, count: 511)
    let entry = header + random.noise((1 << 20) - header.count - padding.count) + padding
    #expect(try member(entry, level: 6) == member(entry, level: 0))
  }

  @Test(arguments: 0..<4)
  func aBlockOfWhichAQuarterShrinksIsDeflated(_ quarter: Int) throws {
    var random = Seeded(state: 5)
    var block = ContiguousArray<UInt8>()
    for index in 0..<4 {
      block += index == quarter ? random.text(1 << 18) : random.noise(1 << 18)
    }
    #expect(try member(block, level: 6).count < block.count)
  }

  @Test func checksumIsTheOneOfGzip() {
    let text = ContiguousArray("123456789".utf8)
    unsafe text.withUnsafeBytes { bytes in
      #expect(unsafe crc32(of: bytes) == 0xcbf4_3926)
      let start = unsafe crc32(of: UnsafeRawBufferPointer(rebasing: bytes[..<4]))
      #expect(
        unsafe crc32(of: UnsafeRawBufferPointer(rebasing: bytes[4...]), continuing: start)
          == 0xcbf4_3926)
    }
  }

  @Test func footerStatesTheOffset() {
    for offset in [0, 1, 1 << 40, UInt64.max] {
      let footer = MemberFormat.gzip.footer(indexOffset: offset)
      #expect(footer.count == MemberFormat.gzip.footerSize)
      unsafe footer.withUnsafeBytes { bytes in
        #expect(unsafe MemberFormat.gzip.indexOffset(ofFooter: bytes) == offset)
      }
    }
  }
}
