extension ContiguousArray<UInt8> {
  /// Passes the bytes to a closure; unlike `withUnsafeBytes`, it keeps the error's type.
  package func withBytes<Result, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(E) in
      try unsafe body(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Passes the bytes to a closure that may overwrite them; unlike `withUnsafeMutableBytes`, it
  /// keeps the error's type.
  package mutating func withMutableBytes<Result, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try unsafe withUnsafeMutableBufferPointer { buffer throws(E) in
      try unsafe body(UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
