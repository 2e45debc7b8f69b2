internal import DataCompression

extension FuzzTarget {
  private static let inflatedLimit = 1 << 20

  /// Raw deflate streams and gzip streams.
  static let deflate = FuzzTarget(
    "deflate", "raw deflate and gzip streams; what is compressed inflates to the same",
    maximumSize: 1 << 14,
    seeds: {
      let texts = [[], Array("abc".utf8), [UInt8](repeating: 7, count: 5000), Array(0...255)]
      return try texts.flatMap { plain throws in
        try [deflateRaw(plain), FuzzGzip.stream(plain), FuzzGzip.member(plain)]
      }
    }
  ) { input in
    if let plain = try? inflateRaw(input, limit: inflatedLimit) {
      let again = try inflateRaw(try deflateRaw(plain), limit: inflatedLimit)
      try hold(again == plain, "bytes are not the same when they are compressed and inflated")
    }
    let compressed = try deflateRaw(input, level: 1)
    try hold(
      try inflateRaw(compressed, limit: input.count) == input, "bytes come back otherwise")
    if let header = unsafe input.withUnsafeBytes({ bytes in
      bytes.count >= MemberFormat.gzip.headerSize
        ? unsafe MemberFormat.gzip.header(of: UnsafeRawBufferPointer(rebasing: bytes[..<20])) : nil
    }) {
      try hold(
        header.size >= MemberFormat.gzip.minimumSize || header.isFooter, "a member of no size")
    }
    try decompressStream(input, .gzip)
  }

  /// Decompresses a stream piece by piece, as a repacked archive is.
  static func decompressStream(_ input: [UInt8], _ format: MemberFormat) throws {
    var stream = try StreamDecompressor(format, windowLimit: 1 << 20)
    var room = [UInt8](repeating: 0, count: 1 << 12)
    var (position, produced) = (0, 0)
    while produced < inflatedLimit {
      let piece = Array(input[position..<min(input.count, position + 1000)])
      let step: StreamInflater.Step
      do throws(CompressionError) {
        step = try decompress(piece, with: &stream, into: &room)
      } catch {
        return
      }
      try hold(step.consumed <= piece.count && step.produced <= room.count, "out of bounds")
      try hold(
        step.consumed + step.produced > 0 || piece.isEmpty || stream.isBetweenMembers,
        "a decompressor that stands still")
      if step.consumed + step.produced == 0 { return }
      position += step.consumed
      produced += step.produced
    }
  }

  private static func decompress(
    _ piece: [UInt8], with stream: inout StreamDecompressor, into room: inout [UInt8]
  ) throws(CompressionError) -> StreamInflater.Step {
    var result = Result<StreamInflater.Step, CompressionError>.failure(.truncated)
    unsafe piece.withUnsafeBytes { bytes in
      unsafe room.withUnsafeMutableBytes { room in
        do throws(CompressionError) {
          result = .success(try unsafe stream.decompress(bytes, into: room))
        } catch {
          result = .failure(error)
        }
      }
    }
    return try result.get()
  }
}
