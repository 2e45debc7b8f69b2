package import CoreDataModel
internal import DataCompression

/// Entries of parts that were compressed and hashed on some thread, whole or in pieces, for
/// ``ArchiveWriter/append(_:)``.
package struct CompressedEntries: Sendable {
  /// What happens at a place in the members.
  enum Event: Sendable {
    /// An entry begins; its header is among the members unless it is apart.
    case begin(NumberedEntryName, size: Int, ArchiveEntryAttributes)
    /// The entry ends.
    case end(ArchiveDigest)
  }

  /// The members one after the other.
  var members: ContiguousArray<UInt8>
  /// What happens, each before the byte at that offset.
  fileprivate(set) var events: [(offset: Int, event: Event)] = []

  /// No entries yet.
  ///
  /// - Parameter memory: is emptied and used again.
  package init(memory: consuming ContiguousArray<UInt8> = []) {
    // While it has another owner, emptying would copy it.
    memory.removeAll(keepingCapacity: true)
    members = memory
  }

  /// The bytes of the members.
  package var byteCount: Int { members.count }

  /// The bytes of memory for members.
  package var capacity: Int { members.capacity }

  /// Whether there is nothing to append.
  package var isEmpty: Bool { events.isEmpty && members.isEmpty }

  /// Takes the memory of entries that were appended.
  package consuming func takeMemory() -> ContiguousArray<UInt8> { members }

  /// Counts the parts from another number on: those of a range do not know how many come before.
  package mutating func addToPartNumbers(_ count: Int) {
    guard count != 0 else { return }
    for index in events.indices {
      guard case .begin(var name, let size, let attributes) = events[index].event else { continue }
      name.number += count
      events[index].event = .begin(name, size: size, attributes)
    }
  }
}

/// Compresses and hashes the entries of parts on whatever thread it is used.
///
/// It makes the same members as ``ArchiveWriter`` does.
package struct EntryCompressor: ~Copyable {
  /// The bytes of two blocks that nothing makes smaller, with the room that a library wants for them.
  ///
  /// Whoever takes members after each block never has more. Memory that is not used costs nothing.
  private static let usualSize = 2 * (ArchiveLimits.blockSize + 8192)

  /// What was compressed and not taken.
  private var entries = CompressedEntries()
  private var compressor: MemberCompressor
  /// The tar bytes of the next member.
  private var block = ContiguousArray<UInt8>()
  /// The content of the entry.
  private var blocks = EntryBlocks(size: 0)

  /// Creates a compressor for archives with these options.
  ///
  /// - Throws: `write-failed` if there is not enough memory; `unsupported-compression`.
  package init(_ options: ArchiveWriterOptions) throws(CofferError) {
    do {
      // Memory that grew step by step would leave its former places behind, on each thread.
      block.reserveCapacity(ArchiveLimits.blockSize + 4 * TarHeader.blockSize)
      compressor = try MemberCompressor(options.compression.format, level: options.level)
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
        // A block that lies in one piece is not copied.
        try unsafe compress(piece)
        blocks.beginBlock()
      } else {
        unsafe block.append(contentsOf: piece)
      }
    }
  }

  /// Adds a whole entry, whose content is not copied if it is a block with nothing before it.
  ///
  /// - Parameters:
  ///   - name: its name; the number of a part without a header may be changed later.
  ///   - content: its content, which stays as it is.
  ///   - hasHeader: whether its first member has the header.
  ///   - attributes: its properties in the index.
  /// - Throws: `write-failed`.
  package mutating func addEntry(
    _ name: NumberedEntryName, _ content: inout JSONBuffer, hasHeader: Bool,
    attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    beginEntry(name, size: content.count, hasHeader: hasHeader, attributes: attributes)
    if block.isEmpty, (1...ArchiveLimits.blockSize).contains(content.count) {
      unsafe content.withUnsafeBytes { unsafe _ = blocks.admit($0) }
      try unsafe content.withUnsafeBytes(andZeros: blocks.padding) { bytes throws(CofferError) in
        try unsafe compress(bytes)
      }
      entries.events.append((entries.members.count, .end(blocks.digest)))
    } else {
      try unsafe content.withUnsafeBytes { bytes throws(CofferError) in try unsafe write(bytes) }
      try endEntry()
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

  /// Takes what was compressed so far.
  package mutating func take() -> CompressedEntries {
    let taken = entries
    entries = CompressedEntries()
    return taken
  }

  /// Uses memory for what comes next, if nothing was compressed since ``take()``.
  package mutating func reuse(_ memory: consuming ContiguousArray<UInt8>) {
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

  /// Compresses the bytes of a member.
  private mutating func compress(_ bytes: UnsafeRawBufferPointer) throws(CofferError) {
    do {
      try unsafe compressor.append(bytes, to: &entries.members)
    } catch {
      throw CofferError(error, .writeFailed, path: "")
    }
  }
}
