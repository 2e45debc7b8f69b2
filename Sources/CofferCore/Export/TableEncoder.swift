internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The columns of a row's key; nil for one that is no integer.
typealias KeyNumbers = [Int64?]

/// Reads a table, or a range of its rows, part by part, and turns rows into lines and values.
///
/// A part stays in ``lines``, ``blobs`` and ``outOfLineValues`` until the next one begins.
struct TableEncoder: ~Copyable {
  let shape: TableLayout
  private let plan: RowPlan
  private let entities: NumberedEntities
  private let database: SQLiteDatabase
  private var statement: SQLiteStatement
  /// Whether the statement reads from a key on, and not from the first row.
  private var readsFromKey = false
  private var range = RowRange()
  private let plans: TablePlans
  /// The values of the current row: asking the statement for each of them would take longer.
  private let row: Row
  private let resultCount: Int
  /// Whether the table has objects, and whether its lines have row numbers.
  private let hasObjects, hasRowNumbers: Bool
  var encoder: LineEncoder
  /// The records of its rows; nil if they are not needed.
  var recorder: RowRecorder?

  private(set) var rowCount = 0
  private(set) var shortLineCount = 0
  /// The references to external files so far.
  var externalReferences: [ExternalReference] { encoder.externalReferences }
  /// The number of to-one relationships with a destination.
  var toOneCount: Int { encoder.toOneCount }
  /// The values of the part that are entries.
  var outOfLineValues: [OutOfLineContent] { encoder.outOfLineValues }
  private(set) var keyOfFirst: KeyNumbers?
  /// The key of the row after the range, once the range was read; nil if none follows.
  private(set) var keyBehind: KeyNumbers?

  private var isAtEnd = false
  private var hasPart = false
  private var rule: PartRule
  /// The bytes of lines, or of blobs, at which a part always ends.
  private let partLimit: Int
  /// Whether the part ends after the row that was read last.
  private var isFull = false
  /// The number of objects of each entity with a plan, and of others by number.
  private var knownInPart: ContiguousArray<Int>
  private var othersInPart: [Int64: Int] = [:]
  private var rowsInPart = 0
  private var firstKey: Int64?
  private var lastKey: Int64?
  private var order: KeyOrder

  /// Whether a key has a part that is no integer, so that its order is not known to be right.
  var isOrderUncertain: Bool { order.isUncertain }

  /// Prepares to read a table from its first row to its last.
  ///
  /// Single rows are parts of their own, to examine each.
  init(
    _ source: TableSource, entities: NumberedEntities, database: SQLiteDatabase,
    rule: PartRule = .standard, hasSingleRows: Bool = false
  ) throws(CofferError) {
    shape = source.shape
    self.rule = rule
    partLimit = hasSingleRows ? 0 : rule.most
    plan = source.plan
    self.entities = entities
    self.database = database
    statement = try database.prepare(plan.sql)
    order = KeyOrder(plan)
    plans = TablePlans(shape, entities)
    knownInPart = ContiguousArray(repeating: 0, count: plans.numbers.count)
    (hasObjects, hasRowNumbers) = (shape.kind == .entity, shape.hasRowNumbers)
    resultCount = Int(statement.columnCount)
    row = Row(columnCount: resultCount)
    encoder = LineEncoder(
      entityNames: EntityNames(entities.names), sizeColumns: plan.sizeColumns,
      blobsAreEntries: [.metadata, .modelCache].contains(shape.kind),
      rowsHaveNumbers: plan.rowNumberColumn != nil, partSize: rule.most)
    recorder = source.recordedColumns.map { columns in
      RowRecorder(
        columns.map { $0 == source.shape.fields.count ? Int(plan.rowNumberColumn ?? 0) : $0 })
    }
  }

