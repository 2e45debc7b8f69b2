internal import Crypto
internal import CryptoExtras
internal import Synchronization

/// A passphrase.
///
/// Deriving a key takes a second and much memory, so the last key is kept for files that are opened
/// twice. It is wiped with the passphrase when the last reference is gone.
package final class AgePassphrase: Sendable, Equatable {
  private struct DerivedKey {
    var salt: [UInt8]
    var workFactor: Int
    var key: SymmetricKey
  }

  private let secret: SymmetricKey
  private let last = Mutex<DerivedKey?>(nil)

  /// Creates a passphrase from exactly these bytes.
  ///
  /// - Throws: `invalid-passphrase` for an empty passphrase or one that is too long.
  package init(_ bytes: [UInt8]) throws(AgeError) {
    guard !bytes.isEmpty else { throw AgeError(.invalidPassphrase, "the passphrase is empty") }
    guard bytes.count <= AgeLimits.passphraseSize else {
      throw AgeError(
        .invalidPassphrase, "it is longer than \(AgeLimits.passphraseSize) bytes",
        hint: "Give a file that contains only the passphrase.")
    }
    secret = SymmetricKey(data: bytes)
  }

  /// The key for a salt; the work factor must be within the limit.
  ///
  /// - Throws: `unsupported-encryption` if there is not enough memory.
  func key(salt: [UInt8], workFactor: Int) throws(AgeError) -> SymmetricKey {
    try last.withLock { last throws(AgeError) in
      if let last, last.salt == salt, last.workFactor == workFactor { return last.key }
      let key = try derive(salt, workFactor)
      last = DerivedKey(salt: salt, workFactor: workFactor, key: key)
      return key
    }
  }

  private func derive(_ salt: [UInt8], _ workFactor: Int) throws(AgeError) -> SymmetricKey {
    do {
      return try unsafe secret.withUnsafeBytes { bytes in
        try unsafe KDF.Scrypt.deriveKey(
          from: bytes, salt: salt, outputByteCount: 32, rounds: 1 << workFactor, blockSize: 8,
          parallelism: 1)
      }
    } catch {
      throw AgeError(
        .unsupported,
        "not enough memory for its passphrase: the work factor is \(workFactor)")
    }
  }

  /// Whether two passphrases are equal; takes the same time wherever they differ.
  package static func == (left: AgePassphrase, right: AgePassphrase) -> Bool {
    left.secret == right.secret
  }
}
