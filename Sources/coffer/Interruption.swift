internal import Dispatch
internal import POSIX

/// Turns the signals that ask the program to end into a call, and makes a closed pipe and a file that
/// becomes too large errors.
///
/// The signals are watched for as long as the value lives.
struct Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Begins to watch for signals.
  ///
  /// - Parameter onSignal: called for every signal, on a thread of its own choice.
  init(_ onSignal: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let queue = DispatchQueue(label: "interruption")
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      let former = signal(number, SIG_IGN)
      // Started by nohup, the program is to outlive its terminal.
      if number == SIGHUP, Self.isIgnoring(former) { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: onSignal)
      source.resume()
      return source
    }
  }

  /// Ends the watch.
  func end() {
    for source in sources { source.cancel() }
  }

  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
