internal import CoreDataModel
internal import DataCompression

/// Reads the members of an archive forward and passes on their plain bytes.
///
/// Members are read on the caller's thread and inflated ahead on others, one per slot. A defect of
/// a member is reported when it is its turn, never before.
final class MemberReader {
  var path: String { input.file.path }
  /// The offset of the current member in the archive's file.
  private(set) var offset = 0
  /// The length of the current member.
  private(set) var size = 0
  /// The index offset that the footer states, once the footer was reached.
  private(set) var footer: UInt64?
  /// The offset of the footer, or the end of the range.
  private(set) var endOffset = 0

  let limits: ArchiveLimits

  private let input: ArchiveInput
  private var work: OrderedWork<InflationWork>
  private var plain = ContiguousArray<UInt8>()
  private var position = 0
  private var plainSize = 0
  private var failure: CofferError?
  private var isAtEnd = false
  /// The format of all members, once the first came.
  private var format: MemberFormat?

  /// Reads from the beginning of an input.
  ///
  /// With 0 threads, the caller's thread inflates.
  init(
    _ input: ArchiveInput, threads: Int,
    ahead: Int = ArchiveReaderOptions.usualMembersAhead, limits: ArchiveLimits
  ) {
    self.input = input
    self.limits = limits
    work = OrderedWork(threads: max(0, threads), slots: threads <= 0 ? 1 : threads + ahead) {
      InflationWork()
    }
  }

  /// The count of plain bytes of the current member that were not consumed.
  var plainLeft: Int { plainSize - position }

  /// Advances to the next member; returns false after the last member.
  func advance() throws(CofferError) -> Bool {
    readAhead()
    guard work.inFlight > 0 else {
      if let failure { throw failure }
      giveUpMemory()
      return false
    }
    let spare = plain
    plain = []
    let done = work.withOldest { work in
      let done = (work.plain, work.plainSize, work.offset, work.size, work.failure)
      work.plain = spare
      return done
    }
    work.releaseOldest()
    (plain, plainSize, offset, size) = (done.0, done.1, done.2, done.3)
    position = 0
    if let failure = done.4 { throw error(failure) }
    guard plainSize > 0 else { throw damaged("a member is empty") }
    return true
  }

  /// Releases the memory of members; no more members follow.
  private func giveUpMemory() {
    (plain, plainSize, position) = ([], 0, 0)
    work = OrderedWork(threads: 0, slots: 1) { InflationWork() }
  }

  /// Passes the next plain bytes of the current member, at most a given number, and consumes them.
  func consume<E: Error>(
    atMost count: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> Int {
    let end = position + min(count, plainLeft)
    try unsafe plain.withBytes { bytes throws(E) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
    }
    defer { position = end }
    return end - position
  }

  /// Takes all bytes of the current member without copying them, and the zeros that must follow.
  ///
  /// None may have been consumed. Nothing is, and the result is false, if the member has other bytes.
  func takeAll(
    _ count: Int, andZeros zeros: Int, into bytes: inout ContiguousArray<UInt8>
  ) -> Bool {
    guard position == 0, plainSize == count + zeros,
      plain[count..<plainSize].allSatisfy({ $0 == 0 })
    else { return false }
    plain.removeLast(plain.count - count)
    swap(&plain, &bytes)
    plainSize = 0
    return true
  }

  /// Consumes a block of the current member; returns nil if it has no further complete block.
  func block(_ count: Int) -> [UInt8]? {
    guard plainLeft >= count else { return nil }
    defer { position += count }
    return Array(plain[position..<position + count])
  }

  /// An error about the current member.
  func damaged(_ detail: String, entry: String? = nil) -> CofferError {
    CofferError(.damagedArchive, path: path, entry: entry, offset: offset, detail: detail)
  }

  private func error(_ failure: CompressionError) -> CofferError {
    switch failure {
    case .limitExceeded: damaged("a member is larger than it states or than the limit")
    case .trailingBytes: damaged("a member has data after its compressed content")
    case .outOfMemory, .unavailable: CofferError(failure, .readFailed, path: path)
    case .damaged, .truncated, .windowExceeded, .dictionary:
      damaged("a member has invalid content, or the wrong size or checksum")
    }
  }
}

extension MemberReader {
  /// Reads members into all free slots and starts to inflate them.
  private func readAhead() {
    while failure == nil, !isAtEnd, !work.isFull {
      do {
        try readMember()
      } catch {
        failure = error
      }
    }
  }

