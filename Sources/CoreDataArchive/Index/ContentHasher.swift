internal import Crypto

/// Computes the digest of content outside an archive, for comparison.
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
