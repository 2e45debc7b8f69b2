internal import CZlib

/// Compresses bytes to a whole raw deflate stream (RFC 1951, no header) with zlib.
///
/// The same input and the same zlib give the same bytes.
///
/// - Parameters:
///   - plain: the plain bytes.
///   - level: zlib's level, 0 to 9.
/// - Returns: the compressed bytes.
/// - Throws: ``CompressionError/outOfMemory``, also for input that zlib cannot take in one piece (4 GiB).
package func deflateRaw(_ plain: [UInt8], level: Int32 = 6) throws(CompressionError) -> [UInt8] {
  guard let inputCount = UInt32(exactly: plain.count) else { throw .outOfMemory }
  var stream = unsafe z_stream()
  guard
    unsafe deflateInit2_(
      &stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { throw .outOfMemory }
  defer { unsafe deflateEnd(&stream) }
  let bound = unsafe deflateBound(&stream, UInt(inputCount))
  guard let outputCount = UInt32(exactly: bound) else { throw .outOfMemory }
  var output = [UInt8](repeating: 0, count: Int(outputCount))
  let status: Int32 = unsafe plain.withUnsafeBytes { input in
    unsafe output.withUnsafeMutableBytes { buffer in
      unsafe stream.next_in = unsafe UnsafeMutablePointer(
        mutating: input.bindMemory(to: UInt8.self).baseAddress)
      unsafe stream.avail_in = inputCount
      unsafe stream.next_out = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.avail_out = outputCount
      return unsafe deflate(&stream, Z_FINISH)
    }
  }
  guard status == Z_STREAM_END else { throw .outOfMemory }
  output.removeLast(unsafe Int(stream.avail_out))
  return output
}

/// Inflates a whole raw deflate stream in an array.
///
/// - Throws: a ``CompressionError`` for each kind of defect.
package func inflateRaw(_ compressed: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
  let result: Result<ContiguousArray<UInt8>, CompressionError> = unsafe compressed.withUnsafeBytes {
    input in
    do throws(CompressionError) {
      return .success(try unsafe inflateRaw(input, limit: limit))
    } catch {
      return .failure(error)
    }
  }
  return Array(try result.get())
}

/// Inflates a whole raw deflate stream (RFC 1951, no header) that must end with the input.
///
/// - Throws: a ``CompressionError`` for each kind of defect.
package func inflateRaw(
  _ input: UnsafeRawBufferPointer, limit: Int
) throws(CompressionError) -> ContiguousArray<UInt8> {
  var stream = unsafe z_stream()
  guard
    unsafe inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { throw .outOfMemory }
  defer { unsafe inflateEnd(&stream) }
  var output = ContiguousArray<UInt8>(repeating: 0, count: min(limit, max(1024, input.count &* 3)))
  var produced = 0
  unsafe stream.next_in = unsafe UnsafeMutablePointer(
    mutating: input.bindMemory(to: UInt8.self).baseAddress)
  unsafe stream.avail_in = UInt32(clamping: input.count)
  while true {
    let status: Int32 = unsafe output.withUnsafeMutableBufferPointer { buffer in
      let space = buffer.count - produced
      unsafe stream.next_out = unsafe buffer.baseAddress?.advanced(by: produced)
      unsafe stream.avail_out = UInt32(clamping: space)
      let status = unsafe inflate(&stream, Z_NO_FLUSH)
      produced += unsafe min(space, Int(UInt32.max)) - Int(stream.avail_out)
      return status
    }
    if status == Z_STREAM_END { break }
    guard status == Z_OK || status == Z_BUF_ERROR else { throw .damaged }
    if produced == output.count {
      guard output.count < limit else { throw .limitExceeded(limit) }
      let grown = min(limit, output.count * 2)
      output.append(contentsOf: repeatElement(0, count: grown - output.count))
    } else if unsafe stream.avail_in == 0 {
      throw .truncated
    }
  }
  let rest = unsafe Int(stream.avail_in)
  guard rest == 0 else { throw .trailingBytes(rest) }
  output.removeSubrange(produced...)
  return output
}
