internal import CoreDataLayout
internal import CoreDataStore
internal import Dispatch

/// Checks the references of rows on another thread while they are inserted.
///
/// It only shows that nothing is wrong: then the finished store need not be read again for it. Otherwise,
/// and if a key is no integer, which SQLite may convert, ``ReferenceChecks`` find out the details.
final class InsertedReferences {
  /// The number of values that are handed over together: few enough to be allocated quickly.
  private static let batchSize = 2500

  private let follower: Follower
  private let queue = DispatchQueue(label: "coffer.references")
  /// Limits the batches that wait.
  private let room = DispatchSemaphore(value: 4)
  /// The tables to follow, and the columns of their parameters.
  private let tables: [Name: (index: Int, columns: ContiguousArray<Int>, width: Int)]

  /// Begins to follow an import into the tables of a layout.
  init(_ checks: ReferenceChecks, _ layout: LayoutDocument) throws {
    let follower = Follower(checks)
    let followed = follower.run.context.tables.map { (Name($0.shape.folder), $0) }
    let verified = Dictionary(followed) { first, _ in first }
    var tables: [Name: (Int, ContiguousArray<Int>, Int)] = [:]
    for table in layout.tables {
      guard let found = verified[Name(table.folder)] else { continue }
      let columns = table.fields.map { found.column(named: $0.storedName) ?? -1 }
      let width = found.shape.fields.count + 1
      tables[Name(table.folder)] = (found.index, [-1] + columns + [-1], width)
    }
    self.tables = tables
    self.follower = follower
    try follower.run.prepare()
  }

  /// Takes rows that were inserted into a table.
  func take(_ rows: DecodedRows, of table: TableLayout) {
    guard let (index, columns, width) = tables[Name(table.folder)] else { return }
    let step = max(1, Self.batchSize / width)
    for start in stride(from: 0, to: rows.rows.count, by: step) where !follower.isDone.isGiven {
      let range = start..<min(start + step, rows.rows.count)
      guard let batch = CopiedRows(rows, range, columns: columns, width: width) else {
        return follower.isDone.give()
      }
      room.wait()
      queue.async { [follower, room] in
        follower.take(batch, of: index)
        room.signal()
      }
    }
  }

  /// Ends the rows: the rest is done meanwhile.
  func finish() {
    queue.async { [follower] in follower.finish() }
  }

  /// Waits for the result, after ``finish()``: whether all references are right.
  func areSound() -> Bool {
    queue.sync {}
    return follower.isSound
  }
}

/// The checks, and their state: once they have begun, only the queue touches them.
private final class Follower: @unchecked Sendable {
  let run: VerificationRun
  /// Given once it is known that the store must be read.
  let isDone: StopSignal
  private(set) var isSound = false
  private var current: TableVerification?
  private var next = 0

  init(_ checks: ReferenceChecks) {
    let isDone = StopSignal()
    self.isDone = isDone
    run = checks.makeRun { _ in isDone.give() }
  }

  deinit { run.context.releaseChecks() }

  func take(_ rows: CopiedRows, of table: Int) {
    attempt {
      guard table >= next || table == current?.table.index else {
        // Its rows are not all together.
        return isDone.give()
      }
      try begin(table)
      guard let current else { return }
      let hasKey = current.table.primaryKeyColumn != nil
      try rows.forEach(current.cells) {
        try current.takeRow()
        if hasKey, current.cells.primaryKey == nil { isDone.give() }
      }
    }
  }

  /// Begins a table, and the tables without rows before it.
  private func begin(_ table: Int) throws {
    while next <= table {
      try end()
      current = try run.begin(run.context.tables[next])
      next += 1
    }
  }

  private func end() throws {
    if let current { try run.end(current) }
    current = nil
  }

  func finish() {
    attempt {
      try begin(run.context.tables.count - 1)
      try end()
      run.rowsDone()
      _ = try run.finish(.store)
      isSound = !isDone.isGiven
    }
  }

  /// Does something unless the store must be read; if that fails, reading the store shows the error.
  private func attempt(_ body: () throws -> Void) {
    if isDone.isGiven { return }
    do { try body() } catch { isDone.give() }
  }
}
