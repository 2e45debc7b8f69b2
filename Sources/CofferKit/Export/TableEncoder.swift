internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Reads a table part by part, and turns its rows into lines and values.
///
/// A part stays in ``lines``, ``blobs`` and ``outOfLineValues`` until the next one begins.
struct TableEncoder: ~Copyable {
  let shape: TableLayout
  private let plan: RowPlan
  private let entities: NumberedEntities
  private let database: SQLiteDatabase
  private let statement: SQLiteStatement
  private let plans: TablePlans
  /// The latest part.
  private(set) var encoder: LineEncoder

  /// The number of rows read.
  private(set) var rowCount = 0
  /// The references to external files so far.
  var externalReferences: [ExternalReference] { encoder.externalReferences }
  /// The number of to-one relationships with a destination.
  var toOneCount: Int { encoder.toOneCount }
  /// The values of the part that are entries.
  var outOfLineValues: [OutOfLineContent] { encoder.outOfLineValues }
  /// The folder and the number of the part, such as `entities/Person/00003`.
  var partName: String { "\(shape.folder)/\(ArchiveEntryName.part(encoder.part))" }

  private var isAtEnd = false
  private var hasPart = false
  private var rule: PartRule
  /// Whether the part ends after the row that was read last.
  private var isFull = false
  private var countsInPart: [Int64: Int] = [:]
  private var rowsInPart = 0
  private var firstKey: Int64?
  private var lastKey: Int64?
  private var order: KeyOrder

  /// Whether a key has a part that is no integer, so that its order is not known to be right.
  var isOrderUncertain: Bool { order.isUncertain }

  /// Prepares to read a table.
  ///
  /// - Throws: ``CofferError`` if the table cannot be read.
  init(
    _ source: TableSource, entities: NumberedEntities, database: SQLiteDatabase,
    rule: PartRule = .standard
  ) throws(CofferError) {
    shape = source.shape
    self.rule = rule
    plan = source.plan
    self.entities = entities
    self.database = database
    statement = try database.prepare(plan.sql)
    order = KeyOrder(plan)
    plans = TablePlans(shape, entities)
    encoder = LineEncoder(
      entityNames: EntityNames(entities.names), sizeColumns: plan.sizeColumns,
      blobsAreEntries: [.metadata, .modelCache].contains(shape.kind),
      rowsHaveNumbers: plan.rowNumberColumn != nil, partSize: rule.most)
  }

  /// Reads the next part.
  ///
  /// - Parameter progress: called regularly with the number of rows read so far.
  /// - Returns: false if no row is left.
  /// - Throws: ``CofferError`` if the table cannot be read; `CancellationError`.
  mutating func nextPart(progress: (Int) -> Void) throws -> Bool {
    if hasPart { beginPart() }
    if !isAtEnd {
      if shape.kind == .entity { try encodeObjects(progress) } else { try encodeRows(progress) }
    }
    hasPart = encoder.lines.count > 0
    return hasPart
  }

  /// The attributes of the part in the index.
  var attributes: ArchiveEntryAttributes {
    guard shape.kind == .entity else { return ArchiveEntryAttributes(rows: rowsInPart) }
    return ArchiveEntryAttributes(
      objects: countsInPart, entities, firstKey: firstKey, lastKey: lastKey)
  }

  private mutating func beginPart() {
    encoder.nextPart()
    countsInPart.removeAll(keepingCapacity: true)
    (rowsInPart, firstKey, lastKey) = (0, nil, nil)
    isFull = false
  }

  private mutating func encodeObjects(_ progress: (Int) -> Void) throws {
    let key = column(.primaryKey) ?? 0
    let entity = column(.entityNumber)
    let version = column(.version)
    var lastNumber: Int64?
    var current = plans.fallback
    while !isFull {
      guard try nextRow() else { return }
      let primaryKey = statement.int64(key)
      encoder.beginLine()
      encoder.member("\"$pk\":", primaryKey)
      if let version { encoder.versionMember(statement, version, rowID: primaryKey) }
      let number =
        entity.flatMap { statement.storageClass($0) == .integer ? statement.int64($0) : nil }
      if number != lastNumber || number == nil {
        current = plans.plan(for: number)
        lastNumber = number
      }
      if let entity, number == nil || number != plans.rootNumber {
        encoder.entityMember(statement, entity, rowID: primaryKey)
      }
      encoder.currentEntity = number ?? 0
      encoder.run(current, statement, rowID: primaryKey)
      encoder.endLine()
      countsInPart[number ?? 0, default: 0] += 1
      firstKey = firstKey ?? primaryKey
      lastKey = primaryKey
      rule.begin()
      rule.add(primaryKey)
      try finishRow(progress)
    }
  }

  private mutating func encodeRows(_ progress: (Int) -> Void) throws {
    while !isFull {
      guard try nextRow() else { return }
      let number = plan.rowNumberColumn.map { statement.int64($0) } ?? 0
      encoder.beginLine()
      if shape.hasRowNumbers { encoder.member("\"$row\":", number) }
      encoder.run(plans.fallback, statement, rowID: number)
      encoder.endLine()
      rule.begin()
      if plan.rowNumberColumn != nil {
        rule.add(number)
      } else if plan.keyColumns.isEmpty {
        rule.add(nil)
      }
      for column in plan.keyColumns {
        rule.add(statement.storageClass(column) == .integer ? statement.int64(column) : nil)
      }
      try finishRow(progress)
    }
  }

  /// Moves to the next row; false if there is none.
  ///
  /// - Throws: ``CofferError``: `damaged-store` for a row whose key does not follow the one before:
  ///   of two rows with one key, an import could restore only one.
  private mutating func nextRow() throws(CofferError) -> Bool {
    guard try statement.step() else {
      isAtEnd = true
      return false
    }
    guard order.ascends(statement) else {
      let key = plan.rowNumberColumn.map { ", row \(statement.int64($0))" } ?? ""
      throw CofferError(
        .damagedStore, path: database.place, item: "table \(shape.storedName)\(key)",
        detail: "its rows are out of order, or one comes twice", advice: .salvageStore)
    }
    return true
  }

  private mutating func finishRow(_ progress: (Int) -> Void) throws {
    let (lines, blobs) = (encoder.lines.count, encoder.blobs.count)
    isFull =
      rule.ends(after: encoder.rowSize(lines, blobs)) || max(lines, blobs) >= rule.most
    rowsInPart += 1
    rowCount += 1
    if rowCount & 0xfff == 0 {
      progress(rowCount)
      try Task<Never, Never>.checkCancellation()
    }
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
