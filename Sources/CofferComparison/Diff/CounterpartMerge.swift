internal import CofferCore

/// Reads two tables of objects with numbers side by side: the first in the order of its primary
/// keys, the second in the order of its counterparts.
///
/// A temporary file puts the rows of the second into that order.
struct CounterpartMerge<First: RowCursor, Second: RowCursor> {
  /// One of the tables.
  struct Side<Rows: RowCursor> {
    var rows: Rows
    /// The index of the table in its source.
    var table: Int
    var keyColumn: Int
  }

  private let first: Side<First>
  private let second: Side<Second>
  private let objects: MatchedObjects
  private let rows: RowComparison
  private let columnCount: Int
  private let temporaryFolder: String?

  /// The number of rows read on both sides.
  private(set) var counts = (first: 0, second: 0)
  private var read = 0

  init(
    _ first: Side<First>, _ second: Side<Second>, _ objects: MatchedObjects, _ rows: RowComparison,
    columnCount: Int, temporaryFolder: String?
  ) {
    self.first = first
    self.second = second
    self.objects = objects
    self.rows = rows
    self.columnCount = columnCount
    self.temporaryFolder = temporaryFolder
  }

  /// Passes all differing rows to a handler, and the number of rows so far to a closure from time
  /// to time.
  mutating func run(_ handler: inout some RowHandler, step: (Int) throws -> Void) throws {
    let spilled = SpilledRows(columnCount: columnCount, temporaryFolder: temporaryFolder)
    let order = RecordSorter(memory: 4 << 20, temporaryFolder: temporaryFolder)
    try spill(to: spilled, order, step)
    var next = try advance(&handler, step)
    try order.forEach { record in
      try spilled.read(.init(offset: Int(record.first), size: Int(record.second)))
      guard record.topic == 0 else { return try handler.add(spilled) }
      while let number = next, number < record.key {
        try handler.remove(first.rows)
        next = try advance(&handler, step)
      }
      guard next == record.key else { return try handler.add(spilled) }
      if try !rows.isSame(first.rows, spilled) { try handler.compare(first.rows, spilled) }
      next = try advance(&handler, step)
    }
    while next != nil {
      try handler.remove(first.rows)
      next = try advance(&handler, step)
    }
    try handler.finish()
    try step(read)
  }

  /// Writes the rows of the second table to a file and notes their order.
  private mutating func spill(
    to spilled: SpilledRows, _ order: RecordSorter, _ step: (Int) throws -> Void
  ) throws {
    while try second.rows.next() {
      counts.second += 1
      try count(step)
      let key = second.rows.row.integer(second.keyColumn)
      let place = try spilled.append(second.rows)
      var record = SortRecord(
        topic: 1, rank: 0, key: key ?? 0, first: Int64(place.offset), second: Int64(place.size))
      if let key,
        case .number(let number) = try objects.identity(
          of: key, in: second.table, on: .second)
      {
        record.topic = 0
        record.key = Int64(number)
      }
      try order.append(record)
    }
    try spilled.flush()
  }

  /// Moves to the next row of the first table with a number, and passes on rows without a number.
  ///
  /// - Returns: the number; nil at the end.
  private mutating func advance(
    _ handler: inout some RowHandler, _ step: (Int) throws -> Void
  ) throws -> Int64? {
    while try first.rows.next() {
      counts.first += 1
      try count(step)
      if let key = first.rows.row.integer(first.keyColumn),
        case .number(let number) = try objects.identity(of: key, in: first.table, on: .first)
      {
        return Int64(number)
      }
      try handler.remove(first.rows)
    }
    return nil
  }

  private mutating func count(_ step: (Int) throws -> Void) throws {
    read += 1
    if read & 0xfff == 0 { try step(read / 2) }
  }
}
