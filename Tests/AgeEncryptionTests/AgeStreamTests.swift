internal import Testing

@testable internal import AgeEncryption

/// The payload: chunks, their order, and their end.
@Suite struct AgeStreamTests {
  static let sizes = [
    0, 1, 65_535, 65_536, 65_537, 2 * 65_536 - 1, 2 * 65_536, 2 * 65_536 + 1,
  ]

  @Test(arguments: sizes)
  func everySizeComesBack(_ size: Int) throws {
    let plain = AgeCoder.pattern(size)
    let recipients = [try AgeRecipient(AgeSamples.firstRecipient)]
    for pieces in [Int.max, 65_536, 4096, 10_007] {
      let file = try AgeCoder.encrypt(plain, for: .recipients(recipients), pieces: pieces)
      // The length depends on nothing but the count of bytes.
      let chunks = max(1, (size + 65_535) / 65_536)
      #expect(file.count == AgeCoder.headerSize(file) + 16 + size + 16 * chunks)
      for pieces in [Int.max, 65_536 + 16, 999] {
        let outcome = try AgeCoder.decrypt(file, pieces: pieces)
        #expect(outcome.error == nil)
        #expect(outcome.plain == plain)
      }
      #expect(try AgeCoder.decryptBackwards(file).plain == plain)
    }
  }

  @Test func twoFilesAreNeverAlike() throws {
    let first = try AgeCoder.encrypt(AgeSamples.plain)
    #expect(try AgeCoder.encrypt(AgeSamples.plain) != first)
  }

  @Test func byteByByteIsFine() throws {
    let outcome = try AgeCoder.decrypt(AgeSamples.file, pieces: 1)
    #expect(outcome.error == nil)
    #expect(outcome.plain == AgeSamples.plain)
  }

  @Test func everyChangedByteIsNoticed() throws {
    let file = try AgeCoder.encrypt(AgeCoder.pattern(300))
    for place in file.indices {
      for change: UInt8 in [place.isMultiple(of: 2) ? 0x01 : 0x80] {
        var changed = file
        changed[place] ^= change
        let outcome = try AgeCoder.decrypt(changed)
        #expect(outcome.error != nil, "byte \(place)")
        #expect(outcome.plain.isEmpty, "byte \(place)")
        #expect(try AgeCoder.decryptBackwards(changed).error != nil, "byte \(place)")
      }
    }
  }

  @Test func onlyGenuineChunksAreHandedOut() throws {
    let plain = AgeCoder.pattern(3 * 65_536 + 5)
    let file = try AgeCoder.encrypt(plain)
    let start = AgeCoder.headerSize(file) + 16
    for chunk in 0...3 {
      var changed = file
      changed[start + chunk * 65_552 + 3] ^= 4
      for pieces in [Int.max, 1000] {
        let outcome = try AgeCoder.decrypt(changed, pieces: pieces)
        #expect(outcome.error?.code == .damaged)
        #expect(outcome.plain == Array(plain[..<(chunk * 65_536)]))
      }
    }
  }

  @Test func everyCutIsNoticed() throws {
    let file = try AgeCoder.encrypt(AgeCoder.pattern(300))
    for length in file.indices {
      let outcome = try AgeCoder.decrypt(Array(file[..<length]))
      #expect(outcome.error != nil, "\(length) bytes")
      #expect(outcome.plain.isEmpty, "\(length) bytes")
      #expect(try AgeCoder.decryptBackwards(Array(file[..<length])).error != nil, "\(length) bytes")
    }
  }

  @Test func aCutBetweenChunksIsATruncation() throws {
    let plain = AgeCoder.pattern(3 * 65_536)
    let file = try AgeCoder.encrypt(plain)
    let start = AgeCoder.headerSize(file) + 16
    for chunks in 1...2 {
      let cut = Array(file[..<(start + chunks * 65_552)])
      let outcome = try AgeCoder.decrypt(cut)
      #expect(outcome.error?.code == .truncated)
      #expect(outcome.plain == Array(plain[..<((chunks - 1) * 65_536)]))
      #expect(try AgeCoder.decryptBackwards(cut).error?.code == .truncated)
      for more in [1, 15, 16, 17, 65_551] {
        let cut = Array(file[..<(start + chunks * 65_552 + more)])
        #expect(try AgeCoder.decrypt(cut).error != nil)
        #expect(try AgeCoder.decryptBackwards(cut).error != nil)
      }
    }
    #expect(try AgeCoder.decrypt(Array(file[..<start])).error?.code == .truncated)
    #expect(try AgeCoder.decrypt([]).error?.code == .truncated)
  }

