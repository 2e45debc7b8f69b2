internal import CoreDataModel
internal import DeflateCoding

/// A piece of an archive in memory, in which one can look ahead and step on byte by byte.
///
///     dropped │ position ──── looked at ────│ not read yet
final class SalvageWindow {
  /// The offset of ``position`` in the archive's file.
  private(set) var offset = 0
  /// Why reading ended before the end, where the bytes themselves could not be believed any more; nil where it did not.
  private(set) var failure: CofferError?

  private let input: ArchiveInput
  private var bytes = ContiguousArray<UInt8>()
  private var position = 0
  private var isAtEnd = false
  /// How many bytes are read at once; more and more, since most archives are small or large.
  private var step = 4 << 10

  init(_ input: ArchiveInput) { self.input = input }

  /// How many bytes from the position on are in memory.
  var available: Int { bytes.count - position }

  /// Reads until so many bytes are in memory.
  ///
  /// - Returns: whether there are so many; false only where the archive ends before.
  func fill(_ count: Int) throws(CofferError) -> Bool {
    while available < count, !isAtEnd {
      if position > 8 << 20 {
        bytes.removeFirst(position)
        position = 0
      }
      let old = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: max(step, count - available)))
      step = min(2 * step, 256 << 10)
      let got = try read(behind: old)
      isAtEnd = old + got < bytes.count
      bytes.removeLast(bytes.count - old - got)
    }
    return available >= count
  }

  /// Fills the room behind so many bytes.
  ///
  /// - Returns: how many bytes came; fewer than there is room at the end, and where what lies below the
  ///   archive is damaged.
  private func read(behind old: Int) throws(CofferError) -> Int {
    let (input, start) = (input, input.offset)
    do throws(CofferError) {
      return try unsafe bytes.withMutableBytes { room throws(CofferError) in
        try unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: room[old...]))
      }
    } catch {
      guard error.isArchiveDamage else { throw error }
      failure = error
      return input.offset - start
    }
  }

  /// Goes on; the bytes must be in memory.
  func advance(_ count: Int) {
    position += count
    offset += count
  }

  /// Lends bytes from the position on, which must be in memory.
  func withBytes<Result, E: Error>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    let range = position..<position + count
    return try unsafe bytes.withBytes { bytes throws(E) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// What the beginning of a gzip member of ours says, so many bytes behind the position; nil where none begins there.
  func header(_ distance: Int = 0) throws(CofferError) -> GzipMember.Header? {
    guard try fill(distance + GzipMember.headerSize) else { return nil }
    return unsafe withBytes(distance + GzipMember.headerSize) { bytes in
      unsafe GzipMember.header(of: UnsafeRawBufferPointer(rebasing: bytes[distance...]))
    }
  }

  /// Goes on to the next place behind the position where a member of ours, or the footer, may begin.
  ///
  /// - Returns: false where none comes any more; the position is the end then.
  func search() throws(CofferError) -> Bool {
    advance(1)
    while try fill(GzipMember.headerSize) {
      let count = available - GzipMember.headerSize + 1
      let found = unsafe withBytes(available) { bytes -> Int? in
        var index = 0
        while index < count {
          if unsafe bytes[index] == 0x1f, unsafe bytes[index + 1] == 0x8b {
            let piece = unsafe UnsafeRawBufferPointer(
              rebasing: bytes[index..<index + GzipMember.headerSize])
            if unsafe GzipMember.header(of: piece) != nil { return index }
          }
          index += 1
        }
        return nil
      }
      advance(found ?? count)
      if found != nil { return true }
    }
    advance(available)
    return false
  }

  /// How many bytes behind the position the first member begins from which a chain of members leads to a footer
  /// at the very end; nil where there is none.
  ///
  /// Everything up to the end must be in memory. Looked for from the end, so that each byte is looked
  /// at once.
  func distanceToLastChain() -> Int? {
    unsafe withBytes(available) { bytes in
      var starts: Set<Int> = []
      var first: Int?
      var index = bytes.count - GzipMember.headerSize
      while index > 0 {
        if unsafe bytes[index] == 0x1f, unsafe bytes[index + 1] == 0x8b,
          let header = unsafe GzipMember.header(
            of: UnsafeRawBufferPointer(rebasing: bytes[index..<index + GzipMember.headerSize]))
        {
          let end = index + header.size
          if header.isFooter ? end == bytes.count : starts.contains(end) {
            starts.insert(index)
            first = index
          }
        }
        index -= 1
      }
      return first
    }
  }
}
