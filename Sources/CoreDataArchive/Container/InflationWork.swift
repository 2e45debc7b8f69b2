internal import DeflateCoding

/// A gzip member on its way to plain bytes.
struct InflationWork: BlockWork, ~Copyable {
  /// The member's bytes; only the first ``size`` count.
  var member = ContiguousArray<UInt8>()
  /// The length of the member.
  var size = 0
  /// The member's offset in the archive's file.
  var offset = 0
  /// The plain bytes, once the work was done; only the first ``plainSize`` count.
  var plain = ContiguousArray<UInt8>()
  /// The count of plain bytes.
  private(set) var plainSize = 0
  /// Why the member could not be inflated, or nil.
  private(set) var failure: DeflateError?
  private var inflater: BlockInflater

  /// Creates an empty piece of work with its own inflater.
  init() throws(DeflateError) { inflater = try BlockInflater() }

  mutating func run() {
    failure = nil
    do {
      try inflate()
    } catch {
      failure = error
      plainSize = 0
    }
  }

  private mutating func inflate() throws(DeflateError) {
    let stated = unsafe member.withBytes { bytes in
      unsafe GzipMember.plainSize(of: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
    }
    guard stated <= ArchiveLimits.memberPlainSize else { throw .limitExceeded(stated) }
    if plain.count < stated { plain = ContiguousArray(repeating: 0, count: stated) }
    try unsafe member.withBytes { bytes throws(DeflateError) in
      let whole = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<size])
      try unsafe plain.withMutableBytes { room throws(DeflateError) in
        let exact = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<stated])
        try unsafe GzipMember.inflate(whole, with: &inflater, filling: exact)
      }
    }
    plainSize = stated
  }
}
