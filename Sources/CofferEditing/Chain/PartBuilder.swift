internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Writes the rows of a table into the same parts as an export does, copying unchanged lines and whole
/// parts from other archives.
final class PartBuilder {
  /// The content of an entry with one value.
  private enum HeldValue {
    case bytes(ContiguousArray<UInt8>)
    case place(PlacedValue)
  }

  private let shape: TableLayout
  private let writer: ArchiveWriter
  private let options: ChainOptions
  private let plans: TablePlans
  private let entities: NumberedEntities
  private let keyColumn: Int?
  private let entityColumn: Int?
  private let versionColumn: Int?
  private let partColumns: [Int]
  /// Whether blobs above ``LineLimits/ownEntry`` are not read with their rows.
  private let leavesLargeBlobs: Bool
  private var rule = PartRule.standard
  private var encoder: LineEncoder
  /// The records of the rows; nil if they are not collected.
  private var recorder: RowRecorder?
  private let witness: (any RowWitness)?

  private var part = 0
  private var rowsInPart = 0
  private var countsInPart: [Int64: Int] = [:]
  private var firstKey: Int64?
  private var lastKey: Int64?
  private var values: [HeldValue] = []
  /// The number of rows so far.
  private(set) var rowCount = 0

  init(
    _ shape: TableLayout, _ entities: NumberedEntities, _ schema: SchemaDocument,
    to writer: ArchiveWriter, _ options: ChainOptions, witness: (any RowWitness)? = nil
  ) {
    self.witness = witness
    recorder = witness.map { RowRecorder($0.columns(of: shape)) }
    self.shape = shape
    self.entities = entities
    self.writer = writer
    self.options = options
    plans = TablePlans(shape, entities)
    keyColumn = shape.fields.firstIndex { $0.role == .primaryKey }
    entityColumn = shape.fields.firstIndex { $0.role == .entityNumber }
    versionColumn = shape.fields.firstIndex { $0.role == .version }
    partColumns = PartRule.keyColumns(of: shape, schema)
    // Values of rows that are identified by columns never have their own entries.
    let rowsHaveNumbers =
      shape.kind == .entity || shape.hasRowNumbers
      || (shape.kind != .relationship && schema.canNameRows(of: shape))
    let isCore = [.metadata, .modelCache].contains(shape.kind)
    encoder = LineEncoder(
      entityNames: EntityNames(entities.names),
      sizeColumns: rowsHaveNumbers && !isCore
        ? SettledRow.sizeColumns(shape.fields.count)
        : Array(repeating: -1, count: shape.fields.count),
      blobsAreEntries: isCore, rowsHaveNumbers: rowsHaveNumbers)
    leavesLargeBlobs = rowsHaveNumbers && !isCore
  }

  /// Whether a whole part can be copied: no row is waiting for its part to end, and no one observes
  /// single rows.
  var takesParts: Bool { rowsInPart == 0 && witness == nil }

  // MARK: Rows

  /// Copies the line of a row, which must not refer to values outside it.
  func append(line: UnsafeRawBufferPointer, of row: Row) throws {
    unsafe encoder.copyLine(line)
    try endRow(row)
  }

  /// Encodes a row, whose values may be filled from their entries.
  func append(_ side: ChangeSide) throws {
    let row = try SettledRow(
      side, columnCount: shape.fields.count, leavesLargeBlobs: leavesLargeBlobs)
    encoder.beginLine()
    var plan = plans.fallback
    if shape.kind == .entity {
      let number = entityColumn.flatMap { side.row.integer($0) }
      let key = keyColumn.flatMap { side.row.integer($0) } ?? 0
      encoder.member("\"$pk\":", key)
      if let versionColumn {
        encoder.versionMember(row, Int32(clamping: versionColumn), rowID: key)
      }
      plan = plans.plan(for: number)
      if let entityColumn, number == nil || number != plans.rootNumber {
        encoder.entityMember(row, Int32(clamping: entityColumn), rowID: key)
      }
      encoder.currentEntity = number ?? 0
    } else if shape.hasRowNumbers {
      encoder.member("\"$row\":", side.row.rowNumber ?? 0)
    }
    encoder.run(plan, row, rowID: 0)
    encoder.endLine()
    for value in encoder.outOfLineValues[values.count...] { values.append(hold(value, of: side)) }
    try endRow(side.row)
  }

