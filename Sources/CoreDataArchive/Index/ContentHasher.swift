internal import Crypto

/// Computes the digest of content that is not in an archive, to be compared with what is.
package struct ContentHasher {
  private var hash = SHA256()

  /// Begins with no content.
  package init() {}

  /// Adds bytes to the content.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe hash.update(bufferPointer: bytes)
  }

  /// The digest of all content so far.
  package var digest: ArchiveDigest { ArchiveDigest(hash) }
}
