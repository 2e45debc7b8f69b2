// The system's C library, for every module that imports this one. No other module imports it.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif

/// `open`, whose third argument is variadic in C.
func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

/// `read`, under a name that does not collide with our own functions.
func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// `write`, under a name that does not collide with our own functions.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// `close`, under a name that does not collide with our own functions.
func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
