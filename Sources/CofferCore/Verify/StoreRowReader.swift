internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Dispatch

/// Reads the tables of a store on its own threads, from the first row to the last, and passes on copies
/// of the rows, in order.
///
/// Tables are read in ranges, side by side, only once SQLite has found its pages sound: each range needs a
/// search for its beginning, which can lead elsewhere in a damaged tree of pages than the scan of a
/// verification with one thread. Until then one thread reads table after table.
final class StoreRowReader {
  /// The bytes of rows that may wait, for each thread.
  private static let budget = 1 << 20
  /// More threads would read faster than one takes the rows.
  private static let maxThreads = 2

  fileprivate typealias Queue = RangeQueue<Piece, Result<RowRangeEnd, any Error>>

  private let queue: Queue
  private let group = DispatchGroup()
  /// The first and the last number of a table; nil if it has none, or cannot be divided.
  private let bounds: (TableSource) -> ClosedRange<Int64>?
  private let sources: [TableSource]
  private let isSound: @Sendable () -> Bool
  private var division = RowDivision()

  /// Begins to read; nil where that does not pay, or where no other connection sees the same state.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - sources: its tables.
  ///   - options: the number of other threads, and the size of a store from which on they pay.
  ///   - isSound: whether SQLite is done with the pages, and has found nothing.
  convenience init?(
    _ store: PersistentStore, _ sources: [TableSource], _ options: VerificationOptions,
    isSound: @escaping @Sendable () -> Bool
  ) {
    guard options.threads > 0, store.byteCount >= options.smallestDividedStore else { return nil }
    let connections = store.openConnections(upTo: min(options.threads, Self.maxThreads))
    self.init(connections, sources, isSound: isSound) { source in
      try? store.use { database throws(CofferError) in try database.numberBounds(of: source.plan) }
    }
  }

  /// Begins to read; nil without connections.
  ///
  /// - Parameters:
  ///   - connections: read the same state, each with its own thread; they are closed at the end.
  ///   - sources: the tables.
  ///   - isSound: whether the pages are known to be sound.
  ///   - bounds: finds the first and the last number of a table; nil if it has none, or cannot be divided.
  init?(
    _ connections: [SQLiteConnection], _ sources: [TableSource],
    isSound: @escaping @Sendable () -> Bool,
    bounds: @escaping (TableSource) -> ClosedRange<Int64>?
  ) {
    if connections.isEmpty { return nil }
    (self.bounds, self.sources, self.isSound) = (bounds, sources, isSound)
    queue = Queue(threads: connections.count, budget: Self.budget * connections.count)
    queue.start(connections, in: group) { [queue] database in
      var worker = RowRangeWorker(queue: queue, database: database, isSound: isSound)
      while let job = queue.next() { queue.end(job, .success(Result { try worker.run(job) })) }
    }
  }

  deinit {
    queue.stop()
    group.wait()
  }

  /// Passes the rows of a table on; tables come in order.
  func read(table: Int, _ body: (CopiedRows) throws -> Void) throws {
    division.begin(table)
    while true {
      submit()
      switch try queue.take() {
      case .piece(let piece, let job, _):
        // The rest of an abandoned table is of no use.
        if job.table == table { try body(piece.rows) }
        piece.rows.removeAll()
        queue.reuse(piece)
      case .end(let outcome, let job):
        guard job.table == table else { continue }
        let isLast = division.take(try outcome.get(), of: job.range) { bounds(job.source) }
        if isLast { return }
      }
    }
  }

  /// Assigns ranges to the threads as long as the next ones are known.
  private func submit() {
    while !queue.isFull, division.table < sources.count {
      let (table, source) = (division.table, sources[division.table])
      guard let range = division.next(isSound: isSound(), bounds: { bounds(source) }) else {
        return
      }
      queue.submit(Queue.Job(table: table, source: source, range: range))
    }
  }

}

/// Reads ranges on a separate thread.
private struct RowRangeWorker {
  let queue: StoreRowReader.Queue
  let database: SQLiteDatabase
  let isSound: @Sendable () -> Bool
  /// The table of the latest range with bounds, and its rows.
  var latest: (table: Int, rows: StoreRows)?

  mutating func run(_ job: StoreRowReader.Queue.Job) throws -> RowRangeEnd {
    let rows = try rows(of: job)
    let mayEndEarly = job.range.numbers == nil && !isSound()
    var (piece, count, end) = (Piece(), 0, RowRangeEnd())
    do {
      while try piece.rows.append(from: rows, upTo: Piece.size) {
        count += piece.rows.count
        end.byteCount += piece.byteCount
        let number = rows.number
        piece = try queue.deliver(piece, of: job, rowCount: count) ?? Piece()
        if mayEndEarly, let number, isSound() {
          end.last = number
          return end
        }
      }
    } catch {
      // The rows read before remain valid.
      count += piece.rows.count
      if piece.byteCount > 0 { _ = try queue.deliver(piece, of: job, rowCount: count) }
      throw error
    }
    count += piece.rows.count
    end.byteCount += piece.byteCount
    if piece.byteCount > 0 { _ = try queue.deliver(piece, of: job, rowCount: count) }
    return end
  }

  /// The rows of a range, at its beginning.
  private mutating func rows(of job: StoreRowReader.Queue.Job) throws -> StoreRows {
    let row = { Row(columnCount: job.source.shape.fields.count) }
    guard let numbers = job.range.numbers else {
      return try StoreRows(job.source, into: row(), database: database)
    }
    if let (table, rows) = latest, table == job.table {
      rows.ask(for: numbers)
      return rows
    }
    latest = nil
    var source = job.source
    source.plan = source.plan.limited(to: numbers)
    let rows = try StoreRows(source, into: row(), database: database)
    latest = (job.table, rows)
    return rows
  }
}

/// Some rows that one thread copies, another takes, and the first fills again.
///
/// A class: a value with a second owner, however briefly, would be emptied into new memory. The queue hands
/// it over, so only one thread has it at a time.
private final class Piece: RangePiece, @unchecked Sendable {
  /// The bytes of rows that are handed over together.
  static let size = 256 << 10

  var rows = CopiedRows(reserving: Piece.size)

  var byteCount: Int { rows.byteCount }
  var usedMemory: Int { max(Piece.size, byteCount) }
}
