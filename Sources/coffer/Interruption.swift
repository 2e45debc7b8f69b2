internal import Dispatch
internal import POSIX

/// Turns termination signals into a call, and a closed pipe or a file that grows too large into
/// errors.
///
/// Signals are observed for the lifetime of the value, or until ``end()``.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Starts to observe signals.
  ///
  /// - Parameter onSignal: called for every signal, on any thread.
  init(_ onSignal: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "interruption")
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      let former = signal(number, SIG_IGN)
      // A program started by nohup should outlive its terminal.
      if number == SIGHUP, Self.isIgnoring(former) { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: onSignal)
      source.resume()
      return source
    }
  }

  /// Stops observing signals.
  func end() {
    for source in sources { source.cancel() }
  }

  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
