// The system's C library, for every module that imports this one; nothing else names it.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif

/// `open`, which takes its third argument as a variadic one in C.
func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

/// `read`, by a name that no function of ours has.
func readBytes(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, room.baseAddress, room.count)
}

/// `write`, by a name that no function of ours has.
func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// `close`, by a name that no function of ours has.
func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
