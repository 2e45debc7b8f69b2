/// Decrypts a stream that arrives in pieces of any size.
///
/// A byte is released only when its chunk is authenticated, and the stream is complete only when
/// ``finish(into:)`` has returned. After an error, every further call throws the error again.
package struct AgeDecryptor {
  private enum State {
    case header(AgeHeaderCollector)
    case nonce(FileKey)
    case payload(ChunkCipher)
    case failed(AgeError)
    case finished
  }

  private let identities: [AgeIdentity]
  private var state = State.header(AgeHeaderCollector())
  /// The part of the nonce or chunk received so far.
  private var pending = ContiguousArray<UInt8>()
  private var number: UInt64 = 0

  /// Creates a decryptor that opens a file with one of several identities.
  ///
  /// - Parameter identities: tried in this order.
  package init(_ identities: [AgeIdentity]) { self.identities = identities }

  /// Decrypts the next bytes of the file.
  ///
  /// - Parameters:
  ///   - bytes: any number of bytes.
  ///   - plain: receives all authenticated plain bytes at its end.
  /// - Throws: as ``AgeHeader/fileKey(for:)``; `damaged-encryption` for a forged or damaged chunk.
  package mutating func receive(
    _ bytes: UnsafeRawBufferPointer, into plain: inout ContiguousArray<UInt8>
  ) throws(AgeError) {
    var rest = unsafe bytes
    while rest.count > 0 {
      let count: Int
      do {
        count = try unsafe take(rest, &plain)
      } catch {
        state = .failed(error)
        throw error
      }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Declares the end of the file.
  ///
  /// - Parameter plain: receives the last plain bytes at its end.
  /// - Throws: `truncated-encryption` if the end is missing; `damaged-encryption` if the last chunk
  ///   was changed or is incomplete.
  package mutating func finish(into plain: inout ContiguousArray<UInt8>) throws(AgeError) {
    do {
      try end(&plain)
    } catch {
      state = .failed(error)
      throw error
    }
    state = .finished
  }

  /// Consumes some of the bytes and returns their number.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ plain: inout ContiguousArray<UInt8>
  ) throws(AgeError) -> Int {
    switch state {
    case .failed(let error): throw error
    case .finished: throw AgeError(.damaged, "there is data after its end")
    case .header(var collector):
      state = .finished
      let count = try unsafe collector.take(bytes)
      if let header = collector.header {
        state = .nonce(try AgeHeader(parsing: header).fileKey(for: identities))
      } else {
        state = .header(collector)
      }
      return count
    case .nonce(let key):
      let count = unsafe fill(bytes, upTo: ChunkCipher.nonceSize)
      if pending.count == ChunkCipher.nonceSize {
        state = .payload(ChunkCipher(key, nonce: Array(pending)))
        pending.removeAll(keepingCapacity: true)
      }
      return count
    case .payload(let cipher):
      // A complete chunk waits for the next byte, because it may be the last.
      if pending.count == ChunkCipher.sealedSize {
        try open(cipher, isLast: false, &plain)
      }
      return unsafe fill(bytes, upTo: ChunkCipher.sealedSize)
    }
  }

  private mutating func fill(_ bytes: UnsafeRawBufferPointer, upTo size: Int) -> Int {
    let count = min(bytes.count, size - pending.count)
    unsafe pending.append(contentsOf: bytes[..<count])
    return count
  }

  private mutating func end(_ plain: inout ContiguousArray<UInt8>) throws(AgeError) {
    switch state {
    case .failed(let error): throw error
    case .finished: return
    case .header, .nonce: throw AgeError(.truncated, "it ends before the content")
    case .payload(let cipher):
      if pending.isEmpty { throw AgeError(.truncated, "it ends before the content") }
      try open(cipher, isLast: true, &plain)
    }
  }

  private mutating func open(
    _ cipher: ChunkCipher, isLast: Bool, _ plain: inout ContiguousArray<UInt8>
  ) throws(AgeError) {
    let number = number
    try unsafe pending.withUnsafeBufferPointer { bytes throws(AgeError) in
      try unsafe cipher.open(
        UnsafeRawBufferPointer(bytes), number: number, isLast: isLast, orExplain: &plain)
    }
    pending.removeAll(keepingCapacity: true)
    self.number += 1
  }
}

extension ChunkCipher {
  /// Authenticates a chunk and appends its plain bytes; throws the reason why it is not genuine.
  package func open(
    _ chunk: UnsafeRawBufferPointer, number: UInt64, isLast: Bool,
    orExplain plain: inout ContiguousArray<UInt8>
  ) throws(AgeError) {
    if unsafe open(chunk, number: number, isLast: isLast, into: &plain) {
      guard isLast, number > 0, chunk.count == Self.tagSize else { return }
      throw AgeError(.damaged, "its last chunk is empty")
    }
    guard isLast else { throw AgeError(.damaged, "chunk \(number) was modified") }
    var ignored = ContiguousArray<UInt8>()
    if chunk.count < Self.tagSize
      || (unsafe open(chunk, number: number, isLast: false, into: &ignored))
    {
      throw AgeError(
        .truncated, "it ends before the last chunk",
        hint: "It was not written or copied completely. Get it again.")
    }
    throw AgeError(
      .damaged, "its last chunk was modified or is incomplete",
      hint: "If it was copied or came through a pipe, check that all of it arrived.")
  }
}

/// The form of an encrypted file, as its first bytes show.
package enum AgeFileForm: Sendable, Equatable {
  case binary
  /// ASCII armor, for mail.
  case armored

  /// The number of bytes that show the form.
  package static let prefixSize = AgeHeader.armor.utf8.count

  /// Recognizes the first bytes of a file; nil for a file that is not encrypted.
  ///
  /// - Parameter bytes: ``prefixSize`` bytes, or the whole file if it is shorter; at least four.
  package init?(_ bytes: some Collection<UInt8>) {
    func begins(_ text: String) -> Bool {
      bytes.count >= 4 && bytes.prefix(text.utf8.count).elementsEqual(text.utf8.prefix(bytes.count))
    }
    if begins(AgeHeader.family) {
      self = .binary
    } else if bytes.count >= Self.prefixSize, begins(AgeHeader.armor) {
      self = .armored
    } else {
      return nil
    }
  }
}
