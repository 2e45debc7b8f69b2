internal import DeflateCoding

/// A block of tar bytes on its way to a gzip member.
struct CompressionWork: BlockWork, ~Copyable {
  /// The tar bytes: content, with a header or padding if needed.
  var plain = ContiguousArray<UInt8>()
  /// The number of the entry that the bytes belong to; nil for the index.
  var entry: Int?
  /// The gzip member, once the work was done.
  private(set) var member = ContiguousArray<UInt8>()
  private var compressor: BlockCompressor

  /// Creates an empty piece of work with its own compressor.
  init(level: Int) throws(DeflateError) {
    compressor = try BlockCompressor(level: level)
  }

  mutating func run() {
    member.removeAll(keepingCapacity: true)
    unsafe plain.withUnsafeBytes { bytes in
      unsafe GzipMember.append(bytes, with: &compressor, to: &member)
    }
    plain.removeAll(keepingCapacity: true)
  }
}
