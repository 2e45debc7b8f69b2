internal import DataCompression
internal import Testing

/// Blocks that one library compresses are inflated by the other.
///
/// `deflateRaw` and `inflateRaw` are always zlib's; `BlockCompressor` and `BlockInflater` are libdeflate's
/// or zlib's, as the package was built. `make test` runs these tests with both.
@Suite struct BlockTests {
  /// Blocks of several kinds: none, short, repeating, random, long, and of both kinds of content.
  private static let blocks: [String: [UInt8]] = {
    var state: UInt64 = 1
    func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    }
    let line = Array("{\"$pk\": 17, \"title\": \"Buy milk\", \"createdAt\": \"2024-05-01\"}\n".utf8)
    let text = Array(repeatElement(line, count: 3000).joined())
    return [
      "empty": [], "byte": [7], "short": Array("123456789".utf8),
      "zeros": [UInt8](repeating: 0, count: 1 << 20), "random": random(200_000), "text": text,
      "mixed": text.prefix(70_000) + random(70_000) + text.prefix(70_000),
    ]
  }()

  private func compressed(_ plain: [UInt8], level: Int) throws -> [UInt8] {
    var compressor = try BlockCompressor(level: level)
    var output = ContiguousArray<UInt8>()
    unsafe plain.withUnsafeBytes { unsafe compressor.compress($0, appendingTo: &output) }
    return Array(output)
  }

  private func inflated(_ stream: [UInt8], room: Int) throws(CompressionError) -> [UInt8] {
    var inflater = try BlockInflater()
    var plain = [UInt8](repeating: 0xaa, count: room)
    let result: Result<Void, CompressionError> = unsafe stream.withUnsafeBytes { input in
      unsafe plain.withUnsafeMutableBytes { bytes in
        do throws(CompressionError) {
          return .success(try unsafe inflater.inflate(input, filling: bytes))
        } catch {
          return .failure(error)
        }
      }
    }
    try result.get()
    return plain
  }

  @Test(arguments: blocks.keys.sorted())
  func everyLevelIsInflatedByBothLibraries(_ name: String) throws {
    let plain = try #require(Self.blocks[name])
    for level in BlockCompressor.levels {
      let stream = try compressed(plain, level: level)
      #expect(try inflated(stream, room: plain.count) == plain, "level \(level)")
      #expect(try inflateRaw(stream, limit: plain.count + 1) == plain, "level \(level)")
      #expect(try compressed(plain, level: level) == stream, "level \(level) twice")
    }
  }

  @Test(arguments: blocks.keys.sorted())
  func streamsOfZlibAreInflated(_ name: String) throws {
    let plain = try #require(Self.blocks[name])
    for level: Int32 in [0, 1, 6, 9] {
      let stream = try deflateRaw(plain, level: level)
      #expect(try inflated(stream, room: plain.count) == plain, "level \(level)")
    }
  }

  @Test func repetitionShrinksAndNoiseIsStored() throws {
    let text = try #require(Self.blocks["text"])
    let noise = try #require(Self.blocks["random"])
    #expect(try compressed(text, level: 6).count < text.count / 20)
    #expect(try compressed(text, level: 0).count > text.count)
    #expect(try compressed(noise, level: 12).count == noise.count + 5 * 4)
  }

  /// Every byte may follow every other, but some values are missing, or sequences repeat.
  @Test func almostNoiseIsCompressed() throws {
    let noise = try #require(Self.blocks["random"])
    let few = noise.map { $0 % 192 }
    let repeating = noise.indices.map { noise[$0 % 64 < 8 ? $0 % 512 : $0] }
    for plain in [few, repeating] {
      #expect(try compressed(plain, level: 5).count < plain.count * 97 / 100)
    }
  }

  @Test func aStreamIsAddedToWhatIsThere() throws {
    for (name, plain) in Self.blocks {
      var compressor = try BlockCompressor(level: 6)
      var output = ContiguousArray<UInt8>([1, 2, 3])
      for _ in 0..<2 {
        unsafe plain.withUnsafeBytes { unsafe compressor.compress($0, appendingTo: &output) }
      }
      let stream = try compressed(plain, level: 6)
      let isExpected = Array(output) == [1, 2, 3] + stream + stream
      #expect(isExpected, "\(name)")
    }
  }

  /// Text of two bytes a letter is no less worth compressing than that of one.
  @Test func textIsCompressedAndNotStored() throws {
    for letters in [Array("abcdefgh"), Array("абвгдежз")] {
      var state: UInt64 = 7
      let text = (0..<100_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return letters[Int(state >> 61)]
      }
      let plain = Array(String(text).utf8)
      #expect(try compressed(plain, level: 1).count < plain.count / 2)
    }
  }

  @Test(arguments: ["short", "text", "random"])
  func whatIsWrongWithAStreamIsToldAlikeByBoth(_ name: String) throws {
    let plain = try #require(Self.blocks[name])
    let stream = try compressed(plain, level: 6)
    func error(_ stream: [UInt8], _ room: Int) -> CompressionError? {
      do throws(CompressionError) {
        _ = try inflated(stream, room: room)
        return nil
      } catch {
        return error
      }
    }
    #expect(error(stream + [1, 2, 3], plain.count) == .trailingBytes(3))
    #expect(error(stream, plain.count + 1) == .damaged)
    #expect(error(stream, plain.count / 2) == .limitExceeded(plain.count / 2))
    // libdeflate reads zeros behind the end, which may replace bytes that do not fit.
    let cut = error(Array(stream.dropLast(2)), plain.count)
    #expect(cut == .damaged || cut == .limitExceeded(plain.count))
    // The type of a block that does not exist.
    #expect(error([7] + stream.dropFirst(), plain.count) == .damaged)
    #expect(error([], plain.count) == .damaged)
  }

  @Test func checksumsAreThoseOfGzip() throws {
    func checksum(_ bytes: some Sequence<UInt8>, _ before: UInt32 = 0) -> UInt32 {
      unsafe Array(bytes).withUnsafeBytes { unsafe crc32(of: $0, continuing: before) }
    }
    // The check value of CRC-32 in the catalogue of parametrised CRC algorithms.
    #expect(checksum("123456789".utf8) == 0xcbf4_3926)
    #expect(checksum("6789".utf8, checksum("12345".utf8)) == 0xcbf4_3926)
    #expect(checksum([], 5) == 5)
  }
}
