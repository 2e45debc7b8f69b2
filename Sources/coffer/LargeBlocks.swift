internal import POSIX

/// The memory of large blocks.
enum LargeBlocks {
  /// Gives blocks of 256 KiB or more back to the system as soon as they are free, and smaller ones when
  /// 128 KiB of them are.
  ///
  /// The allocator of glibc keeps those of each thread, and so many megabytes that nobody uses: what the
  /// verification of a large store has freed, while the next step of the command takes its own. Other
  /// allocators have no such function, and nothing happens.
  static func giveBack() {
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    guard let function = unsafe dlsym(nil, "mallopt") else { return }
    let set = unsafe unsafeBitCast(function, to: Function.self)
    // M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h.
    _ = set(-3, 256 << 10)
    _ = set(-1, 128 << 10)
  }
}
