internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Writes one table: a scan of its rows, turned into the entries of its parts.
struct TableExporter: ~Copyable {
  let shape: TableShape
  private let plan: RowPlan
  private let entities: ArchiveEntities
  private let writer: ArchiveWriter
  private let database: SQLiteDatabase
  private let plans: [Int64: LinePlan]
  private let fallback: LinePlan
  private let rootNumber: Int64?
  private var encoder: LineEncoder

  /// How many rows were written.
  private(set) var rowCount = 0
  /// The references to external files that were met.
  var externalReferences: [ExternalReference] { encoder.externalReferences }
  /// How many to-one relationships were set.
  var toOneCount: Int { encoder.toOneCount }

  private var countsInPart: [Int64: Int] = [:]
  private var rowsInPart = 0
  private var firstKey: Int64?
  private var lastKey: Int64?

  /// Prepares the export of a table.
  init(
    _ source: TableSource, entities: ArchiveEntities, database: SQLiteDatabase,
    writer: ArchiveWriter
  ) {
    shape = source.shape
    plan = source.plan
    self.entities = entities
    self.writer = writer
    self.database = database
    let builder = LinePlanBuilder(shape: shape)
    var plans: [Int64: LinePlan] = [:]
    switch shape.kind {
    case .entity:
      for (number, lineage) in entities.lineages(below: shape.entityName) {
        plans[number] = builder.plan(forLineage: lineage)
      }
      fallback = builder.planForUnknownEntity()
    case .relationship: fallback = builder.planForPairs()
    default: fallback = builder.planForPlainRows()
    }
    self.plans = plans
    rootNumber = shape.entityName.flatMap { entities.numbers[$0] }
    encoder = LineEncoder(
      entityNames: EntityNames(entities.names), sizeColumns: plan.sizeColumns,
      blobsAreEntries: [.metadata, .modelCache].contains(shape.kind))
  }

  /// Writes all rows.
  ///
  /// - Parameter progress: called now and then with the number of rows written so far.
  /// - Throws: `StoreError` when the table cannot be read, `ArchiveError` when the archive cannot be
  ///   written, `CancellationError` when the task is cancelled.
  mutating func run(progress: (Int) -> Void) throws {
    let statement = try database.prepare(plan.sql)
    if shape.kind == .entity {
      try exportObjects(statement, progress)
    } else {
      try exportRows(statement, progress)
    }
    if encoder.lines.count > 0 { try finishPart() }
  }

  private mutating func exportObjects(
    _ row: borrowing SQLiteStatement, _ progress: (Int) -> Void
  ) throws {
    let key = column(.primaryKey) ?? 0
    let entity = column(.entityNumber)
    let version = column(.version)
    var lastNumber: Int64?
    var current = fallback
    while try row.step() {
      let primaryKey = row.int64(key)
      encoder.beginLine()
      encoder.member("\"$pk\":", primaryKey)
      if let version { encoder.versionMember(row, version) }
      let number =
        entity.flatMap { row.storageClass($0) == .integer ? row.int64($0) : nil }
      if number != lastNumber || number == nil {
        current = number.flatMap { plans[$0] } ?? fallback
        lastNumber = number
      }
      if let entity, number == nil || number != rootNumber { encoder.entityMember(row, entity) }
      encoder.currentEntity = number ?? 0
      encoder.run(current, row, rowID: primaryKey)
      encoder.endLine()
      countsInPart[number ?? 0, default: 0] += 1
      firstKey = firstKey ?? primaryKey
      lastKey = primaryKey
      try finishRow(progress)
    }
  }

  private mutating func exportRows(
    _ row: borrowing SQLiteStatement, _ progress: (Int) -> Void
  ) throws {
    while try row.step() {
      let number = plan.rowNumberColumn.map { row.int64($0) } ?? 0
      encoder.beginLine()
      if shape.hasRowNumbers { encoder.member("\"$row\":", number) }
      encoder.run(fallback, row, rowID: number)
      encoder.endLine()
      try finishRow(progress)
    }
  }

  private mutating func finishRow(_ progress: (Int) -> Void) throws {
    rowsInPart += 1
    rowCount += 1
    if rowCount & 0xfff == 0 {
      progress(rowCount)
      try Task<Never, Never>.checkCancellation()
    }
    if encoder.lines.count >= LineLimits.part || encoder.blobs.count >= LineLimits.part {
      try finishPart()
    }
  }

  /// Hands the part to the archive: its blobs, its lines, then its large values one by one.
  private mutating func finishPart() throws {
    let name = "\(shape.folder)/\(ArchiveEntryName.part(encoder.part))"
    if encoder.blobs.count > 0 {
      try unsafe encoder.blobs.withUnsafeBytes { bytes in
        unsafe try writer.add(name: name + ".blobs", bytes: bytes)
      }
    }
    var attributes = ArchiveEntryAttributes()
    if shape.kind == .entity {
      attributes.objects = countsInPart.sorted { $0.key < $1.key }
        .map { (entity: entities.names[$0.key] ?? "", count: $0.value) }
      attributes.firstKey = firstKey
      attributes.lastKey = lastKey
    } else {
      attributes.rows = rowsInPart
    }
    try unsafe encoder.lines.withUnsafeBytes { bytes in
      unsafe try writer.add(name: name + ".ndjson", bytes: bytes, attributes: attributes)
    }
    for value in encoder.largeValues { try write(value) }
    encoder.nextPart()
    countsInPart.removeAll(keepingCapacity: true)
    (rowsInPart, firstKey, lastKey) = (0, nil, nil)
  }

  /// Copies a large value piece by piece.
  private func write(_ value: LargeValue) throws {
    let name = "\(shape.folder)/\(value.name)"
    if let text = value.text {
      return try unsafe text.withUnsafeBytes { unsafe try writer.add(name: name, bytes: $0) }
    }
    let blob = try database.blob(
      table: shape.storedName, column: shape.fields[value.column].storedName, row: value.row)
    try writer.beginEntry(name: name, size: value.length)
    var piece = ContiguousArray<UInt8>(repeating: 0, count: 1 << 20)
    var offset = value.skipped
    while offset < blob.count {
      let count = min(piece.count, blob.count - offset)
      try unsafe piece.withUnsafeMutableBytes { buffer in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        unsafe try blob.read(into: part, at: offset)
        unsafe try writer.write(UnsafeRawBufferPointer(part))
      }
      offset += count
    }
    try writer.endEntry()
  }

  private func column(_ role: FieldRole) -> Int32? {
    shape.fields.firstIndex { $0.role == role }.map { Int32(clamping: $0) }
  }
}
