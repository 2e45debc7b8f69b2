internal import CoreDataArchive
internal import CoreDataLayout

/// Passes the rows of one part of an archive to the visitors.
///
/// An unreadable line is a finding, and the next one is read.
struct PartVerification {
  private let part: ArchivePart
  private let table: TableVerification
  private let context: VerificationContext
  private let limits: ArchiveLimits
  /// The columns of a pair's two keys, in the order of the table.
  private let pairColumns: [Int]
  /// Whether the table is one of the few that describe the store, not objects.
  private let isAdministration: Bool

  /// Tries the rows in a table; nil if they need no trial.
  var trial: RowTrial?
  /// Checks where the parts of the table end; nil if that is not to be checked.
  var ends: PartEnds?

  /// The number of the line that was taken last.
  private var line = 0
  private var rowCount = 0
  /// The number of unreadable lines, including earlier parts.
  var invalidCount = 0
  /// Whether the rest of a part was skipped, here or in an earlier part.
  var gaveUp = false
  /// The number of short lines, including earlier parts.
  var shortLineCount = 0
  private var lastPair: (Int64, Int64)?
  private var firstKey: Int64?
  private var lastKey: Int64?
  /// The number of objects read, by the index of their entity, or by the number of an unknown
  /// entity.
  private var known: ContiguousArray<Int>
  private var others: [Int64: Int] = [:]

  init(
    _ part: ArchivePart, into table: TableVerification, context: VerificationContext,
    limits: ArchiveLimits
  ) {
    self.part = part
    self.table = table
    self.context = context
    self.limits = limits
    known = ContiguousArray(repeating: 0, count: context.entities.count)
    isAdministration = part.table.isAdministration
    pairColumns = [FieldRole.source, .destination].compactMap(table.table.column).sorted()
  }

  private var place: ArchivePlace {
    ArchivePlace(path: context.subject.place, entry: part.entry.name, limits: limits)
  }

  /// The attributes that the index should have for the part.
  var attributes: ArchiveEntryAttributes {
    guard part.table.kind == .entity else { return ArchiveEntryAttributes(rows: rowCount) }
    var objects = others
    for (index, count) in known.enumerated() where count > 0 {
      guard let number = context.entities.number(UInt16(clamping: index)) else { continue }
      objects[number, default: 0] += count
    }
    return ArchiveEntryAttributes(
      objects: objects, context.subject.layout.entities, firstKey: firstKey, lastKey: lastKey)
  }

  func begin() throws { try report(ends?.begin(part.entry.name)) }

  /// Takes the next rows.
  ///
  /// - Returns: false if the rest of the part is skipped.
  /// - Throws: `archive-limit`, errors from the visitors and the closure; never for an invalid
  ///   line.
  mutating func take(
    _ rows: DecodedRows, _ body: ([OutOfLineValue]) throws -> Void
  ) throws -> Bool {
    shortLineCount += rows.shortLineCount
    try place.requireFewShortLines(shortLineCount)
    return try rows.lend { lent in try take(rows, lent, body) }
  }

  private mutating func take(
    _ rows: DecodedRows, _ lent: borrowing DecodedRows.Lent,
    _ body: ([OutOfLineValue]) throws -> Void
  ) throws -> Bool {
    var (failure, extra) = (0, 0)
    // Looked up once, and not kept for each row.
    let (table, cells, ends, trial) = (table, table.cells, ends, trial)
    for row in rows.rows.indices {
      guard try lose(&failure, before: row, of: rows) else { return false }
      line += 1
      var values: [OutOfLineValue] = []
      if extra < rows.extras.count, rows.extras[extra].row == row {
        values = rows.extras[extra].outOfLineValues
        extra += 1
      }
      cells.clearBindings()
      cells.areTextsValid = rows.areTextsValid
      lent.bind(row, values, to: cells)
      try table.takeRow()
      try count(cells)
      if let ends {
        let end = PartEnds.Position(rows.rows[row])
        try report(ends.take(cells, end, line: line))
      }
      if let trial { try attempt(trial) }
      if isAdministration || !values.isEmpty { try body(values) }
    }
    return try lose(&failure, before: rows.rows.count, of: rows)
  }

  /// Reports the lines before a row that could not be read; returns false if there are too many.
  private mutating func lose(
    _ next: inout Int, before row: Int, of rows: DecodedRows
  ) throws -> Bool {
    while next < rows.failures.count, rows.failures[next].row <= row {
      let error = rows.failures[next].error
      next += 1
      line += 1
      guard error.limit == nil else { throw error.archiveError(line: line, in: place) }
      ends?.lose()
      invalidCount += 1
      guard invalidCount <= maxInvalid else {
        try giveUp()
        return false
      }
      try context.report(
        .archiveInvalidLine, of: part.table.entityName,
        try ArchiveDefect(error, line: line, of: part.table, in: place).finding)
    }
    return true
  }

  /// Reports that parts end elsewhere than the rule says, if they do.
  private func report(_ unusual: String?) throws {
    guard let unusual else { return }
    try context.report(.archiveUnusualParts, entityName: part.table.entityName, detail: unusual)
  }

  /// The maximum number of invalid lines to try: ten times the number of reported lines.
  private var maxInvalid: Int {
    let most = limits.findings.multipliedReportingOverflow(by: 10)
    return most.overflow ? .max : most.partialValue
  }

  /// Gives up the rest of the part, and says so once.
  private mutating func giveUp() throws {
    guard !gaveUp else { return }
    gaveUp = true
    try context.insist(
      Finding(
        .archiveInvalidLine, entityName: part.table.entityName,
        detail:
          "\(part.entry.name): more than \(maxInvalid) lines cannot be read; from line \(line) "
          + "on, parts are read only up to their first such line"))
  }

  private mutating func count(_ cells: Row) throws {
    rowCount += 1
    if isAdministration { try place.requireFewRows(rowCount) }
    guard case .entity = part.table.kind else {
      if case .relationship = part.table.kind { try comparePair() }
      return
    }
    let entity = Int(cells.entity)
    if entity < known.count {
      known[entity] &+= 1
    } else {
      others[cells.entityNumber ?? 0, default: 0] += 1
    }
    guard let key = cells.primaryKey else { return }
    if let lastKey, key < lastKey {
      try context.report(
        .archiveWrongOrder, objectID: context.objectID(cells, in: table.table),
        detail: "\(part.entry.name): line \(line)")
    }
    firstKey = min(firstKey ?? key, key)
    lastKey = max(lastKey ?? key, key)
  }

  /// Compares a pair with the previous one: pairs ascend, and none is repeated.
  private mutating func comparePair() throws {
    guard let first = pairColumns.first, let second = pairColumns.last,
      let pair = table.cells.integer(first).flatMap({ first in
        table.cells.integer(second).map { (first, $0) }
      })
    else { return }
    if let lastPair, pair <= lastPair {
      let isSame = pair == lastPair
      try context.report(
        isSame ? .archiveInvalidLine : .archiveWrongOrder, entityName: part.table.entityName,
        detail: "\(part.entry.name): line \(line)\(isSame ? ": the pair comes twice" : "")")
    }
    lastPair = pair
  }

  /// Tries a row in a table with the rows before it.
  private func attempt(_ trial: RowTrial) throws {
    guard let objection = try trial.objection(to: table.cells) else { return }
    try context.report(
      .archiveInvalidLine, of: part.table.entityName,
      Finding(
        .archiveInvalidLine, entityName: part.table.entityName,
        objectID: context.objectID(table.cells, in: table.table),
        detail: "\(part.entry.name): line \(line): \(objection)"))
  }
}
