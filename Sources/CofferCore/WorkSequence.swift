internal import Dispatch

/// The elements that work passes on, as an asynchronous sequence.
///
/// The work begins with the iteration, on its own thread, and waits while a slow reader has many
/// elements to take: memory stays bounded. It is canceled when the iteration is left, or its task canceled.
package struct WorkSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// Work that passes each element to a closure, whose error ends it.
  package typealias Work =
    @Sendable (_ receive: @escaping @Sendable (Element) throws -> Void) throws -> Void

  private let progress: any ProgressReporter
  private let work: Work

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - progress: notified when the work has ended.
  ///   - work: the work, which must notice the cancellation of its task.
  package init(_ progress: any ProgressReporter = SilentProgress(), _ work: @escaping Work) {
    (self.progress, self.work) = (progress, work)
  }

  /// Begins the work.
  package func makeAsyncIterator() -> Iterator { Iterator(progress, work) }

  /// One run of the work.
  package struct Iterator: AsyncIteratorProtocol {
    /// The number of elements that wait for the reader at most.
    package static var capacity: Int { 64 }

    private var elements: AsyncThrowingStream<Element, any Error>.Iterator
    /// Has a signal for each element that may still be passed on.
    private let room: DispatchSemaphore

    fileprivate init(_ progress: any ProgressReporter, _ work: @escaping Work) {
      // A semaphore must not be released with less than it was made with.
      let room = DispatchSemaphore(value: 0)
      for _ in 0..<Self.capacity { room.signal() }
      self.room = room
      elements = AsyncThrowingStream { continuation in
        let task = Task {
          do {
            try await BackgroundWork.run(progress) {
              try work { element in
                room.wait()
                try Task<Never, Never>.checkCancellation()
                continuation.yield(element)
              }
            }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { _ in
          task.cancel()
          room.signal()
        }
      }.makeAsyncIterator()
    }

    /// The next element; nil at the end.
    ///
    /// - Throws: the error of the work; `CancellationError` if the task is canceled.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
      guard let element = try await elements.next(isolation: actor) else {
        // A stream ends without an error when its reader is canceled.
        try Task<Never, Never>.checkCancellation()
        return nil
      }
      room.signal()
      return element
    }
  }
}
