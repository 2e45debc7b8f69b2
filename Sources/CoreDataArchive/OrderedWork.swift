internal import Dispatch
internal import Synchronization

/// A piece of work that needs nothing from outside while it runs.
package protocol BlockWork: ~Copyable, SendableMetatype {
  /// Does the work; its result, including an error, stays inside.
  mutating func run()
}

/// Runs pieces of work on other threads and returns them in the order of submission.
///
/// Only this type and ``PendingDigest`` have locks in this module. The slots form a ring. Each holds a piece of
/// work behind its own lock, for which no one ever waits long: the owner fills a slot, submits it,
/// and accesses it again only after the slot's semaphore signaled that it is done.
///
///     oldest              free
///       │                  │
///     [done] [running] [ filling ] [free]       ring of slots
///       └── in flight ──┘
///
/// Threads are borrowed from Dispatch while there is work and never wait for anything, so any number of
/// these objects can exist at once. Dispatch lends as many as there are processors; the owner, who would
/// keep one of them from working by waiting, does work itself instead that no thread has started.
package struct OrderedWork<Work: BlockWork & ~Copyable> {
  private let runner: Runner
  private var oldest = 0
  /// The count of pieces that were submitted and not released.
  package private(set) var inFlight = 0
  private var oldestIsDone = false

  /// The count of slots.
  package var slotCount: Int { runner.slots.count }
  /// Whether no slot is free.
  package var isFull: Bool { inFlight == slotCount }

  /// Creates the ring.
  ///
  /// - Parameters:
  ///   - threads: the number of threads; with 0, ``submit()`` does the work itself.
  ///   - slots: the number of pieces that exist at once, at least 1.
  ///   - make: makes the piece for one slot.
  /// - Throws: errors from `make`.
  package init<E: Error>(
    threads: Int, slots: Int, make: () throws(E) -> sending Work
  ) throws(E) {
    var made: [Slot] = []
    for _ in 0..<max(1, slots) { made.append(Slot(try make())) }
    runner = Runner(threads: threads, slots: made)
  }

  /// Gives access to the slot that is submitted next.
  ///
  /// - Precondition: not ``isFull``.
  package func withFree<Result: Sendable, E: Error>(
    _ body: (inout sending Work) throws(E) -> sending Result
  ) throws(E) -> Result {
    precondition(!isFull, "no slot is free")
    return try runner.slots[(oldest + inFlight) % slotCount].work.withLock(body)
  }

  /// Starts the work in the free slot.
  package mutating func submit() {
    precondition(!isFull, "no slot is free")
    runner.start((oldest + inFlight) % slotCount)
    inFlight += 1
  }

  /// Waits for the piece that was submitted first and gives access to it; it stays in flight.
  ///
  /// - Precondition: something is in flight.
  package mutating func withOldest<Result: Sendable, E: Error>(
    _ body: (inout sending Work) throws(E) -> sending Result
  ) throws(E) -> Result {
    precondition(inFlight > 0, "nothing is in flight")
    if !oldestIsDone {
      runner.finish(oldest)
      oldestIsDone = true
    }
    return try runner.slots[oldest].work.withLock(body)
  }

  /// Makes the slot of the piece that was submitted first free again.
  ///
  /// - Precondition: ``withOldest(_:)`` was called for it.
  package mutating func releaseOldest() {
    precondition(oldestIsDone, "the piece is still running")
    oldest = (oldest + 1) % slotCount
    inFlight -= 1
    oldestIsDone = false
  }
}

extension OrderedWork where Work: ~Copyable {
  /// One piece of work and whether it is done.
  fileprivate final class Slot: Sendable {
    let work: Mutex<Work>
    let done = DispatchSemaphore(value: 0)

    init(_ work: consuming sending Work) { self.work = Mutex(work) }
  }

  /// The work waiting for a thread.
  fileprivate struct Backlog: Sendable {
    var waiting: [Int] = []
    var running = 0

    mutating func takeFirst() -> Int? { waiting.isEmpty ? nil : waiting.removeFirst() }
  }

  /// Hands slots to threads.
  fileprivate final class Runner: Sendable {
    let slots: [Slot]
    private let threads: Int
    private let backlog = Mutex(Backlog())
    private let queue = DispatchQueue(label: "coffer.blocks", attributes: .concurrent)

    init(threads: Int, slots: [Slot]) {
      self.threads = threads
      self.slots = slots
    }

    func start(_ slot: Int) {
      if threads == 0 { return run(slot) }
      let needsThread = backlog.withLock { backlog in
        backlog.waiting.append(slot)
        guard backlog.running < threads else { return false }
        backlog.running += 1
        return true
      }
      if needsThread { queue.async { [self] in runBacklog() } }
    }

    /// Waits until the work in a slot is done, and meanwhile does other pending work.
    func finish(_ slot: Int) {
      while slots[slot].done.wait(timeout: .now()) == .timedOut {
        guard let waiting = backlog.withLock({ $0.takeFirst() }) else {
          return slots[slot].done.wait()
        }
        run(waiting)
      }
    }

    private func runBacklog() {
      while let slot = next() { run(slot) }
    }

    private func next() -> Int? {
      backlog.withLock { backlog in
        let slot = backlog.takeFirst()
        if slot == nil { backlog.running -= 1 }
        return slot
      }
    }

    private func run(_ slot: Int) {
      slots[slot].work.withLock { $0.run() }
      slots[slot].done.signal()
    }
  }
}
