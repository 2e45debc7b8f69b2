internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Dispatch

/// Reads the tables of a store on a thread of its own, from the first row to the last, and hands copies of
/// the rows over, in order.
///
/// One thread reads: tables that are read in ranges would need a search for the beginning of each, which can
/// lead elsewhere in a damaged tree of pages than the scan of a verification with one thread.
final class StoreRowReader {
  /// The bytes of rows that may wait.
  private static let budget = 1 << 20

  private typealias Queue = RangeQueue<Piece, Result<Void, any Error>>

  private let queue = Queue(threads: 1, budget: StoreRowReader.budget)
  private let group = DispatchGroup()

  /// Begins to read; nil where that does not pay, or where no other connection sees the same state.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - sources: its tables.
  ///   - options: say whether there may be another thread, and from which size on it pays.
  init?(_ store: PersistentStore, _ sources: [TableSource], _ options: VerificationOptions) {
    guard options.threads > 0, store.byteCount >= options.smallestDividedStore,
      let connection = store.openBeside(1).first
    else { return nil }
    for (table, source) in sources.enumerated() {
      queue.submit(Queue.Job(table: table, source: source, range: RowRange()))
    }
    DispatchQueue(label: "coffer.rows").async(group: group) { [queue] in
      connection.use { database in
        database.interruptible(by: queue.signal) { database in
          while let job = queue.next() {
            queue.end(job, .success(Result { try Self.read(job, database, to: queue) }))
          }
        }
      }
      try? connection.close()
    }
  }

  deinit {
    queue.stop()
    group.wait()
  }

  /// Passes the rows of a table on; tables come in order.
  ///
  /// - Parameters:
  ///   - table: its position.
  ///   - body: receives some rows.
  /// - Throws: `CofferError` if the table becomes unreadable, after the rows before; errors from the body;
  ///   `CancellationError`.
  func read(table: Int, _ body: (CopiedRows) throws -> Void) throws {
    while true {
      switch try queue.take() {
      case .piece(let piece, let job, _):
        // What is left of a table that was given up is of no use.
        if job.table == table { try body(piece.rows) }
        piece.rows.removeAll()
        queue.reuse(piece)
      case .end(let outcome, let job):
        guard job.table == table else { continue }
        return try outcome.get()
      }
    }
  }

  /// Reads a table.
  private static func read(
    _ job: Queue.Job, _ database: SQLiteDatabase, to queue: Queue
  ) throws {
    let row = Row(columnCount: job.source.shape.fields.count)
    let rows = try StoreRows(job.source, into: row, database: database)
    var (piece, count) = (Piece(), 0)
    do {
      while try rows.next() {
        piece.rows.append(row)
        count += 1
        guard piece.byteCount >= Piece.size else { continue }
        piece = try queue.deliver(piece, of: job, rowCount: count) ?? Piece()
      }
    } catch {
      // What was read before remains valid.
      if piece.byteCount > 0 { _ = try queue.deliver(piece, of: job, rowCount: count) }
      throw error
    }
    if piece.byteCount > 0 { _ = try queue.deliver(piece, of: job, rowCount: count) }
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
}
