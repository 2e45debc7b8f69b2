/// The clocks of the system, and waiting.
package enum SystemClock {
  /// Seconds of a clock that nobody sets.
  package static var monotonicSeconds: Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// Nanoseconds since 1970, by the clock that stamps files.
  package static var fileNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return FileState.nanoseconds(now)
  }

  /// Waits; times that are not positive return at once.
  package static func pause(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var time = timespec()
    time.tv_sec = .init(clamping: nanoseconds / 1_000_000_000)
    time.tv_nsec = .init(clamping: nanoseconds % 1_000_000_000)
    unsafe nanosleep(&time, nil)
  }
}

/// What the process may use, and as whom it runs.
package enum ProcessFacts {
  /// The count of processors that this process can use, at most 4.
  package static var processorCount: Int {
    min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// Whether the process runs with the rights of root.
  package static var isRoot: Bool { geteuid() == 0 }
}
