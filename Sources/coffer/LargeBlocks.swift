internal import POSIX

/// The memory of large blocks.
enum LargeBlocks {
  /// Gives blocks of 256 KiB or more back to the system as soon as they are free.
  ///
  /// The allocator of glibc keeps those of each thread, and so many megabytes that nobody uses. Other
  /// allocators have no such function, and nothing happens.
  static func giveBack() {
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    guard let function = unsafe dlsym(nil, "mallopt") else { return }
    // M_MMAP_THRESHOLD of malloc.h.
    _ = unsafe unsafeBitCast(function, to: Function.self)(-3, 256 << 10)
  }
}