  /// Begins to read a range of rows.
  ///
  /// - Throws: ``CofferError`` if the table cannot be read; `damaged-store` if the row is not there
  ///   that ends the range before.
  mutating func begin(_ range: RowRange) throws(CofferError) {
    guard let key = range.before else {
      if readsFromKey { statement = try database.prepare(plan.sql) }
      readsFromKey = false
      return restart(range)
    }
    try seek(key, range)
    guard try step(), ascends(), rowKey == key.map(Optional.init) else { throw disorder() }
  }

  /// Reads the first row from a number on as a separate part.
  ///
  /// - Returns: its number, its size, and whether it ends its part; nil if there is none.
  mutating func look(from number: Int64) throws -> (number: Int64, size: Int, endsPart: Bool)? {
    try seek([number], RowRange())
    guard try nextPart(progress: { _ in }), let found = plan.rowNumberColumn else { return nil }
    let size = encoder.rowSize(encoder.lines.count, encoder.blobs.count)
    let values = outOfLineValues.reduce(0) { $0 &+ max(0, $1.length) }
    return (row.int64(found), size &+ values, rule.ends(after: size))
  }

  /// Moves before the first row from a key on.
  private mutating func seek(_ key: [Int64], _ range: RowRange) throws(CofferError) {
    if !readsFromKey {
      guard let sql = plan.statementFromKey else { throw disorder() }
      statement = try database.prepare(sql)
      readsFromKey = true
    }
    restart(range)
    for (index, number) in key.enumerated() {
      statement.bind(number, at: Int32(clamping: index + 1))
    }
  }

  private mutating func restart(_ range: RowRange) {
    statement.reset()
    self.range = range
    (order, rowCount, shortLineCount) = (KeyOrder(plan), 0, 0)
    (keyOfFirst, keyBehind) = (nil, nil)
    (isAtEnd, hasPart) = (false, false)
    beginPart()
    encoder.beginRange()
  }

  /// Moves to the next row; false if there is none.
  private func step() throws(CofferError) -> Bool {
    guard try statement.step() else { return false }
    row.read(resultCount, from: statement)
    return true
  }

  /// Whether the row follows the previous row.
  private mutating func ascends() -> Bool {
    let row = row
    return order.ascends { row.integer(Int($0)) }
  }

  private var rowKey: KeyNumbers {
    let columns = plan.rowNumberColumn.map { [$0] } ?? plan.keyColumns
    return columns.map { row.integer(Int($0)) }
  }

  /// Reads the next part; returns false if no row is left.
  mutating func nextPart(progress: (Int) -> Void) throws -> Bool {
    if hasPart { beginPart() }
    if !isAtEnd {
      if hasObjects { try encodeObjects(progress) } else { try encodeRows(progress) }
    }
    hasPart = encoder.lines.count > 0
    return hasPart
  }

  /// The attributes of the part in the index.
  var attributes: ArchiveEntryAttributes {
    guard hasObjects else { return ArchiveEntryAttributes(rows: rowsInPart) }
    var objects = othersInPart
    for (number, count) in zip(plans.numbers, knownInPart) where count > 0 {
      objects[number, default: 0] += count
    }
    return ArchiveEntryAttributes(objects: objects, entities, firstKey: firstKey, lastKey: lastKey)
  }

  private mutating func beginPart() {
    encoder.nextPart()
    for index in knownInPart.indices { knownInPart[index] = 0 }
    if !othersInPart.isEmpty { othersInPart.removeAll() }
    (rowsInPart, firstKey, lastKey) = (0, nil, nil)
    isFull = false
  }

