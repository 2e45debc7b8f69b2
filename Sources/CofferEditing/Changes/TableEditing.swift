internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Changes the rows of one table of a store: a sink of differing rows.
///
/// Each row must be in its state before the change, as far as the change records it, unless the state
/// is only reconstructed.
final class TableEditing: RowHandler {
  /// The use of the changed rows.
  enum Purpose {
    case change
    /// They are only compared with the rows of the store.
    case check
    /// They get their state after the change, whatever their state was.
    case recall
  }

  private let shape: TableLayout
  private let plan: RowPlan
  private let editor: TableEditor
  private let there: StoreRows
  private let entityNames: [Int64: Name]
  private let place: String
  private let purpose: Purpose
  /// The first row that is only partly known, because it did not exist; nil for none.
  private(set) var partialRow: String?

  /// Prepares to change a table; throws an error if the table cannot be changed row by row.
  init(
    _ source: TableSource, _ entities: NumberedEntities, in database: SQLiteDatabase,
    place: String, for purpose: Purpose = .change
  ) throws(CofferError) {
    shape = source.shape
    plan = source.plan
    self.place = place
    self.purpose = purpose
    entityNames = entities.names
    editor = try TableEditor(source.plan, hasRowNumbers: shape.hasRowNumbers, in: database)
    there = try StoreRows(
      Self.singleRow(of: source), into: Row(columnCount: source.shape.fields.count),
      database: database)
  }

  private static func singleRow(of source: TableSource) -> TableSource {
    TableSource(shape: source.shape, plan: source.plan.singleRow ?? source.plan)
  }

  func remove(_ first: some RowCursor) throws {
    guard try there.move(to: first.row, plan.identityColumns) else {
      if purpose == .recall { return }
      throw missing(first.row)
    }
    for column in shape.fields.indices { try require(first, column) }
    there.leave()
    if purpose == .check { return }
    try delete(first.row)
  }

  private func delete(_ row: Row) throws {
    let deletion = try editor.deletionOfRow()
    bindKey(of: row, to: deletion, from: 1)
    try deletion.statement.run()
  }

  func add(_ second: some RowCursor) throws {
    if purpose == .check { return }
    try requireNumber(second.row)
    if purpose == .recall { try delete(second.row) }
    let columns = Array(shape.fields.indices)
    do {
      let insertion = try editor.insertionOfRow()
      insertion.statement.clearBindings()
      try run(insertion, second, columns)
    } catch let error as CofferError where error.isConstraintViolation {
      let insertion = try editor.insertionOfWaitingRow()
      try bindWhole(second, columns, to: insertion)
      bindRowNumber(second.row, to: insertion)
      try insertion.statement.run()
    }
  }

  private func run(
    _ insertion: PreparedStatement, _ row: some RowCursor, _ columns: [Int]
  ) throws {
    let later = try bind(row, columns, to: insertion)
    bindRowNumber(row.row, to: insertion)
    try insertion.statement.run()
    try fill(later, of: row)
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    var columns = try shape.fields.indices.filter {
      try !first.hasSameValue($0, as: second, $0)
    }
    guard try there.move(to: first.row, plan.identityColumns) else {
      guard purpose == .recall else { throw missing(first.row) }
      if partialRow == nil { partialRow = name(of: first.row) }
      return try add(second)
    }
    if let column = shape.fields.firstIndex(where: { $0.role == .entityNumber }) {
      try require(first, column)
    }
    for column in shape.fields.indices where !first.row.isNull(column) || columns.contains(column) {
      try require(first, column)
    }
    if purpose == .recall {
      columns = columns.filter { !isOfOtherList($0, first.row, second.row) }
    }
    there.leave()
    guard purpose != .check, !columns.isEmpty else { return }
    let update = try editor.updateOfRow(columns)
    update.statement.clearBindings()
    do {
      try run(update, first.row, second, columns)
    } catch let error as CofferError where error.isConstraintViolation {
      try letWait(first.row, second, columns)
    }
  }

  /// Whether a change of a position is one in a list of another object than the row is in by now.
  private func isOfOtherList(_ column: Int, _ before: Row, _ after: Row) -> Bool {
    guard let owner = shape.ownerColumn(ofOrder: column), let key = before.integer(owner),
      key == after.integer(owner)
    else { return false }
    return there.row.integer(owner) != key
  }

  private func run(
    _ update: PreparedStatement, _ before: Row, _ after: some RowCursor, _ columns: [Int]
  ) throws {
    let later = try bind(after, columns, to: update)
    bindKey(of: before, to: update, from: columns.count + 1)
    try update.statement.run()
    try fill(later, of: after)
  }

  func finish() throws {
    do {
      try editor.finish()
    } catch {
      throw error.isConstraintViolation ? conflict(error) : error
    }
  }

