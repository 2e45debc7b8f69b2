import CofferCore
internal import Synchronization
import Testing

/// What work passes on can be read as a sequence, at the pace of its reader.
@Suite(.timeLimit(.minutes(1))) struct WorkSequenceTests {
  private struct Failure: Error {}

  /// Counts what work has passed on, and tells when the work has ended.
  private final class Watcher: ProgressReporter {
    let count = Mutex(0)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)

    func report(_ progress: WorkProgress) {}
    func finish() { end.finish() }
  }

  private func numbers(
    _ numbers: Range<Int>, _ watcher: Watcher, then error: (any Error)? = nil
  ) -> WorkSequence<Int> {
    WorkSequence(watcher) { receive in
      for number in numbers {
        try receive(number)
        watcher.count.withLock { $0 += 1 }
      }
      if let error { throw error }
    }
  }

  @Test func allElementsComeInOrder() async throws {
    var read: [Int] = []
    for try await number in numbers(0..<1_000, Watcher()) { read.append(number) }
    #expect(read == Array(0..<1_000))
  }

  @Test func anErrorFollowsTheElements() async throws {
    var read: [Int] = []
    await #expect(throws: Failure.self) {
      for try await number in numbers(0..<100, Watcher(), then: Failure()) { read.append(number) }
    }
    #expect(read == Array(0..<100))
  }

  @Test func workEndsWithItsReader() async throws {
    let watcher = Watcher()
    for try await number in numbers(0..<Int.max, watcher) where number == 9 { break }
    for await _ in watcher.ends {}
    #expect(watcher.count.withLock { $0 } <= 10 + WorkSequence<Int>.Iterator.capacity)
  }

  @Test func workEndsWithTheTaskOfItsReader() async throws {
    let watcher = Watcher()
    let task = Task {
      for try await _ in numbers(0..<Int.max, watcher) {}
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for await _ in watcher.ends {}
  }
}
