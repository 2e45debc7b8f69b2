internal import CZlib

/// Inflates a gzip stream of any size piece by piece, with one or more members.
///
/// For streams from other programs; it verifies the checksum and size in each member's trailer.
@safe package struct StreamInflater: ~Copyable {
  /// On the heap because zlib's state points back to the stream.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether a member has ended and no other has started: the only place where the input may end.
  package private(set) var isBetweenMembers = false
  /// The number of plain bytes that a step wrote before it found damage; 0 before that.
  package private(set) var producedBeforeDamage = 0

  /// The result of a step.
  package struct Step: Sendable, Equatable {
    /// The number of input bytes used.
    package var consumed: Int
    /// The number of plain bytes written.
    package var produced: Int
  }

  /// Creates an inflater that expects the beginning of a gzip member.
  ///
  /// - Throws: ``CompressionError/outOfMemory``.
  package init() throws(CompressionError) {
    // 15 bits of window, 16 for a gzip header and nothing else.
    unsafe stream = try makeStream { stream in
      unsafe inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Inflates as much as the input and the output buffer allow.
  ///
  /// A step may use input and produce nothing, and the reverse. Call again with more of whatever
  /// ran out.
  ///
  /// - Parameters:
  ///   - input: the next bytes of the stream, not empty; borrowed for the call.
  ///   - target: the output buffer, not empty.
  /// - Returns: the numbers of bytes used and written.
  /// - Throws: ``CompressionError/damaged`` or ``CompressionError/outOfMemory``.
  package mutating func inflate(
    _ input: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> Step {
    if isBetweenMembers {
      guard unsafe inflateReset(stream) == Z_OK else { throw .damaged }
      isBetweenMembers = false
    }
    let available = UInt32(clamping: input.count)
    let space = UInt32(clamping: target.count)
    unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
      mutating: input.bindMemory(to: UInt8.self).baseAddress)
    unsafe stream.pointee.avail_in = available
    unsafe stream.pointee.next_out = unsafe target.bindMemory(to: UInt8.self).baseAddress
    unsafe stream.pointee.avail_out = space
    switch unsafe CZlib.inflate(stream, Z_NO_FLUSH) {
    case Z_STREAM_END: isBetweenMembers = true
    case Z_OK, Z_BUF_ERROR: break
    case Z_MEM_ERROR: throw .outOfMemory
    default:
      producedBeforeDamage = unsafe Int(space - stream.pointee.avail_out)
      throw .damaged
    }
    return unsafe Step(
      consumed: Int(available - stream.pointee.avail_in),
      produced: Int(space - stream.pointee.avail_out))
  }
}

/// Makes a stream of zlib, which the caller ends and deallocates; the closure returns zlib's status.
///
/// - Throws: ``CompressionError/outOfMemory``.
func makeStream(
  _ begin: (UnsafeMutablePointer<z_stream>) -> Int32
) throws(CompressionError) -> UnsafeMutablePointer<z_stream> {
  let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  unsafe stream.initialize(to: z_stream())
  guard unsafe begin(stream) == Z_OK else {
    unsafe stream.deallocate()
    throw .outOfMemory
  }
  return unsafe stream
}
