/// Threads of the system, which need neither Dispatch nor a file descriptor.
package enum SystemThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// - Parameter body: its work; it belongs to no task.
  /// - Throws: the system's error, such as `EAGAIN` without memory for it.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let number = unsafe pthread_create(
      &thread, nil,
      { (context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
        return nil
      }, work.toOpaque())
    guard number == 0 else {
      unsafe work.release()
      throw SystemError(number: number)
    }
    #if canImport(Darwin)
      if let thread = unsafe thread { _ = unsafe pthread_detach(thread) }
    #else
      _ = pthread_detach(thread)
    #endif
  }
}

/// Signals that wait until a thread takes them, in all threads that begin later.
@safe package struct HeldSignals: @unchecked Sendable {
  private var signals = sigset_t()

  /// Holds signals back.
  package init(_ numbers: [Int32]) {
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next one.
  package func next() -> Int32 {
    var (signals, number) = (signals, Int32(0))
    while unsafe sigwait(&signals, &number) != 0 {}
    return number
  }

  /// Whether this process ignores a signal.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