  private func conflict(_ error: CofferError) -> CofferError {
    CofferError(
      .wrongState, path: place, item: "table \(shape.storedName)",
      detail: "a changed row conflicts with another one: \(error.detail)", advice: .compareStates)
  }

  private func letWait(_ before: Row, _ after: some RowCursor, _ columns: [Int]) throws {
    let movement = try editor.movementOfRow()
    bindKey(of: before, to: movement, from: 1)
    try movement.statement.run()
    try delete(before)
    let update = try editor.updateOfWaitingRow(columns)
    try bindWhole(after, columns, to: update)
    try update.statement.run()
  }

  // MARK: Values

  private func bindKey(of row: Row, to prepared: PreparedStatement, from first: Int) {
    for (index, column) in plan.identityColumns.enumerated() {
      prepared.statement.bind(row.value(column), at: Int32(clamping: first + index))
    }
  }

  private func bindRowNumber(_ row: Row, to prepared: PreparedStatement) {
    guard shape.hasRowNumbers else { return }
    prepared.statement.bind(
      row.value(shape.fields.count), at: Int32(clamping: shape.fields.count + 1))
  }

  /// Binds values to the first parameters; returns the columns whose bytes are written afterwards.
  private func bind(
    _ cursor: some RowCursor, _ columns: [Int], to prepared: PreparedStatement
  ) throws -> [Int] {
    let row = cursor.row
    for (index, column) in columns.enumerated() {
      let parameter = Int32(clamping: index + 1)
      if isUnread(column, row) {
        prepared.statement.bind(zeroBlob: Int64(row.size(column)), at: parameter)
      } else {
        try prepared.statement.bind(column, of: cursor, at: parameter)
      }
    }
    return columns.filter { isUnread($0, row) }
  }

  /// Whether a value is a blob that is written piece by piece.
  private func isUnread(_ column: Int, _ row: Row) -> Bool {
    guard row.storageClass(column) == .blob, row.size(column) > 0, editor.canWritePieces(of: column)
    else { return false }
    return unsafe row.payload(column) == nil
  }

  private func bindWhole(
    _ cursor: some RowCursor, _ columns: [Int], to prepared: PreparedStatement
  ) throws {
    for (index, column) in columns.enumerated() {
      try prepared.statement.bind(column, of: cursor, at: Int32(clamping: index + 1))
    }
  }

  /// Writes large values into the row that a statement has inserted or changed.
  private func fill(_ columns: [Int], of cursor: some RowCursor) throws {
    guard !columns.isEmpty, let number = cursor.row.integer(plan.identityColumns[0]) else { return }
    for column in columns { try fill(column, ofRow: number, from: cursor) }
  }

  private func fill(_ column: Int, ofRow number: Int64, from cursor: some RowCursor) throws {
    let (editor, written) = (editor, WrittenBytes())
    try unsafe cursor.readValue(column) { bytes in
      unsafe try editor.write(bytes, at: written.count, to: column, ofRow: number)
      written.count += bytes.count
    }
  }

  // MARK: Another state

  /// Requires that a new row has a number: SQLite would assign one.
  private func requireNumber(_ row: Row) throws {
    guard plan.rowNumberColumn != nil, row.integer(plan.identityColumns[0]) == nil else { return }
    throw CofferError(
      .wrongState, path: place, item: "table \(shape.storedName)",
      detail: "a row that is inserted has no key")
  }

  private func require(_ before: some RowCursor, _ column: Int) throws {
    guard purpose != .recall, try !there.hasSameValue(column, as: before, column) else { return }
    throw CofferError(
      .wrongState, path: place, item: "\(name(of: before.row)), \(shape.propertyName(column))",
      detail: "the value differs from the value that the changes begin with", advice: .compareStates
    )
  }

  private func missing(_ row: Row) -> CofferError {
    CofferError(
      .wrongState, path: place, item: name(of: row),
      detail: "it does not exist, but the changes begin with it", advice: .compareStates)
  }

  private func name(of row: Row) -> String {
    let key = plan.identityColumns.map { row.integer($0).map { "\($0)" } ?? "?" }
      .joined(separator: ", ")
    guard shape.kind == .entity else { return "table \(shape.storedName), row \(key)" }
    let column = shape.fields.firstIndex { $0.role == .entityNumber }
    let name = column.flatMap { row.integer($0) }.flatMap { entityNames[$0] } ?? shape.entityName
    return "\(name ?? "")/p\(key)"
  }
}

/// The number of bytes so far of a value that comes in pieces.
///
/// A class: with a captured variable instead, the compiler (6.3.1) does not terminate.
private final class WrittenBytes {
  var count = 0
}
