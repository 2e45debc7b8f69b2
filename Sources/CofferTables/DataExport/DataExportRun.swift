internal import CofferCore

/// A data export from its first table to its last, in any format.
struct DataExportRun<Source: RowSource, Writer: DataWriter> {
  private let source: Source
  private let plan: DataExportPlan
  private let writer: Writer
  private let values: DataValues
  private let rows: RowProgress
  private var written: [DataFile] = []

  init(
    _ source: Source, _ plan: DataExportPlan, writer: Writer, values: DataValues,
    progress: any ProgressReporter
  ) {
    self.source = source
    self.plan = plan
    self.writer = writer
    self.values = values
    let totals = plan.tables.filter { !$0.isPairs }.map { source.estimatedRowCount(of: $0.shape) }
    rows = RowProgress(
      progress,
      objectTotal: totals.reduce(0) { total, count in
        total.flatMap { total in count.map { total.addingReportingOverflow($0).partialValue } }
      })
  }

  /// Writes all tables; returns the written parts, in the order of the tables.
  mutating func complete() throws -> [DataFile] {
    for table in plan.tables { try write(table) }
    rows.finishPhase()
    return written
  }

  private mutating func write(_ table: ExportedTable) throws {
    var parts = PartFinder(table)
    var counts = [Int](repeating: 0, count: table.parts.count)
    var rowCount = 0
    try writer.begin(table)
    rows.report(0, of: table.shape)
    let cursor = try source.rows(of: table.shape)
    while try cursor.next() {
      rowCount &+= 1
      if rowCount & 0xfff == 0 {
        try Task<Never, Never>.checkCancellation()
        rows.report(rowCount, of: table.shape)
      }
      switch parts.part(of: cursor.row) {
      case .part(let part):
        counts[part] &+= 1
        try writer.write(cursor.row, part: part)
      case .leftOut: break
      case .unknown: values.note(.unknownEntity)
      }
    }
    try writer.end()
    rows.end(rowCount, of: table.shape)
    for (index, part) in table.parts.enumerated() where part.isWritten(counts[index]) {
      written.append(
        DataFile(
          fileName: writer.fileName(part: index), entityName: part.entityName,
          relationshipName: part.relationshipName, count: counts[index]))
    }
  }
}

extension DataPart {
  /// Whether a part has an output, given its number of rows: not for an abstract entity without
  /// objects, and not without rows if empty parts are skipped.
  func isWritten(_ count: Int) -> Bool { isChosen && (!skipsEmpty && !isAbstract || count > 0) }
}

/// Assigns rows to parts.
private struct PartFinder {
  enum Answer {
    case part(Int)
    /// The options exclude the row.
    case leftOut
    /// The row belongs to no entity of the table, or has no key.
    case unknown
  }

  private let isPairs: Bool
  private let keyColumn: Int?
  private let entityColumn: Int?
  private let numbers: Set<Int64>
  private let parts: [Int64: Int]
  private var last: (number: Int64, answer: Answer)?

  init(_ table: ExportedTable) {
    isPairs = table.isPairs
    keyColumn = table.keyColumn
    entityColumn = table.entityColumn
    numbers = Set(table.parts.compactMap(\.number))
    parts = table.partsByNumber
  }

  mutating func part(of row: Row) -> Answer {
    if isPairs { return .part(0) }
    if let keyColumn, row.integer(keyColumn) == nil { return .unknown }
    guard let entityColumn else {
      return numbers.count == 1 ? parts.values.first.map(Answer.part) ?? .leftOut : .unknown
    }
    guard let number = row.integer(entityColumn) else { return .unknown }
    if let last, last.number == number { return last.answer }
    let answer: Answer =
      parts[number].map(Answer.part) ?? (numbers.contains(number) ? .leftOut : .unknown)
    last = (number, answer)
    return answer
  }
}

/// Writes objects in one format; implement it to add a format.
///
/// The calls are ``begin(_:)``, any number of ``write(_:part:)``, and ``end()`` for each table,
/// then ``finish()``. ``write(_:part:)`` is called for every object and must not allocate.
protocol DataWriter: AnyObject {
  /// Prepares the parts of a table.
  func begin(_ table: ExportedTable) throws
  /// Writes the object or the pair of a row.
  func write(_ row: Row, part: Int) throws
  func end() throws
  /// The name of the file of a part of the current table.
  func fileName(part: Int) -> String
}
