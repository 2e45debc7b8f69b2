internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Dispatch

/// Writes tables with several threads: each reads, encodes, compresses and hashes one range of rows
/// after the other, and the caller's puts the parts in order.
///
/// The archive has the same bytes as with one thread. A range begins after a row that ends its part, and
/// both sides of this boundary must have found the same next row: in a damaged tree of pages, a search
/// and a scan can disagree.
struct ParallelExport {
  /// The bytes of compressed parts beyond which threads that are ahead wait.
  private static func budget(threads: Int) -> Int { (2 + threads) << 19 }

  private let queue: ExportQueue
  private let group = DispatchGroup()
  private let writer: ArchiveWriter
  private let path: String
  private let witness: (any RowWitness)?
  /// The facts so far, by table.
  private var outcomes: [Int: RangeOutcome] = [:]

  /// Starts the threads.
  init(
    _ connections: [SQLiteConnection], entities: NumberedEntities, rule: PartRule,
    writer: ArchiveWriter, path: String, witness: (any RowWitness)?
  ) {
    let options = writer.options
    let queue = ExportQueue(
      threads: connections.count, budget: Self.budget(threads: connections.count))
    self.queue = queue
    self.writer = writer
    self.path = path
    self.witness = witness
    queue.start(connections, in: group) { database in
      var worker = RangeWorker(
        queue: queue, database: database, entities: entities, rule: rule, options: options)
      while let job = queue.next() { queue.end(job, Result { try worker.run(job) }) }
    }
  }

  /// Writes tables one after another.
  ///
  /// - Throws: the error of the first range that has one; errors from the closures;
  ///   `CancellationError`. All threads have ended by then.
  mutating func run(
    _ sources: [TableSource], _ entities: NumberedEntities, _ database: SQLiteDatabase,
    _ division: ExportDivision, progress: (Int, TableSource) -> Void,
    end: (RangeOutcome, TableSource) throws -> Void
  ) throws {
    defer {
      queue.stop()
      group.wait()
    }
    for (table, source) in sources.enumerated() {
      var planner = try RangePlanner(
        source, entities: entities, database: database, division: division)
      while let range = try planner.next() {
        while queue.isFull { try takeNext(progress, end) }
        queue.submit(ExportQueue.Job(table: table, source: source, range: range))
      }
    }
    while !queue.isEmpty { try takeNext(progress, end) }
  }

  private mutating func takeNext(
    _ progress: (Int, TableSource) -> Void, _ end: (RangeOutcome, TableSource) throws -> Void
  ) throws {
    switch try queue.take() {
    case .piece(var piece, let job, let rowCount):
      let before = outcomes[job.table, default: RangeOutcome()]
      piece.entries.addToPartNumbers(before.partCount)
      try writer.append(piece.entries)
      if let records = piece.records.take() { try witness?.take(records, of: job.source.shape) }
      queue.reuse(consume piece)
      progress(before.rowCount + rowCount, job.source)
      try Task<Never, Never>.checkCancellation()
    case .end(let outcome, let job):
      try join(outcome, job)
      guard job.range.last == nil else { return }
      try end(outcomes.removeValue(forKey: job.table) ?? RangeOutcome(), job.source)
    }
  }

  /// Adds the facts about a range to the sum of the previous ranges.
  private mutating func join(_ outcome: RangeOutcome, _ job: ExportQueue.Job) throws {
    var sum = outcomes[job.table, default: RangeOutcome()]
    guard job.range.before == nil || sum.behind == outcome.first else {
      throw CofferError.disorder(of: job.source.shape, path: path)
    }
    sum.add(outcome)
    outcomes[job.table] = sum
  }
}

private typealias ExportQueue = RangeQueue<ExportedPiece, RangeOutcome>

private struct ExportedPiece: RangePiece {
  var entries: CompressedEntries
  var records: RowRecords?

  var byteCount: Int { entries.byteCount + (records?.bytes.count ?? 0) }
  var usedMemory: Int { entries.usedMemory + (records?.bytes.count ?? 0) }
}

/// Writes ranges on a separate thread.
private struct RangeWorker: ~Copyable {
  let queue: ExportQueue
  let database: SQLiteDatabase
  let entities: NumberedEntities
  let rule: PartRule
  let options: ArchiveWriterOptions
  var outlet: RangeOutlet?
  var table: Int?
  var exporter: TableExporter?

  mutating func run(_ job: ExportQueue.Job) throws -> RangeOutcome {
    if outlet == nil { outlet = RangeOutlet(queue, try EntryCompressor(options)) }
    if table != job.table || exporter == nil {
      table = nil
      exporter = try TableExporter(job.source, entities: entities, database: database, rule: rule)
      table = job.table
    }
    guard let outlet else { throw RangeQueueStopped() }
    outlet.begin(job)
    let signal = queue.signal
    let outcome = try exporter?.run(
      job.range, to: outlet, record: { outlet.records = $0 }, progress: { _ in })
    if signal.isGiven { throw RangeQueueStopped() }
    return outcome ?? RangeOutcome()
  }
}

/// Compresses the parts of ranges and delivers them.
private final class RangeOutlet: PartSink {
  /// The bytes of a block, and of compressed parts and values that are delivered before they are complete.
  private static let pieceSize = ArchiveLimits.blockSize

  private let queue: ExportQueue
  private var compressor: EntryCompressor
  private var job: ExportQueue.Job?
  private var rowCount = 0
  /// The records of the rows of the part that ends next.
  var records: RowRecords?

  init(_ queue: ExportQueue, _ compressor: consuming EntryCompressor) {
    self.queue = queue
    self.compressor = compressor
  }

  func begin(_ job: ExportQueue.Job) {
    self.job = job
    rowCount = 0
  }

  func beginEntry(
    _ name: NumberedEntryName, size: Int, attributes: ArchiveEntryAttributes
  ) throws(CofferError) {
    compressor.beginEntry(name, size: size, hasHeader: hasHeader(name), attributes: attributes)
  }

  func addEntry(
    _ name: NumberedEntryName, _ content: inout JSONBuffer, attributes: ArchiveEntryAttributes
  ) throws {
    try compressor.addEntry(
      name, &content, hasHeader: hasHeader(name), attributes: attributes, beforeBlock: makeRoom)
  }

  private func hasHeader(_ name: NumberedEntryName) -> Bool {
    job?.range.before == nil && !name.hasHeaderApart
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
      let end = min(start + Self.pieceSize, bytes.count)
      try makeRoom(&compressor, end - start)
      try unsafe compressor.write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
  }

  func endEntry() throws {
    try compressor.endEntry()
  }

  func endPart(rowCount: Int) throws {
    self.rowCount = rowCount
    try deliver(&compressor)
  }

  /// Delivers what was compressed if a block may not fit behind it: no buffer becomes larger than a block, so
  /// that each can take the next one.
  private func makeRoom(_ compressor: inout EntryCompressor, _ blockSize: Int) throws {
    if compressor.byteCount > 0, compressor.byteCount + blockSize > Self.pieceSize {
      try deliver(&compressor)
    }
  }

  private func deliver(_ compressor: inout EntryCompressor) throws {
    guard let job else { return }
    // The thread that writes the delivered content returns its memory.
    var spare = try queue.deliver(
      ExportedPiece(entries: compressor.take(), records: records.take()), of: job,
      rowCount: rowCount)
    compressor.reuse(spare.take()?.entries ?? CompressedEntries())
  }
}