  @Test func chunksKeepTheirPlaces() throws {
    let file = try AgeCoder.encrypt(AgeCoder.pattern(4 * 65_536))
    let start = AgeCoder.headerSize(file) + 16
    let chunks = (0..<4).map { Array(file[(start + $0 * 65_552)..<(start + ($0 + 1) * 65_552)]) }
    for order in [
      [1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2], [0, 0, 1, 2, 3], [0, 1, 2, 2, 3], [0, 1, 2, 3, 3],
      [1, 2, 3], [0, 2, 3], [0, 1, 3], [3], [0, 3], [0, 1, 2, 3, 0],
    ] {
      let changed = Array(file[..<start]) + order.flatMap { chunks[$0] }
      #expect(try AgeCoder.decrypt(changed).error?.code == .damaged, "\(order)")
      #expect(try AgeCoder.decryptBackwards(changed).error != nil, "\(order)")
    }
  }

  @Test func chunksOfAnotherFileAreNoticed() throws {
    let first = try AgeCoder.encrypt(AgeCoder.pattern(300))
    let second = try AgeCoder.encrypt(AgeCoder.pattern(300))
    let size = AgeCoder.headerSize(first)
    #expect(try AgeCoder.decrypt(Array(first[..<size]) + second[size...]).error?.code == .damaged)
    #expect(
      try AgeCoder.decrypt(Array(first[..<(size + 16)]) + second[(size + 16)...]).error != nil)
  }

  @Test(arguments: [0, 300, 65_536])
  func nothingMayFollow(_ size: Int) throws {
    let file = try AgeCoder.encrypt(AgeCoder.pattern(size))
    for trailing in [[0], [UInt8](repeating: 0, count: 16), Array(file.suffix(100)), file] {
      #expect(try AgeCoder.decrypt(file + trailing).error != nil)
      #expect(try AgeCoder.decryptBackwards(file + trailing).error != nil)
    }
  }

  @Test func onlyAnEmptyFileEndsWithAnEmptyChunk() throws {
    let key = FileKey()
    let nonce = [UInt8](repeating: 1, count: 16)
    let cipher = ChunkCipher(key, nonce: nonce)
    var payload = ContiguousArray<UInt8>()
    unsafe AgeCoder.pattern(65_536).withUnsafeBytes {
      unsafe cipher.seal($0, number: 0, isLast: false, into: &payload)
    }
    unsafe [UInt8]().withUnsafeBytes {
      unsafe cipher.seal($0, number: 1, isLast: true, into: &payload)
    }
    let stanza = try AgeRecipient(AgeSamples.firstRecipient).wrap(key)
    let file = AgeHeader([stanza], fileKey: key).encoded + nonce + payload
    let outcome = try AgeCoder.decrypt(file)
    #expect(outcome.error?.code == .damaged)
    #expect(try AgeCoder.decryptBackwards(file).error?.code == .damaged)
    #expect(try AgeCoder.decrypt(AgeSamples.emptyFile).error == nil)
  }

  @Test func anErrorStays() throws {
    var file = try AgeCoder.encrypt(AgeCoder.pattern(10))
    file[30] ^= 1
    var decryptor = AgeDecryptor([try AgeIdentity(AgeSamples.firstKey)])
    var plain = ContiguousArray<UInt8>()
    for _ in 0..<3 {
      #expect(throws: AgeError.self) {
        try unsafe file.withUnsafeBytes { try unsafe decryptor.receive($0, into: &plain) }
      }
    }
    #expect(throws: AgeError.self) { try decryptor.finish(into: &plain) }
    #expect(plain.isEmpty)
  }
}
