internal import CoreDataModel
internal import DeflateCoding

/// Finds the whole entries of a damaged archive: reads it forward from member to member, and where the chain is
/// broken goes on at the next byte where a member of ours begins.
///
/// A member counts when its checksum fits, and an entry when all its members do and hold exactly the
/// bytes that its tar header asks for. Every entry begins a member, so one lost member costs one
/// entry. A member that does not inflate, but behind which by its stated length another begins, is passed over as a
/// whole: what looks like a member inside of it is content.
///
/// The work is bounded: each byte is inflated once, and the tries at places that turn out to be none
/// cost at most ``allowance``.
final class SalvageScanner {
  let input: ArchiveInput
  let path: String
  /// Where contents are kept; nil where the archive's file can be read again.
  let content: SalvagedContent?
  let limits: ArchiveLimits
  private(set) var report = SalvageReport()
  /// The entries that came whole, in the order of the archive.
  var found: [SalvagedEntry] = []
  /// The names of entries whose headers came and whose contents did not.
  var broken: [String] = []
  var open: OpenEntry?
  var plainTotal = 0

  private let window: SalvageWindow
  private var inflater: BlockInflater
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

  init(
    _ input: ArchiveInput, keeping content: SalvagedContent?, limits: ArchiveLimits
  ) throws(CofferError) {
    self.input = input
    self.limits = limits
    self.content = content
    path = input.file.path
    window = SalvageWindow(input)
    do {
      inflater = try BlockInflater()
    } catch {
      throw CofferError(
        .readFailed, path: path, detail: "there is not enough memory to inflate")
    }
  }

  /// How many bytes may have been inflated in vain so far.
  private var allowance: Int { (64 << 20) + window.offset * 4 }

  /// Reads everything to the end of the input.
  func run() throws(CofferError) {
    while try window.fill(1) {
      if let header = try window.header(), header.size <= ArchiveLimits.memberSize {
        hasMembers = true
        if try header.isFooter ? takeFooter() : takeMember(header.size) { continue }
      }
      loseEntry()
      noteBreak("no whole gzip member begins here")
      isBroken = true
      if try !window.search() { break }
    }
    loseEntry()
    report.endOffset = window.offset
    if let failure = window.failure { report.note(window.offset, failure.detail) }
    if !hasFooter { report.note(window.offset, "the archive ends without its footer") }
  }

  /// Whether the chain of members and entries is unbroken up to here.
  var isInOrder: Bool { !isBroken }

  /// Notes that what stands at the position is no part of a whole entry; once for each stretch.
  func noteBreak(_ detail: String) {
    if !isBroken { report.note(window.offset, detail) }
  }

  func noteOrderIsBroken() { isBroken = true }

  func noteOrderIsBack() { isBroken = false }

  /// The open entry will not become whole.
  func loseEntry() {
    guard let entry = open else { return }
    broken.append(entry.header.name)
    open = nil
  }

  private func takeFooter() throws(CofferError) -> Bool {
    guard try window.fill(GzipMember.footerSize),
      unsafe window.withBytes(
        GzipMember.footerSize, { unsafe GzipMember.indexOffset(ofFooter: $0) })
        != nil
    else { return false }
    loseEntry()
    window.advance(GzipMember.footerSize)
    hasFooter = try !window.fill(1)
    if !hasFooter { report.note(window.offset, "bytes follow the footer") }
    return true
  }

  /// Takes the member at the position, whole or not.
  ///
  /// - Returns: false where there is none, and the next is to be searched for.
  private func takeMember(_ size: Int) throws(CofferError) -> Bool {
    guard try window.fill(size) else {
      // Cut off here, or the length is wrong and a chain of members still leads to the footer.
      loseEntry()
      noteBreak("the archive is cut off")
      isBroken = true
      window.advance(window.distanceToLastChain() ?? window.available)
      return true
    }
    if let count = inflate(size) {
      try take(count, at: window.offset, size: size)
      window.advance(size)
      return true
    }
    var goesOn = try !window.fill(size + 1)
    if !goesOn { goesOn = try window.header(size) != nil }
    tried += goesOn ? 0 : size
    guard goesOn || tried > allowance else { return false }
    loseEntry()
    noteBreak("a gzip member is damaged")
    isBroken = true
    window.advance(size)
    return true
  }

  /// Inflates the member at the position.
  ///
  /// - Returns: the count of plain bytes; nil where its content, size or checksum is wrong.
  private func inflate(_ size: Int) -> Int? {
    unsafe window.withBytes(size) { member in
      let stated = unsafe GzipMember.plainSize(of: member)
      guard stated > 0, stated <= ArchiveLimits.memberPlainSize else { return nil }
      if plain.count < stated { plain = ContiguousArray(repeating: 0, count: stated) }
      do throws(DeflateError) {
        try unsafe plain.withMutableBytes { room throws(DeflateError) in
          let exact = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<stated])
          try unsafe GzipMember.inflate(member, with: &inflater, filling: exact)
        }
        return stated
      } catch {
        return nil
      }
    }
  }

  /// Takes the plain bytes of a whole member.
  private func take(_ count: Int, at offset: Int, size: Int) throws(CofferError) {
    let plain = plain
    self.plain = []
    defer { self.plain = plain }
    try take(plain[..<count], at: offset, size: size)
  }
}
