internal import CoreDataModel
internal import Crypto
internal import Synchronization

/// A SHA-256 digest: of an entry's bytes, or of the digests of several entries.
package struct ArchiveDigest: Sendable, Hashable, CustomStringConvertible {
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// Reads the 64 lower-case hexadecimal digits that ``hex`` gives; nil for any other text.
  package init?(hex: String) {
    var (hex, digest) = (hex, [0, 0, 0, 0] as [UInt64])
    let isDigest = hex.withUTF8 { digits in
      guard digits.count == 64 else { return false }
      for index in 0..<64 {
        let digit = unsafe digits[index]
        let isUpperCase = (0x41...0x46).contains(digit)
        guard !isUpperCase, let value = Hexadecimal.value(digit) else { return false }
        digest[index / 16] = digest[index / 16] << 4 | UInt64(value)
      }
      return true
    }
    guard isDigest else { return nil }
    words = (digest[0], digest[1], digest[2], digest[3])
  }

  /// The digest of everything that a hash was given.
  init(_ hash: SHA256) {
    words = unsafe hash.finalize().withUnsafeBytes { bytes in
      func word(_ index: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      }
      return (word(0), word(1), word(2), word(3))
    }
  }

  /// Creates a digest from four numbers, whose first byte is the highest.
  init(allWords: [UInt64]) {
    precondition(allWords.count == 4, "a digest has four words")
    words = (allWords[0], allWords[1], allWords[2], allWords[3])
  }

  /// Its bytes, as four numbers whose first byte is the highest.
  var allWords: [UInt64] { [words.0, words.1, words.2, words.3] }

  /// Its first 16 bytes, as two numbers whose first byte is the highest.
  package var firstHalf: (high: UInt64, low: UInt64) { (words.0, words.1) }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String {
    let words = allWords
    return unsafe String(unsafeUninitializedCapacity: 64) { digits in
      for index in 0..<64 {
        let digit = UInt8(truncatingIfNeeded: words[index / 16] >> UInt64(60 - index % 16 * 4)) & 15
        unsafe digits.initializeElement(at: index, to: Hexadecimal.lowerDigit(digit))
      }
      return 64
    }
  }

  /// The digest as ``hex``.
  package var description: String { hex }

  /// Whether two digests are the same.
  package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  /// Feeds the digest to a hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

/// The digests and counts that an index gives for all of its entries together.
///
/// Each digest is SHA-256 over the lines `name NUL hex-digest LF` of its entries, sorted by the names'
/// UTF-8 bytes. So neither depends on the container, the compression or the order of the entries.
package struct IndexDigests: Sendable, Hashable {
  /// The root digest, over all entries: equal for equal archives.
  package var root: ArchiveDigest
  /// The content digest, over the entries with content of the store and not over documents: equal for
  /// equal data.
  package var content: ArchiveDigest

  /// Computes the digests of records.
  package init(of entries: [ArchiveIndex.Entry]) {
    self.init(of: entries, inOrder: entries.orderOfNames)
  }

  /// Computes the digests of records whose ``Swift/Array/orderOfNames`` is known.
  init(of entries: [ArchiveIndex.Entry], inOrder order: [UInt32]) {
    var (root, content) = (SHA256(), SHA256())
    var line: [UInt8] = []
    for entry in order.lazy.map({ entries[Int($0)] }) {
      line.removeAll(keepingCapacity: true)
      line += entry.name.utf8
      line.append(0)
      line += entry.digest.hex.utf8
      line.append(0x0a)
      root.update(data: line)
      if EntryName.isContent(entry.name) { content.update(data: line) }
    }
    (self.root, self.content) = (ArchiveDigest(root), ArchiveDigest(content))
  }
}

extension [ArchiveIndex.Entry] {
  /// The positions of the entries, at most 2³², in the order of their names.
  var orderOfNames: [UInt32] {
    // Only positions are sorted, which take little memory even for millions.
    indices.map { UInt32($0) }.sorted {
      self[Int($0)].name.utf8.lexicographicallyPrecedes(self[Int($1)].name.utf8)
    }
  }
}

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

  /// The digest of a text, in hexadecimal digits.
  package static func digest(of text: String) -> String {
    var hasher = ContentHasher()
    unsafe Array(text.utf8).withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.digest.hex
  }
}

/// The digest of content that was read but not hashed yet, so that another thread can do that.
///
/// The first access computes it and releases the content. Hash the content before it is
/// changed in place: until then this value holds it too.
package final class PendingDigest: Sendable {
  private enum State: Sendable {
    case content(ContiguousArray<UInt8>)
    case digest(ArchiveDigest)
  }

  private let state: Mutex<State>

  init(of content: ContiguousArray<UInt8>) { state = Mutex(.content(content)) }

  /// The digest, if it was computed; nil if that is still to be done or somebody is doing it.
  var known: ArchiveDigest? {
    let known = state.withLockIfAvailable { state -> ArchiveDigest? in
      if case .digest(let digest) = state { digest } else { nil }
    }
    return known ?? nil
  }

  /// The digest.
  package var value: ArchiveDigest {
    state.withLock { state in
      switch state {
      case .digest(let digest): return digest
      case .content(let content):
        var hash = SHA256()
        unsafe content.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        let digest = ArchiveDigest(hash)
        state = .digest(digest)
        return digest
      }
    }
  }
}
