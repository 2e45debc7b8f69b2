/// An error while compressing or decompressing.
package enum CompressionError: Error, Sendable, Equatable {
  /// The stream contradicts its format (RFC 1951, RFC 8878).
  case damaged
  /// The stream ends too early.
  case truncated
  /// Bytes follow the end of the stream; their number.
  case trailingBytes(Int)
  /// The plain bytes exceed the caller's limit.
  case limitExceeded(Int)
  /// The stream needs more memory for its window than the caller allows.
  case windowExceeded
  /// The stream was compressed with a dictionary, which archives do not use.
  case dictionary
  /// The library could not allocate memory.
  case outOfMemory
  /// The program was built without zstd.
  case unavailable
}
