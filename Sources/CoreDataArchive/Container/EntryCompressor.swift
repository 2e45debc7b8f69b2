package import CoreDataModel
internal import DataCompression

/// Entries of parts that were compressed and hashed on some thread, whole or in pieces, for
/// ``ArchiveWriter/append(_:)``.
package struct CompressedEntries: Sendable {
  /// An event at a place in the members.
  enum Event: Sendable {
    /// An entry begins; unless its header is a separate member, it is compressed with the content.
    case begin(NumberedEntryName, size: Int, ArchiveEntryAttributes)
    case end(ArchiveDigest)
  }

  /// The members, one after another.
  var members: ContiguousArray<UInt8>
  /// The events, each before the byte at that offset.
  fileprivate(set) var events: [(offset: Int, event: Event)] = []

  /// The bytes of memory that members before have used.
  private var usedBefore = 0

  /// No entries yet.
  package init() { members = [] }

  /// No entries yet, in the memory of some that were appended.
  package init(memory: consuming CompressedEntries) {
    usedBefore = memory.usedMemory
    // While it has another owner, emptying would copy it.
    members = []
    swap(&members, &memory.members)
    members.removeAll(keepingCapacity: true)
  }

  /// The bytes of the members.
  package var byteCount: Int { members.count }

  /// The bytes of memory that these members, or others before them, have used.
  ///
  /// Of memory that was never used, the system gives nothing.
  package var usedMemory: Int { max(usedBefore, members.count) }

  /// Whether there is nothing to append.
  package var isEmpty: Bool { events.isEmpty && members.isEmpty }

  /// Counts the parts from another number, because a range does not know the number of earlier parts.
  package mutating func addToPartNumbers(_ count: Int) {
    guard count != 0 else { return }
    for index in events.indices {
      guard case .begin(var name, let size, let attributes) = events[index].event else { continue }
      name.number += count
      events[index].event = .begin(name, size: size, attributes)
    }
  }
}

/// Compresses and hashes the entries of parts on the thread of its caller.
///
/// It makes the same members as ``ArchiveWriter`` does.
package struct EntryCompressor: ~Copyable {
  /// The size of an incompressible block, with the space that a library needs for it.
  ///
  /// A caller that takes members before a block that may not fit seldom needs more. Unused memory costs nothing.
  private static let usualSize = ArchiveLimits.blockSize + 8192

  /// The compressed bytes that were not taken.
  private var entries = CompressedEntries()
  private var compressor: MemberCompressor
  /// The tar bytes of the next member.
  private var block = ContiguousArray<UInt8>()
  private var blocks = EntryBlocks(size: 0)

  /// Creates a compressor for archives with these options.
  ///
  /// - Throws: `write-failed` if there is not enough memory; `unsupported-compression`.
  package init(_ options: ArchiveWriterOptions) throws(CofferError) {
    do {
      // Memory that grew step by step would leave its former blocks unused on each thread.
      block.reserveCapacity(ArchiveLimits.blockSize + 4 * TarHeader.blockSize)
      compressor = try MemberCompressor(options.format, level: options.level)
    } catch {
      throw CofferError(error, .writeFailed, path: "")
    }
    entries.members.reserveCapacity(Self.usualSize)
  }

  /// The bytes of the members that were not taken.
  package var byteCount: Int { entries.byteCount }

  /// Begins an entry.
  ///
  /// - Parameters:
  ///   - name: its name; the number of a part without a header may be changed later.
  ///   - size: the size of its content in bytes.
  ///   - hasHeader: whether its first member has the header, as in the first part of a table.
  ///   - attributes: its properties in the index.
  package mutating func beginEntry(
    _ name: NumberedEntryName, size: Int, hasHeader: Bool, attributes: ArchiveEntryAttributes
  ) {
    entries.events.append((entries.members.count, .begin(name, size: size, attributes)))
    blocks = EntryBlocks(size: size)
    if hasHeader { block += TarHeader(name: name.text, size: size).encoded }
  }

  /// Adds the next bytes of the content.
  ///
  /// - Throws: `write-failed` for more bytes than the entry's size.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    guard unsafe blocks.admit(bytes) else {
      throw CofferError(.writeFailed, detail: "a value is larger than its row says")
    }
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      if blocks.isFull {
        try compress()
        blocks.beginBlock()
      }
      let piece = unsafe blocks.take(from: &rest)
      if block.isEmpty, blocks.isFull {
        // A contiguous block is not copied.
        try unsafe compress(piece)
        blocks.beginBlock()
      } else {
        unsafe block.append(contentsOf: piece)
      }
    }
  }

  /// Adds a whole entry; its content is not copied unless a header precedes it.
  ///
  /// - Parameters:
  ///   - name: its name; the number of a part without a header may be changed later.
  ///   - content: its content, which no one changes.
  ///   - hasHeader: whether its first member has the header.
  ///   - attributes: its properties in the index.
  ///   - beforeBlock: is called with the size of each block, and may take the bytes compressed so far.
  /// - Throws: `write-failed`; errors from the closure.
  package mutating func addEntry(
    _ name: NumberedEntryName, _ content: inout JSONBuffer, hasHeader: Bool,
    attributes: ArchiveEntryAttributes, beforeBlock: (inout EntryCompressor, Int) throws -> Void
  ) throws {
    let size = content.count
    beginEntry(name, size: size, hasHeader: hasHeader, attributes: attributes)
    let (isCopied, padding) = (!block.isEmpty, blocks.padding)
    for start in stride(from: 0, to: size, by: ArchiveLimits.blockSize) {
      let end = min(start + ArchiveLimits.blockSize, size)
      try beforeBlock(&self, end - start)
      try unsafe content.withUnsafeBytes(andZeros: padding) { bytes throws(CofferError) in
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if isCopied { return try unsafe write(piece) }
        unsafe _ = blocks.admit(piece)
        let zeros = end == size ? padding : 0
        try unsafe compress(UnsafeRawBufferPointer(rebasing: bytes[start..<end + zeros]))
      }
    }
    if isCopied || size == 0 {
      try endEntry()
    } else {
      entries.events.append((entries.members.count, .end(blocks.digest)))
    }
  }

  /// Ends the entry.
  ///
  /// - Throws: `write-failed` for fewer bytes than the entry's size.
  package mutating func endEntry() throws(CofferError) {
    guard blocks.left == 0 else {
      throw CofferError(.writeFailed, detail: "a value is smaller than its row says")
    }
    block.append(contentsOf: repeatElement(0, count: blocks.padding))
    if !block.isEmpty { try compress() }
    entries.events.append((entries.members.count, .end(blocks.digest)))
  }

  /// Takes the bytes compressed so far.
  package mutating func take() -> CompressedEntries {
    let taken = entries
    entries = CompressedEntries()
    return taken
  }

  /// Uses memory for the following bytes, if nothing was compressed since ``take()``.
  package mutating func reuse(_ memory: consuming CompressedEntries) {
    guard entries.isEmpty else { return }
    entries = CompressedEntries(memory: memory)
    entries.members.reserveCapacity(Self.usualSize)
  }

  /// Compresses the block, and empties it.
  private mutating func compress() throws(CofferError) {
    var block = ContiguousArray<UInt8>()
    swap(&block, &self.block)
    try unsafe block.withBytes { bytes throws(CofferError) in try unsafe compress(bytes) }
    block.removeAll(keepingCapacity: true)
    swap(&block, &self.block)
  }

  private mutating func compress(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    do {
      try unsafe compressor.append(bytes, to: &entries.members)
    } catch {
      throw CofferError(error, .writeFailed, path: "")
    }
  }
}
