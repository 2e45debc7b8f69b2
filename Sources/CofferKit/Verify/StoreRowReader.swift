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
  /// The bytes of rows that are handed over together, and that may wait.
  private static let pieceSize = 256 << 10
  private static let budget = 1 << 20

  private typealias Queue = RangeQueue<DecodedRows, Result<Void, any Error>>

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
  func read(table: Int, _ body: (DecodedRows) throws -> Void) throws {
    while true {
      switch try queue.take() {
      case .piece(var rows, let job, _):
        // What is left of a table that was given up is of no use.
        if job.table == table { try body(rows) }
        rows.removeAll()
        queue.reuse(rows)
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
    var (piece, count) = (DecodedRows(), 0)
    do {
      while try rows.next() {
        piece.append(row)
        count += 1
        guard piece.byteCount >= pieceSize else { continue }
        // Given away: memory that has another owner is not used again.
        var full = DecodedRows()
        swap(&full, &piece)
        if let spare = try queue.deliver(consume full, of: job, rowCount: count) { piece = spare }
      }
    } catch {
      // What was read before remains valid.
      if !piece.rows.isEmpty { _ = try queue.deliver(piece, of: job, rowCount: count) }
      throw error
    }
    if !piece.rows.isEmpty { _ = try queue.deliver(piece, of: job, rowCount: count) }
  }
}

extension DecodedRows: RangePiece {
  var byteCount: Int {
    lines.count + cells.count * MemoryLayout<DecodedValue>.stride
      + rows.count * MemoryLayout<Row>.stride
  }
}
