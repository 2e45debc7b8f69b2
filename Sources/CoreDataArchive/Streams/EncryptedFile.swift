internal import AgeEncryption
internal import CoreDataModel
internal import Synchronization

/// The plain bytes of an encrypted file, from anywhere in it.
///
/// A chunk is decrypted and known to be genuine before any byte of it is used; the last chunk that was read
/// is kept.
final class EncryptedFile: Sendable {
  /// The number of plain bytes.
  var size: Int { payload.plainSize }

  private struct Chunk {
    var number: Int
    var bytes: ContiguousArray<UInt8>
  }

  private let source: OpenFile
  private let payload: AgePayload
  private let latest = Mutex<Chunk?>(nil)

  /// Opens a file and checks its last chunk, which proves that it is not truncated.
  init(_ source: OpenFile, size: Int, _ identities: [ArchiveIdentity]) throws(CofferError) {
    self.source = source
    let input = ArchiveInput(source, range: 0..<size)
    var opening = AgePayload.Opening()
    var isComplete = false
    while !isComplete {
      let bytes = try input.next(4096)
      if bytes.isEmpty { break }
      isComplete = try AgeError.located(source.path) { () throws(AgeError) in
        try unsafe bytes.withBytes { bytes throws(AgeError) in try unsafe opening.take(bytes) }
      }
    }
    payload = try AgeError.located(source.path) { () throws(AgeError) in
      try opening.payload(for: identities.map(\.age), fileSize: size)
    }
    _ = try chunk(payload.lastChunk)
  }

  /// Reads some bytes; 0 only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(CofferError) -> Int {
    guard offset < size else { return 0 }
    let number = payload.chunk(holding: offset)
    let bytes = try chunk(number)
    let start = offset - number * ChunkCipher.plainSize
    let count = min(buffer.count, bytes.count - start)
    unsafe buffer.copyBytes(from: bytes[start..<start + count])
    return count
  }

  private func chunk(_ number: Int) throws(CofferError) -> ContiguousArray<UInt8> {
    if let known = latest.withLock({ $0?.number == number ? $0?.bytes : nil }) { return known }
    let place = payload.place(of: number)
    let sealed = try ArchiveInput(source, range: place).next(place.count)
    var plain = ContiguousArray<UInt8>()
    plain.reserveCapacity(ChunkCipher.plainSize)
    try AgeError.located(source.path) { () throws(AgeError) in
      try unsafe sealed.withBytes { bytes throws(AgeError) in
        try unsafe payload.open(bytes, number: number, into: &plain)
      }
    }
    latest.withLock { $0 = Chunk(number: number, bytes: plain) }
    return plain
  }
}

extension OpenFile {
  /// The plain bytes, where a file is encrypted; the file itself otherwise.
  ///
  /// - Throws: `encrypted-archive` if there is no identity; `unsupported-encryption`,
  ///   `no-matching-identity`, `wrong-passphrase`, `damaged-encryption`, `truncated-encryption`.
  func decrypted(size: Int, with identities: [ArchiveIdentity]) throws(CofferError) -> OpenFile {
    let beginning = try ArchiveInput(self, range: 0..<size).peek(AgeFileForm.prefixSize)
    switch AgeFileForm(beginning) {
    case nil: return self
    case .armored: throw .armored(path)
    case .binary:
      guard !identities.isEmpty else { throw .encrypted(path) }
      return OpenFile(try EncryptedFile(self, size: size, identities), of: self)
    }
  }
}
