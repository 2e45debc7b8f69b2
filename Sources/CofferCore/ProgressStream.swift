/// The progress of one piece of work as an asynchronous sequence.
///
/// ```swift
/// let progress = ProgressStream()
/// async let summary = StoreExporter(progress: progress).export(storeAt: store, to: archive)
/// for await state in progress { show(state) }
/// print(try await summary.objectCount)
/// ```
///
/// Newer states replace those that the reader has not taken yet, so a slow reader does not delay
/// the work; the last state is always delivered. The sequence ends with the work. It is for one
/// piece of work and one reader. If you use a synchronous function, call ``finish()`` after it
/// returns.
public struct ProgressStream: ProgressReporter, AsyncSequence {
  private let states: AsyncStream<WorkProgress>
  private let continuation: AsyncStream<WorkProgress>.Continuation

  /// Creates a stream for one piece of work.
  public init() {
    (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Delivers a state, which replaces one that was not taken yet.
  public func report(_ progress: WorkProgress) { continuation.yield(progress) }

  /// Ends the sequence.
  public func finish() { continuation.finish() }

  /// Creates the iterator; there can be only one reader.
  public func makeAsyncIterator() -> AsyncStream<WorkProgress>.Iterator {
    states.makeAsyncIterator()
  }
}
