internal import Crypto

/// The key of one file, from which all others are derived; 16 bytes.
///
/// Its memory is wiped when the last copy is gone.
package struct FileKey: Sendable {
  /// How many bytes it has.
  static let size = 16

  private let key: SymmetricKey

  /// Makes a new one.
  package init() { key = SymmetricKey(size: .bits128) }

  /// Takes what was unwrapped; nil for another count of bytes.
  init?(_ key: SymmetricKey) {
    guard key.bitCount == Self.size * 8 else { return nil }
    self.key = key
  }

  /// A key derived from it.
  func derived(salt: [UInt8], _ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8), outputByteCount: 32)
  }

  /// Wraps it with a key that is used for nothing else.
  func wrapped(with wrapping: SymmetricKey) -> [UInt8] {
    unsafe key.withUnsafeBytes { bytes in
      var sealed = ContiguousArray<UInt8>()
      let nonce = [UInt8](repeating: 0, count: 12)
      unsafe ChunkCipher.seal(bytes, nonce: nonce, wrapping, into: &sealed)
      return Array(sealed)
    }
  }

  /// Unwraps one.
  ///
  /// - Parameters:
  ///   - body: of a stanza, 32 bytes.
  ///   - wrapping: the key that it may have been wrapped with.
  /// - Returns: nil where it was wrapped with another.
  static func unwrapped(_ body: [UInt8], with wrapping: SymmetricKey) -> FileKey? {
    guard body.count == size + ChunkCipher.tagSize else { return nil }
    let nonce = [UInt8](repeating: 0, count: 12)
    var plain = ContiguousArray<UInt8>()
    defer { plain.wipe() }
    let isGenuine = unsafe body.withUnsafeBytes { bytes in
      unsafe ChunkCipher.open(bytes, nonce: nonce, wrapping, into: &plain)
    }
    return isGenuine ? FileKey(SymmetricKey(data: plain)) : nil
  }
}

extension ContiguousArray<UInt8> {
  /// Overwrites the bytes, as far as this copy of them goes.
  mutating func wipe() {
    for index in indices { self[index] = 0 }
  }
}
