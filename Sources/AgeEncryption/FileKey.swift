internal import Crypto

/// The 16-byte key of a file; all others are derived from it.
///
/// Its memory is wiped when the last copy is gone.
package struct FileKey: Sendable {
  /// The size in bytes.
  static let size = 16

  private let key: SymmetricKey

  /// Generates a new key.
  package init() { key = SymmetricKey(size: .bits128) }

  /// Creates a key from unwrapped bytes; nil if their number is wrong.
  init?(_ key: SymmetricKey) {
    guard key.bitCount == Self.size * 8 else { return nil }
    self.key = key
  }

  func derived(salt: [UInt8], _ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8), outputByteCount: 32)
  }

  /// Wraps this key with a key that is used only once.
  func wrapped(with wrapping: SymmetricKey) -> [UInt8] {
    unsafe key.withUnsafeBytes { bytes in
      var sealed = ContiguousArray<UInt8>()
      let nonce = [UInt8](repeating: 0, count: 12)
      unsafe ChunkCipher.seal(bytes, nonce: nonce, wrapping, into: &sealed)
      return Array(sealed)
    }
  }

  /// Unwraps a key; returns nil if it was wrapped with another key.
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
  /// Overwrites the bytes of this copy.
  mutating func wipe() {
    for index in indices { self[index] = 0 }
  }
}

/// Random bytes from the system's generator for keys.
enum RandomBytes {
  static func make(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