  private func hold(_ value: OutOfLineContent, of side: ChangeSide) -> HeldValue {
    if let text = value.text { return .bytes(ContiguousArray(text)) }
    if let place = side.place(of: value.column), unsafe side.row.bytes(value.column) == nil {
      return .place(place)
    }
    let bytes = unsafe side.row.bytes(value.column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
    return unsafe .bytes(ContiguousArray(bytes.dropFirst(value.skipped)))
  }

  private func endRow(_ row: Row) throws {
    recorder?.add(row, encoder)
    let (lines, blobs) = (encoder.lines.count, encoder.blobs.count)
    if shape.kind == .entity {
      countsInPart[entityColumn.flatMap { row.integer($0) } ?? 0, default: 0] += 1
      lastKey = keyColumn.flatMap { row.integer($0) }
      firstKey = firstKey ?? lastKey
    }
    rowsInPart += 1
    rowCount += 1
    rule.begin()
    for column in partColumns { rule.add(row.integer(column)) }
    if partColumns.isEmpty { rule.add(nil) }
    if rule.ends(after: encoder.rowSize(lines, blobs)) || max(lines, blobs) >= rule.most {
      try endPart()
    }
    if rowCount & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
  }

  /// Writes the remaining bytes after the last row.
  func finish() throws {
    if rowsInPart > 0 { try endPart() }
  }

  // MARK: Parts

  private func name(_ ending: String) -> NumberedEntryName {
    NumberedEntryName(folder: shape.folder, number: part, ending: ending)
  }

  private func endPart() throws {
    let none = ArchiveEntryAttributes()
    if encoder.blobs.count > 0 {
      try writer.beginEntry(name("blobs"), size: encoder.blobs.count, attributes: none)
      try unsafe encoder.blobs.withUnsafeBytes { unsafe try writer.write($0) }
      try writer.endEntry()
    }
    try writer.beginEntry(name("ndjson"), size: encoder.lines.count, attributes: attributes)
    try unsafe encoder.lines.withUnsafeBytes { unsafe try writer.write($0) }
    try writer.endEntry()
    for (number, value) in encoder.outOfLineValues.enumerated() {
      var hasher = recorder.map { _ in ContentHasher() }
      try writer.beginEntry(name(value.name), size: value.length, attributes: none)
      try unsafe read(values[number]) { bytes in
        unsafe hasher?.update(bytes)
        unsafe try writer.write(bytes)
      }
      try writer.endEntry()
      if let hasher { recorder?.add(hasher.digest, ofValue: number) }
    }
    if let records = recorder?.take() { try witness?.take(records, of: shape) }
    encoder.nextPart()
    encoder.externalReferences.removeAll()
    part += 1
    (rowsInPart, firstKey, lastKey) = (0, nil, nil)
    countsInPart.removeAll(keepingCapacity: true)
    values.removeAll()
  }

  private func read(
    _ content: HeldValue, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch content {
    case .bytes(let bytes): try unsafe bytes.withUnsafeBytes { unsafe try body($0) }
    case .place(let place):
      if place.value.isMarked {
        try unsafe withUnsafeBytes(of: 1 as UInt8) { unsafe try body($0) }
      }
      try unsafe place.archive.file.readPieces(of: place.entryName, body)
    }
  }

  private var attributes: ArchiveEntryAttributes {
    guard shape.kind == .entity else { return ArchiveEntryAttributes(rows: rowsInPart) }
    return ArchiveEntryAttributes(
      objects: countsInPart, entities, firstKey: firstKey, lastKey: lastKey)
  }

  /// Copies a whole part of another archive, at the beginning of a part.
  ///
  /// Its digests are checked.
  func append(_ part: OpenArchive.Part, of archive: OpenArchive) throws {
    try Task<Never, Never>.checkCancellation()
    if part.hasBlobs { try copy(part.stem + ".blobs", "blobs", of: archive) }
    try copy(part.lines.name, "ndjson", of: archive)
    var number = 0
    while case let ending = ArchiveEntryName.value(number),
      archive.file.index["\(part.stem).\(ending)"] != nil
    {
      try copy("\(part.stem).\(ending)", ending, of: archive)
      number += 1
    }
    let attributes = part.lines.attributes
    let objects = attributes.objects.reduce(0) { $0.addingReportingOverflow($1.count).partialValue }
    rowCount = rowCount.addingReportingOverflow(attributes.rows ?? objects).partialValue
    self.part += 1
  }

  private func copy(_ entry: String, _ ending: String, of archive: OpenArchive) throws {
    try writer.copy(entry, of: archive, as: name(ending), options)
  }
}

extension ArchiveWriter {
  /// Copies an entry of another archive, and checks its digest unless that is left to the reader.
  ///
  /// Without a name of a part, it keeps its name.
  func copy(
    _ entry: String, of archive: OpenArchive, as name: NumberedEntryName? = nil,
    _ options: ChainOptions
  ) throws {
    guard let record = archive.file.index[entry] else {
      throw CofferError(.missingEntry, path: archive.path, entry: entry, detail: "")
    }
    if options.reusesMembers, let compressed = try archive.file.compressed(entry) {
      if !options.leavesDigests { try unsafe archive.file.readPieces(of: entry) { _ in } }
      let isCopied = try add(
        compressed, as: name?.text ?? entry, isHeaderApart: name?.hasHeaderApart ?? false,
        attributes: record.attributes)
      if isCopied { return }
    }
    if let name {
      try beginEntry(name, size: record.size, attributes: record.attributes)
    } else {
      try beginEntry(name: entry, size: record.size, attributes: record.attributes)
    }
    try unsafe archive.file.readPieces(of: entry) { unsafe try write($0) }
    try endEntry()
  }
}
