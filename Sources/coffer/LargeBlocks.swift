internal import POSIX

/// The memory of large blocks.
enum LargeBlocks {
  /// Returns blocks of 256 KiB or more to the system as soon as they are free, and smaller blocks once
  /// 128 KiB of them are free.
  ///
  /// The allocator of glibc keeps the free blocks of each thread: after the verification of a large store,
  /// many unused megabytes, while the next step of the command allocates its own. Other allocators have no
  /// such function, and nothing happens.
  static func giveBack() {
    // M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h.
    set(-3, 256 << 10)
    set(-1, 128 << 10)
  }

  /// Lets all threads share one arena if address space is scarce: otherwise glibc reserves 64 MiB for each
  /// thread.
  static func share() {
    // M_ARENA_MAX of malloc.h.
    set(-8, 1)
  }

  private static func set(_ parameter: Int32, _ value: Int32) {
    typealias Function = @convention(c) (Int32, Int32) -> Int32
    guard let function = unsafe dlsym(nil, "mallopt") else { return }
    _ = unsafe unsafeBitCast(function, to: Function.self)(parameter, value)
  }
}
