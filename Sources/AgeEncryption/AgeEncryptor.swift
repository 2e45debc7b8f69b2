/// Encrypts a stream of any length.
///
/// The input becomes chunks of 64 KiB, however it is divided into pieces. The encrypted bytes go to
/// the caller.
///
///     var encryptor = try AgeEncryptor(for: .recipients([recipient]))
///     encryptor.append(bytes, into: &output)
///     encryptor.finish(into: &output)
package struct AgeEncryptor {
  /// Who can open the file.
  package enum Audience: Sendable, Equatable {
    /// Anyone with the identity of one of the recipients; at least one.
    case recipients([AgeRecipient])
    /// Anyone who knows the passphrase.
    case passphrase(AgePassphrase)
  }

  private let cipher: ChunkCipher
  private var preamble: [UInt8]
  private var pending = ContiguousArray<UInt8>()
  private var number: UInt64 = 0
  private var isFinished = false

  /// Begins a file with a new key.
  ///
  /// - Parameters:
  ///   - audience: who can open it.
  ///   - workFactor: for a passphrase, the binary logarithm of the work, at most the accepted
  ///     maximum.
  /// - Throws: `invalid-recipient` for no recipients, too many, or one with a weak key;
  ///   `unsupported-encryption` if there is not enough memory for the passphrase.
  package init(for audience: Audience, workFactor: Int = AgeLimits.workFactor) throws(AgeError) {
    let key = FileKey()
    let header = AgeHeader(try Self.stanzas(of: key, for: audience, workFactor), fileKey: key)
    let nonce = RandomBytes.make(ChunkCipher.nonceSize)
    preamble = header.encoded + nonce
    cipher = ChunkCipher(key, nonce: nonce)
  }

  private static func stanzas(
    of key: FileKey, for audience: Audience, _ workFactor: Int
  ) throws(AgeError) -> [AgeStanza] {
    switch audience {
    case .recipients(let recipients):
      guard (1...AgeLimits.recipientCount).contains(recipients.count) else {
        throw AgeError(
          .invalidRecipient,
          "expected 1 to \(AgeLimits.recipientCount) recipients, not \(recipients.count)")
      }
      return try recipients.map { recipient throws(AgeError) in try recipient.wrap(key) }
    case .passphrase(let passphrase):
      return [try ScryptStanza.wrap(key, with: passphrase, workFactor: workFactor)]
    }
  }

  /// Encrypts the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: any number of bytes.
  ///   - output: receives all finished encrypted bytes at its end.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, into output: inout ContiguousArray<UInt8>
  ) {
    precondition(!isFinished, "the file is finished")
    takePreamble(&output)
    var rest = unsafe bytes
    while rest.count > 0 {
      // A full chunk waits for the next byte, because it may be the last.
      if pending.count == ChunkCipher.plainSize { seal(isLast: false, &output) }
      let count = min(rest.count, ChunkCipher.plainSize - pending.count)
      unsafe pending.append(contentsOf: rest[..<count])
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Encrypts the rest and ends the file.
  package mutating func finish(into output: inout ContiguousArray<UInt8>) {
    precondition(!isFinished, "the file is finished")
    takePreamble(&output)
    seal(isLast: true, &output)
    isFinished = true
  }

  private mutating func takePreamble(_ output: inout ContiguousArray<UInt8>) {
    output += preamble
    preamble = []
  }

  private mutating func seal(isLast: Bool, _ output: inout ContiguousArray<UInt8>) {
    let (cipher, number) = (cipher, number)
    unsafe pending.withUnsafeBytes { bytes in
      unsafe cipher.seal(bytes, number: number, isLast: isLast, into: &output)
    }
    pending.removeAll(keepingCapacity: true)
    self.number += 1
  }
}
