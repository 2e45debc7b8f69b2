package import CofferComparison
package import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataStore

/// Writes the changes of one table as lines: a sink of differing rows.
///
/// A row that exists before and after, with the same entity, is a line with the differing values,
/// each as a list of the old and the new one; with a position, also the object in whose list it is, even if
/// that did not change. Any other row is deleted, inserted, or both. In a
/// file without the previous values, a deletion has only the key of its row.
package final class TableChangesWriter: RowHandler {
  /// The bytes of lines or blobs at which a part ends.
  private static let partSize = 1 << 19

  private let shape: TableLayout
  private let writer: ArchiveWriter
  private let plans: TablePlans
  private let keyColumn: Int?
  private let entityColumn: Int?
  private let versionColumn: Int?
  /// The columns that identify a row; empty if there is no key, so that no row is the same as
  /// another.
  private let keyColumns: [Int]
  /// The columns with positions, and those of the objects in whose lists they are.
  private let positions: [(column: Int, owner: Int)]
  /// Whether a deletion has the values of its row.
  private let isReversible: Bool
  private var encoder: LineEncoder
  private var rowsInPart = 0
  /// The values of the current line that have their own entries, with their side.
  private var values: [(isAfter: Bool, value: OutOfLineContent)] = []

  /// Prepares to write a table; a deletion has the values of its row in reversible changes.
  init(
    _ shape: TableLayout, _ entities: NumberedEntities, schema: SchemaDocument,
    to writer: ArchiveWriter, isReversible: Bool = true
  ) {
    self.shape = shape
    self.isReversible = isReversible
    self.writer = writer
    plans = TablePlans(shape, entities)
    keyColumn = shape.fields.firstIndex { $0.role == .primaryKey }
    entityColumn = shape.fields.firstIndex { $0.role == .entityNumber }
    versionColumn = shape.fields.firstIndex { $0.role == .version }
    keyColumns = KeyRule(shape, schema: schema).columns
    positions = shape.fields.indices.compactMap { column in
      shape.ownerColumn(ofOrder: column).map { (column, $0) }
    }
    encoder = LineEncoder(
      entityNames: EntityNames(entities.names),
      sizeColumns: Array(repeating: -1, count: shape.fields.count), blobsAreEntries: false,
      rowsHaveNumbers: shape.hasRowNumbers || shape.kind == .entity)
  }

  // MARK: Rows

  package func remove(_ first: some RowCursor) throws {
    if isReversible || keyColumns.isEmpty {
      writeWhole(first.row, .delete)
    } else {
      writeKey(first.row)
    }
    try endRow(first, first)
  }

  /// Writes the deletion of a row with only its key known; only in a file without the previous
  /// values.
  ///
  /// - Parameters:
  ///   - key: the values of the ``KeyRule``'s columns.
  ///   - entity: the entity number of an object; nil if it is unknown.
  /// - Throws: the errors of ``ArchiveWriter``.
  package func remove(key: RowKey, entity: Int64?) throws {
    let side = ChangeSide(columnCount: shape.fields.count)
    for (column, value) in zip(keyColumns, [key.first] + key.rest) { side.set(value, column) }
    if let entityColumn, let entity { side.set(.integer(entity), entityColumn) }
    try remove(side)
  }

  package func add(_ second: some RowCursor) throws {
    writeWhole(second.row, .insert)
    try endRow(second, second)
  }

  package func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    let hasSameEntity = entityColumn.map { first.row.isSame($0, as: second.row, $0) == true }
    guard !keyColumns.isEmpty, hasSameEntity ?? true else {
      try remove(first)
      return try add(second)
    }
    var changed: Set<Int> = []
    for column in shape.fields.indices where try !first.hasSameValue(column, as: second, column) {
      changed.insert(column)
    }
    guard !changed.isEmpty else { return }
    for (column, owner) in positions
    where changed.contains(column) && !first.row.isNull(owner) && !second.row.isNull(owner) {
      changed.insert(owner)
    }
    writeChange(first.row, second.row, changed)
    try endRow(first, second)
  }

  package func replace(_ second: some RowCursor) throws {
    writeWhole(second.row, .replace)
    try endRow(second, second)
  }

  package func finish() throws {
    if rowsInPart > 0 { try writeLines() }
  }

  // MARK: Lines

  private func writeWhole(_ row: Row, _ kind: ChangeWord) {
    let isAfter = kind != .delete
    begin(kind, row)
    if let versionColumn, !row.isNull(versionColumn) {
      encoder.comma()
      encoder.lines.append("\"$opt\":")
      append(Self.plainStep(versionColumn), row, isAfter: isAfter)
    }
    writeEntity(row, isAfter: isAfter)
    let plan = plans.plan(for: entityColumn.flatMap { row.integer($0) })
    members(plan, 0..<plan.steps.count) { step in
      guard !isNull(step, row) else { return }
      key(step, plan)
      append(step, row, isAfter: isAfter)
    }
    encoder.endLine()
  }

  private func writeKey(_ row: Row) {
    begin(.delete, row)
    writeEntity(row, isAfter: false)
    let plan = plans.fallback
    members(plan, 0..<plan.steps.count) { step in
      guard keyColumns.contains(Int(step.column)), !isNull(step, row) else { return }
      key(step, plan)
      append(step, row, isAfter: false)
    }
    encoder.endLine()
  }

  private func writeChange(_ before: Row, _ after: Row, _ changed: Set<Int>) {
    begin(.update, after)
    if let versionColumn, changed.contains(versionColumn) {
      encoder.comma()
      encoder.lines.append("\"$opt\":")
      pair(Self.plainStep(versionColumn), before, after)
    }
    writeEntity(after, isAfter: true)
    let plan = plans.plan(for: entityColumn.flatMap { after.integer($0) })
    members(plan, 0..<plan.steps.count) { step in
      if keyColumns.contains(Int(step.column)) {
        key(step, plan)
        append(step, after, isAfter: true)
      } else if changed.contains(Int(step.column)) || changed.contains(Int(step.entityColumn)) {
        key(step, plan)
        pair(step, before, after)
      }
    }
    encoder.endLine()
  }

  private func begin(_ kind: ChangeWord, _ row: Row) {
    encoder.beginLine()
    encoder.comma()
    encoder.lines.append("\"$change\":")
    encoder.lines.appendString(kind.rawValue)
    if shape.kind == .entity, let keyColumn {
      encoder.comma()
      encoder.lines.append("\"$pk\":")
      encoder.appendPlain(row, Int32(clamping: keyColumn), 0)
    } else if shape.hasRowNumbers {
      encoder.member("\"$row\":", row.rowNumber ?? 0)
    }
  }

  /// The step of a value in the form of its storage class.
  private static func plainStep(_ column: Int) -> LinePlan.Step {
    LinePlan.Step(keyStart: 0, keyLength: 0, form: .plain, column: Int32(clamping: column))
  }

  /// Writes the entity, unless it is the root entity of the table.
  private func writeEntity(_ row: Row, isAfter: Bool) {
    guard let entityColumn else { return }
    let number = row.integer(entityColumn)
    encoder.currentEntity = number ?? 0
    if number == nil || number != plans.rootNumber {
      encoder.comma()
      appendEntity(entityColumn, row, isAfter: isAfter)
    }
  }

  private func appendEntity(_ column: Int, _ row: Row, isAfter: Bool) {
    if row.integer(column) != nil { return encoder.appendEntity(row, Int32(clamping: column), 0) }
    encoder.lines.append("\"$number\":")
    append(Self.plainStep(column), row, isAfter: isAfter)
  }

  /// Visits the values of a plan, and writes the groups of the values that the closure writes.
  private func members(_ plan: LinePlan, _ range: Range<Int>, _ write: (LinePlan.Step) -> Void) {
    var index = range.lowerBound
    while index < range.upperBound {
      let step = plan.steps[index]
      let next = index + 1 + Int(step.memberCount)
      if step.form == .group {
        let (start, hadComma) = (encoder.lines.count, encoder.needsComma)
        key(step, plan)
        encoder.lines.append(UInt8(ascii: "{"))
        encoder.needsComma = false
        members(plan, (index + 1)..<next, write)
        if encoder.needsComma {
          encoder.lines.append(UInt8(ascii: "}"))
        } else {
          encoder.lines.truncate(to: start)
          encoder.needsComma = hadComma
        }
      } else {
        write(step)
      }
      index = next
    }
  }

  private func key(_ step: LinePlan.Step, _ plan: LinePlan) {
    unsafe plan.keys.withUnsafeBytes { unsafe encoder.key(step, $0) }
  }

  private func pair(_ step: LinePlan.Step, _ before: Row, _ after: Row) {
    encoder.lines.append(UInt8(ascii: "["))
    append(step, before, isAfter: false)
    encoder.lines.append(UInt8(ascii: ","))
    append(step, after, isAfter: true)
    encoder.lines.append(UInt8(ascii: "]"))
  }

  private func append(_ step: LinePlan.Step, _ row: Row, isAfter: Bool) {
    if step.form == .polymorphicToOne, !isNull(step, row) {
      return appendDestination(step, row, isAfter: isAfter)
    }
    let count = encoder.outOfLineValues.count
    let column = Int(step.column)
    if isNull(step, row) {
      encoder.lines.append("null")
    } else if [.text, .blob].contains(row.storageClass(column)), unsafe row.bytes(column) == nil {
      if step.form == .externalBinary, let payload = unsafe row.payload(column) {
        unsafe encoder.appendBinary(payload, step.column, 0, isNatural: true, skipped: 1)
      } else {
        encoder.appendUnread(step, of: row)
      }
    } else {
      encoder.append(step, row.storageClass(column), row, 0)
    }
    values += encoder.outOfLineValues[count...].map { (isAfter, $0) }
  }

  /// Writes a destination with its entity; each value may have its own entry.
  private func appendDestination(_ step: LinePlan.Step, _ row: Row, isAfter: Bool) {
    let (column, entityColumn) = (Int(step.column), Int(step.entityColumn))
    encoder.lines.append(UInt8(ascii: "{"))
    if !row.isNull(column) {
      encoder.lines.append("\"$pk\":")
      append(Self.plainStep(column), row, isAfter: isAfter)
    }
    if !row.isNull(entityColumn) {
      if !row.isNull(column) { encoder.lines.append(UInt8(ascii: ",")) }
      appendEntity(entityColumn, row, isAfter: isAfter)
    }
    encoder.lines.append(UInt8(ascii: "}"))
  }

  private func isNull(_ step: LinePlan.Step, _ row: Row) -> Bool {
    row.isNull(Int(step.column))
      && (step.entityColumn < 0 || row.isNull(Int(step.entityColumn)))
  }

  // MARK: Parts

  /// Ends the line of a row, and the part if it is full.
  ///
  /// Values that have their own entries end it too: their bytes can be read only now.
  private func endRow(_ before: some RowCursor, _ after: some RowCursor) throws {
    rowsInPart += 1
    if rowsInPart & 0xff == 0 { try Task<Never, Never>.checkCancellation() }
    guard
      !values.isEmpty || max(encoder.lines.count, encoder.blobs.count) >= Self.partSize
    else { return }
    let name = "\(shape.folder)/\(ArchiveEntryName.part(encoder.part))"
    let values = values
    try writeLines()
    for (isAfter, value) in values {
      try writer.beginEntry(name: "\(name).\(value.name)", size: value.length)
      if let text = value.text {
        try writer.write(ContiguousArray(text))
      } else if isAfter {
        try write(value, of: after)
      } else {
        try write(value, of: before)
      }
      try writer.endEntry()
    }
  }

  private func write(_ value: OutOfLineContent, of cursor: some RowCursor) throws {
    var skipped = value.skipped
    try unsafe cursor.readValue(value.column) { bytes in
      let start = min(skipped, bytes.count)
      skipped -= start
      unsafe try writer.write(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
  }

  private func writeLines() throws {
    let name = "\(shape.folder)/\(ArchiveEntryName.part(encoder.part))"
    if encoder.blobs.count > 0 {
      try unsafe encoder.blobs.withUnsafeBytes { bytes in
        unsafe try writer.add(name: name + ".blobs", bytes: bytes)
      }
    }
    let attributes = ArchiveEntryAttributes(rows: rowsInPart)
    try unsafe encoder.lines.withUnsafeBytes { bytes in
      unsafe try writer.add(name: name + ".ndjson", bytes: bytes, attributes: attributes)
    }
    encoder.nextPart()
    values = []
    rowsInPart = 0
  }
}
