internal import CoreDataStore
internal import Dispatch
internal import Synchronization

/// The rows of a table between two that end their parts, so that it consists of whole parts.
package struct RowRange: Sendable, Equatable {
  /// The key of the last row of the range before; nil for the first range.
  package var before: [Int64]?
  /// The key of the last row; nil for the last range.
  package var last: [Int64]?

  /// The rows between two; all rows by default.
  package init(before: [Int64]? = nil, last: [Int64]? = nil) {
    (self.before, self.last) = (before, last)
  }
}

/// A piece of a range of rows that a thread delivers.
protocol RangePiece: Sendable {
  /// About the bytes of its content.
  var byteCount: Int { get }
  /// The approximate memory that it takes in bytes: the size of its largest content so far.
  var usedMemory: Int { get }
}

/// The ranges of rows that threads work on, and their results, in order.
///
/// One thread submits ranges and takes the results, range after range; the others each take the next range
/// and deliver its pieces. A thread that is ahead of the first incomplete range waits once the queue holds
/// too much. The thread with that range waits only until its own pieces are taken, so that one thread can
/// always continue.
final class RangeQueue<Piece: RangePiece, Outcome: Sendable>: Sendable {
  /// A range to work on.
  struct Job: Sendable {
    /// Its place in the order.
    fileprivate(set) var number = 0
    /// The table, by its position.
    let table: Int
    let source: TableSource
    let range: RowRange
  }

  /// The next delivery, in order.
  enum Delivery {
    /// A piece of a range, and the number of its rows so far.
    case piece(Piece, Job, rowCount: Int)
    /// A range is complete.
    case end(Outcome, Job)
  }

  /// A range on its way.
  private struct Track {
    let job: Job
    /// Wakes the thread that waits for room.
    let room = DispatchSemaphore(value: 0)
    var isWaiting = false
    var pieces: [(piece: Piece, rowCount: Int)] = []
    var byteCount = 0
    var outcome: Result<Outcome, any Error>?
  }

  private struct State {
    /// The ranges that are not complete, or not taken, in order.
    var tracks: [Track] = []
    /// The position of the next one to work on.
    var next = 0
    var first = 0
    /// The bytes of the pieces that lie here.
    var byteCount = 0
    /// The bytes of memory of those pieces, and of ``spare``.
    var usedMemory = 0
    var isStopped = false
    /// Pieces whose memory can be used again.
    var spare: [Piece] = []
  }

  private let state = Mutex(State())
  /// Counts the ranges to work on, and one for each thread at the end.
  private let work = DispatchSemaphore(value: 0)
  /// Signals that a piece of the first range has arrived.
  private let news = DispatchSemaphore(value: 0)
  private let threads: Int
  private let budget: Int
  /// Ends the statements of the threads.
  let signal = StopSignal()

  /// The time to wait between checks for cancellation.
  private let patience = DispatchTimeInterval.milliseconds(20)

  /// Creates a queue.
  ///
  /// Beyond the budget of bytes, threads wait.
  init(threads: Int, budget: Int) {
    self.threads = threads
    self.budget = budget
  }

  // MARK: The thread that puts everything in order

  /// Whether enough ranges are under way.
  var isFull: Bool { state.withLock { $0.tracks.count >= 3 * threads } }
  /// Whether no range is under way.
  var isEmpty: Bool { state.withLock { $0.tracks.isEmpty } }

  /// Adds a range behind all others.
  func submit(_ job: Job) {
    state.withLock { state in
      var job = job
      job.number = state.first + state.tracks.count
      state.tracks.append(Track(job: job))
    }
    work.signal()
  }

  /// Waits for the next piece of the first range.
  ///
  /// - Throws: the error of that range; `CancellationError`.
  func take() throws -> Delivery {
    while true {
      if let delivery = try available() { return delivery }
      if news.wait(timeout: .now() + patience) == .timedOut {
        try Task<Never, Never>.checkCancellation()
      }
    }
  }

  private func available() throws -> Delivery? {
    // A woken thread needs the lock, which must be free by then.
    var woken: [DispatchSemaphore] = []
    defer { for room in woken { room.signal() } }
    return try state.withLock { state in
      guard let job = state.tracks.first?.job else { return nil }
      if !state.tracks[0].pieces.isEmpty {
        let (piece, rowCount) = state.tracks[0].pieces.removeFirst()
        state.byteCount -= piece.byteCount
        state.usedMemory -= piece.usedMemory
        state.tracks[0].byteCount -= piece.byteCount
        woken = wake(&state)
        return .piece(piece, job, rowCount: rowCount)
      }
      guard let outcome = state.tracks[0].outcome else { return nil }
      state.tracks.removeFirst()
      state.first += 1
      state.next -= 1
      woken = wake(&state)
      return .end(try outcome.get(), job)
    }
  }

