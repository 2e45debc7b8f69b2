internal import DataCompression

/// A block of tar bytes on its way to a member.
struct CompressionWork: BlockWork, ~Copyable {
  /// The tar bytes: content, with a header or padding if needed.
  var plain = ContiguousArray<UInt8>()
  /// The number of the entry that the bytes belong to; nil for the index.
  var entry: Int?
  /// The member, once the work was done.
  private(set) var member = ContiguousArray<UInt8>()
  /// Why the block could not be compressed, or nil.
  private(set) var failure: CompressionError?
  private var compressor: MemberCompressor

  /// Creates an empty piece of work with its own compressor.
  init(_ format: MemberFormat, level: Int) throws(CompressionError) {
    compressor = try MemberCompressor(format, level: level)
  }

  mutating func run() {
    member.removeAll(keepingCapacity: true)
    do {
      try unsafe plain.withBytes { bytes throws(CompressionError) in
        try unsafe compressor.append(bytes, to: &member)
      }
    } catch {
      failure = error
    }
    plain.removeAll(keepingCapacity: true)
  }
}
