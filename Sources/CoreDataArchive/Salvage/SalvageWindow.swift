internal import CoreDataModel
internal import DataCompression

/// A piece of an archive in memory, with lookahead and steps of single bytes.
///
///     dropped │ position ──── looked at ────│ not read yet
final class SalvageWindow {
  /// The offset of ``position`` in the archive's file.
  private(set) var offset = 0
  /// The reason why reading ended early, if the bytes themselves became unreliable; nil otherwise.
  private(set) var failure: CofferError?

  private let input: ArchiveInput
  private var bytes = ContiguousArray<UInt8>()
  private var position = 0
  private var isAtEnd = false
  /// The number of bytes to read at once, which grows because archives are mostly small or large.
  private var step = 4 << 10

  init(_ input: ArchiveInput) { self.input = input }

  var available: Int { bytes.count - position }

  /// Reads until a number of bytes is in memory.
  ///
  /// - Returns: whether they are; false only if the archive ends before.
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

  /// Fills the buffer after a number of bytes.
  ///
  /// - Returns: the number of bytes read; fewer than requested at the end, and if the layer below
  ///   is damaged.
  private func read(behind old: Int) throws(CofferError) -> Int {
    let (input, start) = (input, input.offset)
    do throws(CofferError) {
      return try unsafe bytes.withMutableBytes { target throws(CofferError) in
        try unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: target[old...]))
      }
    } catch {
      guard error.isArchiveDamage else { throw error }
      failure = error
      return input.offset - start
    }
  }

  /// Advances.
  ///
  /// The bytes must be in memory.
  func advance(_ count: Int) {
    position += count
    offset += count
  }

  /// Passes bytes from the position on, which must be in memory.
  func withBytes<Result, E: Error>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    let range = position..<position + count
    return try unsafe bytes.withBytes { bytes throws(E) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// The beginning of a coffer member at a distance from the position; nil if there is none.
  func header(_ distance: Int = 0) throws(CofferError) -> MemberFormat.Header? {
    guard try fill(distance + MemberFormat.headerSize) else { return nil }
    return unsafe withBytes(distance + MemberFormat.headerSize) { bytes in
      unsafe MemberFormat.header(of: UnsafeRawBufferPointer(rebasing: bytes[distance...]))
    }
  }

  /// The bytes that members begin with, at hand for a look at every byte.
  private struct Signature {
    let gzip = (MemberFormat.gzip.signature[0], MemberFormat.gzip.signature[1])
    let zstd = (MemberFormat.zstd.signature[0], MemberFormat.zstd.signature[1])

    /// Whether a member may begin with two bytes.
    func isBeginning(_ first: UInt8, _ second: UInt8) -> Bool {
      first == gzip.0 && second == gzip.1 || first == zstd.0 && second == zstd.1
    }
  }

  /// Advances to the next position at which a member of ours, or the footer, may begin.
  ///
  /// - Returns: false if there is none; the position is then the end.
  func search() throws(CofferError) -> Bool {
    advance(1)
    let signature = Signature()
    while try fill(MemberFormat.headerSize) {
      let count = available - MemberFormat.headerSize + 1
      let found = unsafe withBytes(available) { bytes -> Int? in
        var index = 0
        while index < count {
          if unsafe signature.isBeginning(bytes[index], bytes[index + 1]) {
            let piece = unsafe UnsafeRawBufferPointer(
              rebasing: bytes[index..<index + MemberFormat.headerSize])
            if unsafe MemberFormat.header(of: piece) != nil { return index }
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

  /// The distance from the position to the first member from which a chain of members leads to a
  /// footer at the very end; nil if there is none.
  ///
  /// Everything up to the end must be in memory. The search starts at the end, so that each byte is
  /// examined once.
  func distanceToLastChain() -> Int? {
    let signature = Signature()
    return unsafe withBytes(available) { bytes in
      var starts: Set<Int> = []
      var first: Int?
      var index = bytes.count - MemberFormat.headerSize
      while index > 0 {
        if unsafe signature.isBeginning(bytes[index], bytes[index + 1]),
          let header = unsafe MemberFormat.header(
            of: UnsafeRawBufferPointer(rebasing: bytes[index..<index + MemberFormat.headerSize]))
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