  private mutating func encodeObjects(_ progress: (Int) -> Void) throws {
    let key = column(.primaryKey) ?? 0
    let entity = column(.entityNumber)
    let version = column(.version)
    var lastNumber: Int64?
    var position: Int?
    var current = plans.fallback
    while !isFull {
      guard try nextRow() else { return }
      let primaryKey = row.integer(Int(key)) ?? statement.int64(key)
      encoder.beginLine()
      encoder.member("\"$pk\":", primaryKey)
      if let version { encoder.versionMember(row, version, rowID: primaryKey) }
      let number = entity.flatMap { row.integer(Int($0)) }
      if number != lastNumber || number == nil {
        position = plans.position(of: number)
        current = plans[position]
        lastNumber = number
      }
      if let entity, number == nil || number != plans.rootNumber {
        encoder.entityMember(row, entity, rowID: primaryKey)
      }
      encoder.currentEntity = number ?? 0
      encoder.run(current, row, rowID: primaryKey)
      encoder.endLine()
      if let position {
        knownInPart[position] &+= 1
      } else {
        othersInPart[number ?? 0, default: 0] += 1
      }
      firstKey = firstKey ?? primaryKey
      lastKey = primaryKey
      rule.begin()
      rule.add(primaryKey)
      try finishRow()
      if rowCount & 0xfff == 0 { try report(progress) }
    }
  }

  private mutating func encodeRows(_ progress: (Int) -> Void) throws {
    let (numberColumn, keyColumns) = (plan.rowNumberColumn, plan.keyColumns)
    while !isFull {
      guard try nextRow() else { return }
      let number = numberColumn.map { row.int64($0) } ?? 0
      encoder.beginLine()
      if hasRowNumbers { encoder.member("\"$row\":", number) }
      encoder.run(plans.fallback, row, rowID: number)
      encoder.endLine()
      rule.begin()
      if numberColumn != nil {
        rule.add(number)
      } else if keyColumns.isEmpty {
        rule.add(nil)
      }
      for column in keyColumns { rule.add(row.integer(Int(column))) }
      try finishRow()
      if rowCount & 0xfff == 0 { try report(progress) }
    }
  }

  /// Moves to the next row; false if there is none.
  ///
  /// - Throws: ``CofferError``: `damaged-store` for a row whose key does not follow the previous key:
  ///   an import could restore only one of two rows with the same key.
  private mutating func nextRow() throws(CofferError) -> Bool {
    guard try step() else {
      guard range.last == nil else { throw disorder() }
      isAtEnd = true
      return false
    }
    guard ascends() else { throw disorder() }
    return true
  }

  /// The error for rows that are not in the order of their keys.
  ///
  /// Not inlined: preparing to throw it would cost each row a copy of the layout.
  @inline(never) private func disorder() -> CofferError {
    let key = plan.rowNumberColumn.map { ", row \(row.int64($0))" } ?? ""
    return .disorder(of: shape, key, path: database.place)
  }

  private func report(_ progress: (Int) -> Void) throws {
    progress(rowCount)
    try Task<Never, Never>.checkCancellation()
  }

  private mutating func finishRow() throws(CofferError) {
    recorder?.add(row, encoder)
    let (lines, blobs) = (encoder.lines.count, encoder.blobs.count)
    let size = encoder.rowSize(lines, blobs)
    isFull = rule.ends(after: size) || max(lines, blobs) >= partLimit
    if size < ArchiveLimits.shortLineSize { shortLineCount += 1 }
    if rowCount == 0 { keyOfFirst = rowKey }
    rowsInPart += 1
    rowCount += 1
    if isFull, let last = range.last { try endRange(at: last) }
  }

  private mutating func endRange(at last: [Int64]) throws(CofferError) {
    let key = rowKey
    guard key == last.map(Optional.init) else {
      guard !last.lexicographicallyPrecedes(key.compactMap(\.self)) || key.contains(nil) else {
        throw disorder()
      }
      return
    }
    isAtEnd = true
    keyBehind = try step() ? rowKey : nil
  }

  /// Reads a large value of the part piece by piece.
  func read(_ value: OutOfLineContent, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if let text = value.text {
      return try unsafe text.withUnsafeBytes { unsafe try body($0) }
    }
    try unsafe database.readBlob(
      table: shape.storedName, column: shape.fields[value.column].storedName, row: value.row,
      from: value.skipped, body)
  }

  private func column(_ role: FieldRole) -> Int32? {
    shape.fields.firstIndex { $0.role == role }.map { Int32(clamping: $0) }
  }
}
