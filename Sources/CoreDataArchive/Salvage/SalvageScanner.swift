internal import CoreDataModel
internal import DataCompression

/// Finds the intact entries of a damaged archive: reads it forward from member to member.
///
/// If the chain is broken, it continues at the next byte where a coffer member begins.
///
/// A member counts if its checksum matches, an entry if all its members do and contain exactly the
/// bytes that its tar header states. Every entry begins a member, so one lost member costs one
/// entry. A damaged member that is followed by another at the end of its stated length is skipped
/// as a whole: anything in it that looks like a member is content.
///
/// The work is bounded: each byte is decompressed once, and failed attempts cost at most ``allowance``.
final class SalvageScanner {
  let input: ArchiveInput
  let path: String
  /// The storage for contents; nil if the archive file can be read again.
  let content: SalvagedContent?
  let limits: ArchiveLimits
  private(set) var report = SalvageReport()
  /// The intact entries, in the order of the archive.
  var found: [SalvagedEntry] = []
  /// The names of entries whose headers came and whose contents did not.
  var broken: [String] = []
  var open: OpenEntry?
  var plainTotal = 0

  private let window: SalvageWindow
  private var decompressor = MemberDecompressor()
  private var plain = ContiguousArray<UInt8>()
  private var tried = 0
  private var isBroken = false
  /// Whether anything looked like a member of ours.
  private(set) var hasMembers = false
  private var hasFooter = false

  /// An entry whose content is coming.
  struct OpenEntry {
    var header: TarHeader
    var offset: Int
    var left: Int
    var padding: Int
    var keptOffset: Int
    var compressedSize = 0
    var memberCount = 1
    var hasher = ContentHasher()
    var indexContent: ContiguousArray<UInt8>?
  }

  init(_ input: ArchiveInput, keeping content: SalvagedContent?, limits: ArchiveLimits) {
    self.input = input
    self.limits = limits
    self.content = content
    path = input.file.path
    window = SalvageWindow(input)
  }

  /// The maximum number of bytes decompressed so far for members that led no further.
  private var allowance: Int { (64 << 20) + window.offset * 4 }

  /// Reads everything to the end of the input.
  func run() throws(CofferError) {
    while try window.fill(1) {
      if let header = try window.header(), header.size <= ArchiveLimits.memberSize {
        hasMembers = true
        if try header.isFooter ? takeFooter(header) : takeMember(header) { continue }
      }
      loseEntry()
      noteBreak("there is no complete member here")
      isBroken = true
      if try !window.search() { break }
    }
    loseEntry()
    report.endOffset = window.offset
    if let failure = window.failure { report.note(window.offset, failure.detail) }
    if !hasFooter { report.note(window.offset, "the archive ends without a footer") }
  }

  /// Whether the chain of members and entries is unbroken up to here.
  var isInOrder: Bool { !isBroken }

  /// Records that the bytes at the position do not belong to an intact entry; once for each range.
  func noteBreak(_ detail: String) {
    if !isBroken { report.note(window.offset, detail) }
  }

  func noteOrderIsBroken() { isBroken = true }

  func noteOrderIsBack() { isBroken = false }

  /// The open entry cannot become intact.
  func loseEntry() {
    guard let entry = open else { return }
    broken.append(entry.header.name)
    open = nil
  }

  private func takeFooter(_ header: MemberFormat.Header) throws(CofferError) -> Bool {
    guard try window.fill(header.size),
      unsafe window.withBytes(
        header.size, { unsafe header.format.indexOffset(ofFooter: $0) }) != nil
    else { return false }
    loseEntry()
    window.advance(header.size)
    hasFooter = try !window.fill(1)
    if !hasFooter { report.note(window.offset, "there is data after the footer") }
    return true
  }

  /// Processes the member at the position, intact or not.
  ///
  /// - Returns: false if there is none, and the next one must be searched for.
  private func takeMember(_ header: MemberFormat.Header) throws(CofferError) -> Bool {
    let size = header.size
    guard try window.fill(size) else {
      // The archive is cut off here, or the length is wrong and a chain of members still reaches
      // the footer.
      loseEntry()
      noteBreak("the archive is cut off")
      isBroken = true
      window.advance(window.distanceToLastChain() ?? window.available)
      return true
    }
    if let count = try decompress(header) {
      try take(count, at: window.offset, size: size)
      window.advance(size)
      return true
    }
    var goesOn = try !window.fill(size + 1)
    if !goesOn { goesOn = try window.header(size) != nil }
    tried += goesOn ? 0 : size
    guard goesOn || tried > allowance else { return false }
    loseEntry()
    noteBreak("a member is damaged")
    isBroken = true
    window.advance(size)
    return true
  }

  /// Decompresses the member at the position.
  ///
  /// - Returns: the number of plain bytes; nil if its content, size or checksum is wrong.
  private func decompress(_ header: MemberFormat.Header) throws(CofferError) -> Int? {
    try unsafe window.withBytes(header.size) { member throws(CofferError) in
      let stated = unsafe header.format.plainSize(of: member)
      guard stated > 0, stated <= ArchiveLimits.memberPlainSize else { return nil }
      if plain.count < stated { plain = ContiguousArray(repeating: 0, count: stated) }
      do throws(CompressionError) {
        try unsafe plain.withMutableBytes { buffer throws(CompressionError) in
          let exact = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<stated])
          try unsafe decompressor.decompress(member, header.format, filling: exact)
        }
        return stated
      } catch {
        if error == .unavailable { throw CofferError(error, .readFailed, path: path) }
        return nil
      }
    }
  }

  /// Processes the plain bytes of an intact member.
  private func take(_ count: Int, at offset: Int, size: Int) throws(CofferError) {
    let plain = plain
    self.plain = []
    defer { self.plain = plain }
    try take(plain[..<count], at: offset, size: size)
  }
}
