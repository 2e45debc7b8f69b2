internal import Crypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Encrypts and decrypts the chunks of one file's payload.
///
/// Each chunk has its own nonce: its number, 11 bytes, and whether it is the last. So chunks cannot
/// be moved or left out, and the end cannot be cut off.
package struct ChunkCipher: Sendable {
  /// The number of plain bytes in every chunk but the last, and the maximum for the last.
  package static let plainSize = 64 << 10
  /// The size of a chunk's authentication tag.
  package static let tagSize = 16
  /// The size of a whole chunk in the file.
  package static let sealedSize = plainSize + tagSize
  /// The bytes between the header and the first chunk, used to derive the payload's key.
  package static let nonceSize = 16

  private let key: SymmetricKey

  /// Creates the cipher of a file.
  package init(_ fileKey: FileKey, nonce: [UInt8]) {
    key = fileKey.derived(salt: nonce, "payload")
  }

  /// Appends an encrypted chunk.
  func seal(
    _ plain: UnsafeRawBufferPointer, number: UInt64, isLast: Bool,
    into bytes: inout ContiguousArray<UInt8>
  ) {
    unsafe Self.seal(plain, nonce: Self.nonce(number, isLast: isLast), key, into: &bytes)
  }

  /// Authenticates a chunk and appends its plain bytes.
  ///
  /// - Returns: false if the chunk is not genuine; then nothing is appended.
  package func open(
    _ chunk: UnsafeRawBufferPointer, number: UInt64, isLast: Bool,
    into plain: inout ContiguousArray<UInt8>
  ) -> Bool {
    unsafe Self.open(chunk, nonce: Self.nonce(number, isLast: isLast), key, into: &plain)
  }

  private static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
    var nonce: [UInt8] = [0, 0, 0]
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      nonce.append(UInt8(truncatingIfNeeded: number >> shift))
    }
    nonce.append(isLast ? 1 : 0)
    return nonce
  }

  static func seal(
    _ plain: UnsafeRawBufferPointer, nonce: [UInt8], _ key: SymmetricKey,
    into bytes: inout ContiguousArray<UInt8>
  ) {
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? unsafe ChaChaPoly.seal(plain, using: key, nonce: nonce)
    else { preconditionFailure("a nonce of 12 bytes and a key of 32 are always accepted") }
    bytes.append(contentsOf: box.ciphertext)
    bytes.append(contentsOf: box.tag)
  }

  static func open(
    _ sealed: UnsafeRawBufferPointer, nonce: [UInt8], _ key: SymmetricKey,
    into plain: inout ContiguousArray<UInt8>
  ) -> Bool {
    guard sealed.count >= tagSize, let nonce = try? ChaChaPoly.Nonce(data: nonce) else {
      return false
    }
    let end = sealed.count - tagSize
    guard
      let box = try? unsafe ChaChaPoly.SealedBox(
        nonce: nonce, ciphertext: UnsafeRawBufferPointer(rebasing: sealed[..<end]),
        tag: UnsafeRawBufferPointer(rebasing: sealed[end...])),
      let bytes = try? ChaChaPoly.open(box, using: key)
    else { return false }
    plain.append(contentsOf: bytes)
    return true
  }
}