  private func readMember() throws(CofferError) {
    let start = input.offset
    if input.isAtEnd {
      isAtEnd = true
      endOffset = start
      return
    }
    let beginning = try input.peek(MemberFormat.headerSize)
    guard beginning.count == MemberFormat.headerSize else { throw truncated(at: start) }
    guard let header = unsafe beginning.withBytes({ unsafe MemberFormat.header(of: $0) }),
      header.format == format ?? header.format
    else {
      throw damaged(at: start, "there is no canonical member here")
    }
    format = header.format
    guard header.size <= ArchiveLimits.memberSize else {
      throw damaged(at: start, "a member is longer than the limit")
    }
    if header.isFooter { return try readFooter(header.format, at: start) }
    let input = input
    let isWhole = try work.withFree { work throws(CofferError) in
      if work.member.count < header.size {
        // Freed before there is other memory.
        work.member = []
        work.member = ContiguousArray(repeating: 0, count: header.size)
      }
      work.format = header.format
      work.size = header.size
      work.offset = start
      let count = try unsafe work.member.withMutableBytes { buffer throws(CofferError) in
        try unsafe input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<header.size]))
      }
      return count == header.size
    }
    guard isWhole else { throw truncated(at: input.offset) }
    work.submit()
  }

  /// Reads the footer, after which nothing may follow.
  private func readFooter(_ format: MemberFormat, at start: Int) throws(CofferError) {
    let size = format.footerSize
    let bytes = try input.peek(size + 1)
    guard bytes.count >= size else { throw truncated(at: start + bytes.count) }
    guard bytes.count == size else {
      throw damaged(at: start + size, "there is data after the end")
    }
    guard let offset = unsafe bytes.withBytes({ unsafe format.indexOffset(ofFooter: $0) })
    else { throw damaged(at: start, "the footer is invalid") }
    footer = offset
    endOffset = start
    isAtEnd = true
  }

  private func damaged(at offset: Int, _ detail: String) -> CofferError {
    CofferError(.damagedArchive, path: path, offset: offset, detail: detail)
  }

  private func truncated(at offset: Int) -> CofferError {
    CofferError(
      .truncatedArchive, path: path, offset: offset, detail: "it ends before its footer",
      advice: "The archive was not written or copied completely. Create it again.")
  }
}

/// A member on its way to plain bytes.
struct InflationWork: BlockWork, ~Copyable {
  /// The member's bytes; only the first ``size`` count.
  var member = ContiguousArray<UInt8>()
  var format = MemberFormat.gzip
  /// The length of the member.
  var size = 0
  /// The member's offset in the archive's file.
  var offset = 0
  /// The plain bytes, once the work was done; only the first ``plainSize`` count.
  var plain = ContiguousArray<UInt8>()
  /// The count of plain bytes.
  private(set) var plainSize = 0
  /// Why the member could not be inflated, or nil.
  private(set) var failure: CompressionError?
  private var decompressor = MemberDecompressor()

  mutating func run() {
    failure = nil
    do {
      try inflate()
    } catch {
      failure = error
      plainSize = 0
    }
  }

  private mutating func inflate() throws(CompressionError) {
    let format = format
    let stated = unsafe member.withBytes { bytes in
      unsafe format.plainSize(of: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    }
    guard stated <= ArchiveLimits.memberPlainSize else { throw .limitExceeded(stated) }
    if plain.count < stated {
      if plain.capacity < stated {
        // Freed before there is other memory.
        plain = []
        plain.reserveCapacity(stated)
      }
      plain.append(contentsOf: repeatElement(0, count: stated - plain.count))
    }
    try unsafe member.withBytes { bytes throws(CompressionError) in
      let whole = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<size])
      try unsafe plain.withMutableBytes { buffer throws(CompressionError) in
        let exact = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<stated])
        try unsafe decompressor.decompress(whole, format, filling: exact)
      }
    }
    plainSize = stated
  }
}
