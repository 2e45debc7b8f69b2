internal import Foundation
internal import Synchronization

/// Ends the process when one input takes too much time of the processor.
///
/// The clock on the wall would find endless runs on every busy machine.
final class Watchdog: Sendable {
  /// The status of a process that was ended.
  static let endless: Int32 = 78

  private let current = Atomic<Int>(-1)
  private let limit: Double

  /// Starts to watch.
  ///
  /// - Parameter seconds: how much time an input may take.
  init(seconds: Double) {
    limit = seconds
    let thread = Thread { [self] in watch() }
    thread.start()
  }

  /// An input begins.
  func begin(_ number: Int) { current.store(number, ordering: .relaxed) }

  /// No more inputs come.
  func end() { current.store(-1, ordering: .relaxed) }

  private func watch() {
    var (last, since) = (-1, Self.processorTime)
    while true {
      Thread.sleep(forTimeInterval: 0.25)
      let number = current.load(ordering: .relaxed)
      if number != last || number < 0 { (last, since) = (number, Self.processorTime) }
      guard Self.processorTime - since > limit else { continue }
      let text = "does not end within \(Int(limit)) s of the processor's time\n"
      FileHandle.standardError.write(Data(text.utf8))
      exit(Self.endless)
    }
  }

  /// The seconds that this process has used; POSIX counts in millionths.
  private static var processorTime: Double { Double(clock()) / 1_000_000 }
}
