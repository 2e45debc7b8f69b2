/// The progress of one piece of work as an asynchronous sequence.
///
/// ```swift
/// let progress = ProgressStream()
/// async let summary = StoreExporter(progress: progress).export(storeAt: store, to: archive)
/// for await state in progress { show(state) }
/// print(try await summary.objectCount)
/// ```
///
/// States that nobody takes are replaced by newer ones, so that a slow reader does not hold the work
/// up; the last state is always delivered. The sequence ends with the work. It is for one piece of work
/// and one reader. With a synchronous function, call ``finish()`` when it has returned.
public struct ProgressStream: ProgressReporter, AsyncSequence {
  private let states: AsyncStream<WorkProgress>
  private let continuation: AsyncStream<WorkProgress>.Continuation

  /// Creates a stream for one piece of work.
  public init() {
    (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Delivers a state in the place of one that was not taken yet.
  public func report(_ progress: WorkProgress) { continuation.yield(progress) }

  /// Ends the sequence.
  public func finish() { continuation.finish() }

  /// Begins to read; there can be only one reader.
  public func makeAsyncIterator() -> AsyncStream<WorkProgress>.Iterator {
    states.makeAsyncIterator()
  }
}
