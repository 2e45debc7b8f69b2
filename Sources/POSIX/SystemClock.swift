/// The clocks of the system, and waiting.
package enum SystemClock {
  /// Seconds of a monotonic clock.
  package static var monotonicSeconds: Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Nanoseconds of a monotonic clock that may lag by some milliseconds but costs almost nothing.
  package static var coarseNanoseconds: Int64 {
    var now = timespec()
    #if canImport(Darwin)
      unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &now)
    #else
      unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    #endif
    return FileState.nanoseconds(now)
  }

  /// Nanoseconds of processor time that this thread has used.
  package static var threadNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return FileState.nanoseconds(now)
  }

  /// Nanoseconds of processor time that this process has used.
  package static var processNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return FileState.nanoseconds(now)
  }

  /// The difference between local time and UTC at a time, in seconds, by the rules of `TZ` or the system.
  package static func secondsFromGMT(at secondsSince1970: Int64) -> Int64 {
    var seconds = time_t(secondsSince1970)
    var local = unsafe tm()
    tzset()
    return unsafe localtime_r(&seconds, &local) == nil ? 0 : Int64(local.tm_gmtoff)
  }

  /// Nanoseconds since 1970, by the clock for file time stamps.
  package static var fileNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return FileState.nanoseconds(now)
  }

  /// Waits.
  ///
  /// Returns immediately if the time is not positive.
  package static func pause(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var time = timespec()
    time.tv_sec = .init(clamping: nanoseconds / 1_000_000_000)
    time.tv_nsec = .init(clamping: nanoseconds % 1_000_000_000)
    unsafe nanosleep(&time, nil)
  }
}

/// Facts about this process.
package enum ProcessFacts {
  /// The number of processors that this process can use, at most 4.
  package static var processorCount: Int {
    min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// Whether the address space of the process is limited, as by `ulimit -v`.
  package static var hasLimitedMemory: Bool {
    var limit = rlimit()
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
      let kind = RLIMIT_AS
    #endif
    return unsafe getrlimit(kind, &limit) == 0 && limit.rlim_cur < 1 << 46
  }

  /// Whether the process can open a number of further files.
  package static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { _ = close(descriptor) } }
    while opened.count < count {
      let descriptor = dup(2)
      guard descriptor >= 0 else { return errno != EMFILE }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether the process can take a number of further bytes of address space.
  package static func canTake(_ size: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = unsafe mmap(nil, size, PROT_NONE, flags, -1, 0), unsafe memory != MAP_FAILED
    else { return false }
    unsafe munmap(memory, size)
    return true
  }

  /// Whether the process runs as root.
  package static var isRoot: Bool { geteuid() == 0 }
}
