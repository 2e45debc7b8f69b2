internal import Crypto

/// Cuts the content of an entry into the blocks of its members, and hashes it.
///
/// The first block begins with the tar header, the last one ends with padding; neither counts as content.
struct EntryBlocks {
  /// The size of the content in bytes.
  let size: Int
  /// The bytes of content that are still to come.
  private(set) var left: Int
  private var room = ArchiveLimits.blockSize
  private var hash = SHA256()

  /// Begins an entry, with an empty block.
  init(size: Int) {
    precondition(size >= 0, "a negative size")
    (self.size, left) = (size, size)
  }

  /// Counts and hashes the next bytes of the content.
  ///
  /// - Returns: false, without a change, if they are more than are still to come.
  mutating func admit(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= left else { return false }
    unsafe hash.update(bufferPointer: bytes)
    left -= bytes.count
    return true
  }

  /// Whether no more content fits into the block.
  var isFull: Bool { room == 0 }

  /// Begins another block.
  mutating func beginBlock() { room = ArchiveLimits.blockSize }

  /// Takes the bytes for the block from those that were admitted.
  mutating func take(from bytes: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let count = min(room, bytes.count)
    room -= count
    let taken = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
    return unsafe taken
  }

  /// The zero bytes after the content.
  var padding: Int { TarHeader.padding(after: size) }

  /// The digest of the content so far.
  var digest: ArchiveDigest { ArchiveDigest(hash) }
}
