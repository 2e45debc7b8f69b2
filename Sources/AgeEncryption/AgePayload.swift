/// The places of the chunks in an encrypted file, for random access.
///
///     var opening = AgePayload.Opening()
///     while try !opening.take(bytes) { /* the next bytes of the file */ }
///     let payload = try opening.payload(for: identities, fileSize: size)
package struct AgePayload: Sendable {
  /// The number of plain bytes.
  package let plainSize: Int
  /// The number of the last chunk.
  package let lastChunk: Int
  private let cipher: ChunkCipher
  /// The offset of the first chunk in the file.
  private let start: Int
  /// The size of the file in bytes.
  private let fileSize: Int

  /// The beginning of a file, as far as it was read.
  package struct Opening {
    private var collector = AgeHeaderCollector()
    private var nonce: [UInt8] = []

    /// Creates an opening without any bytes.
    package init() {}

    /// Takes the next bytes of the file.
    ///
    /// - Returns: whether the header and the nonce are complete.
    /// - Throws: `damaged-encryption`.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(AgeError) -> Bool {
      let used = collector.header == nil ? try unsafe collector.take(bytes) : 0
      guard collector.header != nil else { return false }
      let wanted = ChunkCipher.nonceSize - nonce.count
      unsafe nonce.append(contentsOf: bytes[used...].prefix(wanted))
      return nonce.count == ChunkCipher.nonceSize
    }

    /// Opens the file.
    ///
    /// - Throws: as ``AgeHeader/fileKey(for:)``; `truncated-encryption`; `damaged-encryption`.
    package func payload(
      for identities: [AgeIdentity], fileSize: Int
    ) throws(AgeError) -> AgePayload {
      guard let header = collector.header else {
        throw AgeError(.truncated, "it ends before the content")
      }
      let key = try AgeHeader(parsing: header).fileKey(for: identities)
      return try AgePayload(
        ChunkCipher(key, nonce: nonce), start: header.count + ChunkCipher.nonceSize,
        fileSize: fileSize)
    }
  }

  /// Computes the places of the chunks.
  ///
  /// - Throws: `truncated-encryption` for a file that ends before its first chunk; `damaged-encryption` for
  ///   a file of impossible length.
  package init(_ cipher: ChunkCipher, start: Int, fileSize: Int) throws(AgeError) {
    let size = fileSize - start
    guard size >= ChunkCipher.tagSize else {
      throw AgeError(.truncated, "it ends before the content")
    }
    lastChunk = (size - 1) / ChunkCipher.sealedSize
    let lastSize = size - lastChunk * ChunkCipher.sealedSize
    guard lastSize >= ChunkCipher.tagSize else {
      throw AgeError(.truncated, "it ends inside a chunk")
    }
    guard lastSize > ChunkCipher.tagSize || lastChunk == 0 else {
      throw AgeError(.damaged, "its last chunk is empty or incomplete")
    }
    plainSize = lastChunk * ChunkCipher.plainSize + lastSize - ChunkCipher.tagSize
    self.cipher = cipher
    self.start = start
    self.fileSize = fileSize
  }

  /// The chunk that contains a plain byte, from 0 to less than ``plainSize``.
  package func chunk(holding offset: Int) -> Int { offset / ChunkCipher.plainSize }

  /// The place of a chunk in the file.
  package func place(of chunk: Int) -> Range<Int> {
    let first = start + chunk * ChunkCipher.sealedSize
    return first..<min(first + ChunkCipher.sealedSize, fileSize)
  }

  /// Authenticates a chunk and appends its plain bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes at the chunk's place in the file.
  ///   - number: the number of the chunk, 0 to ``lastChunk``.
  ///   - plain: receives the plain bytes at its end.
  /// - Throws: `damaged-encryption`, `truncated-encryption`.
  package func open(
    _ bytes: UnsafeRawBufferPointer, number: Int, into plain: inout ContiguousArray<UInt8>
  ) throws(AgeError) {
    try unsafe cipher.open(
      bytes, number: UInt64(number), isLast: number == lastChunk, orExplain: &plain)
  }
}