  /// The threads that have waited for space or for their turn, and can continue.
  private func wake(_ state: inout State) -> [DispatchSemaphore] {
    var woken: [DispatchSemaphore] = []
    for index in state.tracks.indices.prefix(threads + 1) where state.tracks[index].isWaiting {
      let byteCount = index == 0 ? state.tracks[0].byteCount : state.byteCount
      guard byteCount <= budget || state.isStopped else { continue }
      state.tracks[index].isWaiting = false
      woken.append(state.tracks[index].room)
    }
    return woken
  }

  /// Returns a piece whose memory can be reused.
  ///
  /// Its memory is kept while the waiting and kept pieces take no more than three times the budget: less would
  /// save memory, but getting new pages takes longer than filling them. The memory that they have ever used counts,
  /// because small pieces can reuse the memory of large ones.
  func reuse(_ piece: consuming Piece) {
    let piece = piece
    state.withLock { state in
      let usedMemory = state.usedMemory + piece.usedMemory
      guard usedMemory <= 3 * budget else { return }
      state.usedMemory = usedMemory
      state.spare.append(piece)
    }
  }

  /// Ends the work once all ranges are complete.
  func close() { for _ in 0..<threads { work.signal() } }

  /// Ends the work at once.
  func stop() {
    signal.give()
    state.withLock { state in
      state.isStopped = true
      for track in state.tracks where track.isWaiting { track.room.signal() }
    }
    close()
  }

  // MARK: The threads that work

  /// Starts a thread for each connection.
  ///
  /// The connections are closed when their threads end. The work takes ranges from the queue as long as there
  /// are some.
  func start(
    _ connections: [SQLiteConnection], in group: DispatchGroup,
    _ work: @escaping @Sendable (SQLiteDatabase) -> Void
  ) {
    for connection in connections {
      // A queue that is not concurrent has its own thread, however few processors there are.
      DispatchQueue(label: "coffer.ranges").async(group: group) { [signal] in
        connection.use { database in
          database.interruptible(by: signal) { database in
            // A thread that reads forward needs few pages at once.
            try? database.run("PRAGMA cache_size = -512")
            work(database)
          }
        }
        try? connection.close()
      }
    }
  }

  /// Waits for a range to work on; nil at the end.
  func next() -> Job? {
    work.wait()
    return state.withLock { state in
      guard !state.isStopped, state.next < state.tracks.count else { return nil }
      state.next += 1
      return state.tracks[state.next - 1].job
    }
  }

  /// Delivers a piece of a range, and waits for room.
  ///
  /// - Returns: a piece whose memory can be reused; nil if there is none.
  func deliver(_ piece: consuming Piece, of job: Job, rowCount: Int) throws -> Piece? {
    // Given away: memory that has another owner is not used again.
    try add(consume piece, of: job, rowCount: rowCount)?.wait()
    return try state.withLock { state in
      if state.isStopped { throw RangeQueueStopped() }
      let spare = state.spare.popLast()
      state.usedMemory -= spare?.usedMemory ?? 0
      return spare
    }
  }

  /// Adds a piece of a range; returns the signal to wait for, or nil if there is space for more.
  private func add(
    _ piece: consuming Piece, of job: Job, rowCount: Int
  ) throws -> DispatchSemaphore? {
    let piece = piece
    var isFirst = false
    defer { if isFirst { news.signal() } }
    return try state.withLock { state in
      if state.isStopped { throw RangeQueueStopped() }
      let index = job.number - state.first
      state.tracks[index].pieces.append((piece, rowCount))
      state.tracks[index].byteCount += piece.byteCount
      state.byteCount += piece.byteCount
      state.usedMemory += piece.usedMemory
      isFirst = index == 0
      guard (index == 0 ? state.tracks[0].byteCount : state.byteCount) > budget else { return nil }
      state.tracks[index].isWaiting = true
      return state.tracks[index].room
    }
  }

  func end(_ job: Job, _ outcome: Result<Outcome, any Error>) {
    let isFirst = state.withLock { state in
      let index = job.number - state.first
      guard state.tracks.indices.contains(index) else { return false }
      state.tracks[index].outcome = outcome
      return index == 0
    }
    if isFirst { news.signal() }
  }
}

/// The queue was stopped.
struct RangeQueueStopped: Error {}
