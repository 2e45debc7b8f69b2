internal import Crypto

/// The header of an entry in a tar (ustar, with pax records if necessary).
///
/// Written canonically: mode 0644, no owner, no time. A name that is longer than 100 bytes or not
/// ASCII, and a size of 8 GiB or more, are in a pax header directly before it.
package struct TarHeader: Sendable, Equatable {
  /// The size of a tar's block; headers are one, contents are padded to a multiple of it.
  package static let blockSize = 512

  /// The kinds of entries.
  package enum Kind: Sendable, Equatable {
    case file
    /// A folder, which has no content.
    case folder
  }

  /// The name in the header.
  package var name: String
  /// The size of the content in bytes, without padding.
  package var size: Int
  /// The kind of the entry.
  package var kind: Kind

  /// Creates the header of a file.
  package init(name: String, size: Int, kind: Kind = .file) {
    self.name = name
    self.size = size
    self.kind = kind
  }

  /// The count of zero bytes that follow a content of some size.
  package static func padding(after size: Int) -> Int {
    (blockSize - size % blockSize) % blockSize
  }
}

extension TarHeader {
  /// The largest size that eleven octal digits hold.
  private static let largestSize = 0o77777777777
  /// The name of every pax header; no reader uses it.
  private static let paxName = "PaxHeader"

  /// The header's bytes: one block, or three and more with a pax header.
  package var encoded: ContiguousArray<UInt8> {
    let needsName = name.utf8.count > 100 || name.utf8.contains { $0 >= 0x80 }
    let needsSize = size > Self.largestSize
    var bytes = ContiguousArray<UInt8>()
    if needsName || needsSize {
      var records = ContiguousArray<UInt8>()
      if needsName { records += Self.paxRecord("path", name) }
      if needsSize { records += Self.paxRecord("size", String(size)) }
      bytes += Self.block(name: Self.paxName[...].utf8, size: records.count, type: 0x78)
      bytes += records
      bytes.append(contentsOf: repeatElement(0, count: Self.padding(after: records.count)))
    }
    let shortName = needsName ? Self.shortened(name) : name[...]
    bytes += Self.block(name: shortName.utf8, size: needsSize ? 0 : size, type: 0x30)
    return bytes
  }

  /// The name for readers that do not support pax: non-ASCII bytes are replaced, and the end is
  /// cut.
  private static func shortened(_ name: String) -> Substring {
    String(name.unicodeScalars.prefix(100).map { $0.isASCII ? Character($0) : "_" })[...]
  }

  /// A record of a pax header: its own length in decimal, a space, `key=value`, a line feed.
  private static func paxRecord(_ key: String, _ value: String) -> ContiguousArray<UInt8> {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while String(length).utf8.count + rest.utf8.count > length { length += 1 }
    return ContiguousArray("\(length)\(rest)".utf8)
  }

  private static func block(
    name: Substring.UTF8View, size: Int, type: UInt8
  ) -> ContiguousArray<UInt8> {
    var block = ContiguousArray<UInt8>(repeating: 0, count: blockSize)
    func put(_ bytes: some Sequence<UInt8>, at start: Int) {
      for (index, byte) in bytes.enumerated() { block[start + index] = byte }
    }
    put(name, at: 0)
    put("0000644".utf8, at: 100)
    put("0000000".utf8, at: 108)
    put("0000000".utf8, at: 116)
    put(octal(size, digits: 11), at: 124)
    put("00000000000".utf8, at: 136)
    put("        ".utf8, at: 148)
    block[156] = type
    put("ustar".utf8, at: 257)
    put("00".utf8, at: 263)
    put("0000000".utf8, at: 329)
    put("0000000".utf8, at: 337)
    let sum = block.reduce(0) { $0 + Int($1) }
    put(octal(sum, digits: 6), at: 148)
    block[154] = 0
    return block
  }

  private static func octal(_ value: Int, digits: Int) -> [UInt8] {
    (0..<digits).map { UInt8(0x30 + value >> (3 * (digits - 1 - $0)) & 7) }
  }
}

/// Cuts the content of an entry into the blocks of its members, and hashes it.
///
/// The first block begins with the tar header, the last one ends with padding; neither counts as content.
struct EntryBlocks {
  /// The size of the content in bytes.
  let size: Int
  /// The bytes of content that are still to come.
  private(set) var left: Int
  private var space = ArchiveLimits.blockSize
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
  var isFull: Bool { space == 0 }

  mutating func beginBlock() { space = ArchiveLimits.blockSize }

  mutating func take(from bytes: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let count = min(space, bytes.count)
    space -= count
    let taken = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
    return unsafe taken
  }

  /// The zero bytes after the content.
  var padding: Int { TarHeader.padding(after: size) }

  /// The digest of the content so far.
  var digest: ArchiveDigest { ArchiveDigest(hash) }
}
