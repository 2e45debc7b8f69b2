internal import Testing

@testable internal import AgeEncryption

/// Encrypts and decrypts for tests.
enum AgeCoder {
  /// What a decryptor handed out, and why it stopped, if it did.
  struct Outcome {
    var plain: [UInt8]
    var error: AgeError?
  }

  /// Encrypts in pieces of a size.
  static func encrypt(
    _ plain: [UInt8], for audience: AgeEncryptor.Audience, pieces: Int = .max, workFactor: Int = 10
  ) throws -> [UInt8] {
    var encryptor = try AgeEncryptor(for: audience, workFactor: workFactor)
    var output = ContiguousArray<UInt8>()
    for piece in cut(plain, pieces) {
      unsafe piece.withUnsafeBytes { unsafe encryptor.append($0, into: &output) }
    }
    encryptor.finish(into: &output)
    return Array(output)
  }

  /// Encrypts for the first key of the samples.
  static func encrypt(_ plain: [UInt8]) throws -> [UInt8] {
    try encrypt(plain, for: .recipients([AgeRecipient(AgeSamples.firstRecipient)]))
  }

  /// Decrypts in pieces of a size.
  static func decrypt(
    _ file: [UInt8], _ identities: [AgeIdentity], pieces: Int = .max
  ) -> Outcome {
    var decryptor = AgeDecryptor(identities)
    var plain = ContiguousArray<UInt8>()
    do throws(AgeError) {
      for piece in cut(file, pieces) {
        try unsafe withBytes(piece) { bytes throws(AgeError) in
          try unsafe decryptor.receive(bytes, into: &plain)
        }
      }
      try decryptor.finish(into: &plain)
      return Outcome(plain: Array(plain), error: nil)
    } catch {
      return Outcome(plain: Array(plain), error: error)
    }
  }

  /// Decrypts with the first key of the samples.
  static func decrypt(_ file: [UInt8], pieces: Int = .max) throws -> Outcome {
    decrypt(file, [try AgeIdentity(AgeSamples.firstKey)], pieces: pieces)
  }

  /// Decrypts chunk by chunk from the last to the first, as a file is read from anywhere.
  static func decryptBackwards(_ file: [UInt8]) throws -> Outcome {
    do throws(AgeError) {
      var opening = AgePayload.Opening()
      for piece in cut(file, 50) {
        let isComplete = try unsafe withBytes(piece) { bytes throws(AgeError) in
          try unsafe opening.take(bytes)
        }
        if isComplete { break }
      }
      let payload = try opening.payload(
        for: [AgeIdentity(AgeSamples.firstKey)], fileSize: file.count)
      var chunks: [[UInt8]] = []
      for number in (0...payload.lastChunk).reversed() {
        var plain = ContiguousArray<UInt8>()
        try unsafe withBytes(file[payload.place(of: number)]) { bytes throws(AgeError) in
          try unsafe payload.open(bytes, number: number, into: &plain)
        }
        chunks.append(Array(plain))
      }
      let plain = Array(chunks.reversed().joined())
      #expect(plain.count == payload.plainSize)
      return Outcome(plain: plain, error: nil)
    } catch {
      return Outcome(plain: [], error: error)
    }
  }

  /// A file with stanzas of the caller's making, which are authenticated like genuine ones.
  static func file(
    _ plain: [UInt8] = AgeSamples.plain, stanzas: (FileKey) throws -> [AgeStanza]
  ) throws -> [UInt8] {
    let key = FileKey()
    let nonce = [UInt8](repeating: 7, count: ChunkCipher.nonceSize)
    var payload = ContiguousArray<UInt8>()
    unsafe plain.withUnsafeBytes {
      unsafe ChunkCipher(key, nonce: nonce).seal($0, number: 0, isLast: true, into: &payload)
    }
    return AgeHeader(try stanzas(key), fileKey: key).encoded + nonce + payload
  }

  /// The length of the header, with its last line end.
  static func headerSize(_ file: [UInt8]) -> Int {
    var collector = AgeHeaderCollector()
    return unsafe file.withUnsafeBytes { (try? unsafe collector.take($0)) ?? 0 }
  }

  /// Bytes that do not repeat early.
  static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
  }

  private static func withBytes<Result>(
    _ bytes: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) throws(AgeError) -> Result
  ) throws(AgeError) -> Result {
    try unsafe ContiguousArray(bytes).withUnsafeBufferPointer { bytes throws(AgeError) in
      try unsafe body(UnsafeRawBufferPointer(bytes))
    }
  }

  private static func cut(_ bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
    guard size < bytes.count else { return [bytes[...]] }
    return stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
  }
}
