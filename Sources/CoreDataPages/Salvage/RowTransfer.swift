internal import CoreDataModel
internal import CoreDataStore

/// Copies rows of one table from a damaged store to a temporary database.
///
/// Not to be used outside of the blocks of both connections.
final class RowTransfer {
  private let table: SalvagedTable
  private let source: SQLiteDatabase
  private let target: SQLiteDatabase
  private let insertion: SQLiteStatement
  /// By column: the parameter of the insertion; 0 for the column that shows the row number.
  private let parameters: [Int32]

  /// The values that could not be read.
  private(set) var lostValues: [TableLosses.Value] = []
  /// The number of copied rows.
  private(set) var count = 0

  /// Prepares the transfer and makes the empty table.
  init(
    _ table: SalvagedTable, from source: SQLiteDatabase, to target: SQLiteDatabase
  ) throws(CofferError) {
    self.table = table
    self.source = source
    self.target = target
    try SalvageCopy.create(table.schema, columns: table.columns, in: target)
    var names: [String] = []
    if let rowNumber = table.rowNumber { names.append(rowNumber) }
    var parameters: [Int32] = []
    for column in table.columns {
      if column == table.schema.rowIDAlias {
        parameters.append(0)
      } else {
        names.append(quotedIdentifier(column))
        parameters.append(Int32(clamping: names.count))
      }
    }
    self.parameters = parameters
    let places = (1...max(1, names.count)).map { "?\($0)" }.joined(separator: ", ")
    insertion = try target.prepare(
      "INSERT OR IGNORE INTO \(quotedIdentifier(table.schema.name)) "
        + "(\(names.joined(separator: ", "))) VALUES (\(places))")
  }

  /// Copies the current row of a statement of ``SalvagedTable/selection(_:_:)``.
  func carry(_ row: borrowing SQLiteStatement) throws(CofferError) {
    insertion.clearBindings()
    let key = row.int64(0)
    if table.rowNumber != nil { insertion.bind(key, at: 1) }
    var large: [(column: Int, size: Int64)] = []
    for column in table.columns.indices {
      let parameter = parameters[column]
      guard parameter > 0 else { continue }
      let index = Int32(clamping: column + 1)
      switch row.storageClass(index) {
      case .integer: insertion.bind(row.int64(index), at: parameter)
      case .real: insertion.bind(row.double(index), at: parameter)
      case .text: unsafe insertion.bind(lentText: row.textBytes(index), at: parameter)
      case .blob: unsafe insertion.bind(lentBlob: row.blobBytes(index), at: parameter)
      case .null:
        let size = Int32(clamping: column + 1 + table.columns.count)
        guard row.storageClass(size) == .integer else { continue }
        large.append((column, row.int64(size)))
        insertion.bind(zeroBlob: row.int64(size), at: parameter)
      }
    }
    try insertion.run()
    count += 1
    for value in large { try carryBlob(value.column, key) }
  }

  /// Copies a row with unreadable values, column by column.
  ///
  /// - Returns: false, and nothing is copied, if everything or the identity of the row is
  ///   unreadable.
  func carryValues(of key: Int64) throws(CofferError) -> Bool {
    insertion.clearBindings()
    insertion.bind(key, at: 1)
    var lost: [TableLosses.Value] = []
    var large: [Int] = []
    for (column, parameter) in zip(table.columns.indices, parameters) where parameter > 0 {
      switch try value(column, of: key) {
      case .lost: lost.append(TableLosses.Value(row: key, column: table.columns[column]))
      case .large(let size):
        large.append(column)
        insertion.bind(zeroBlob: size, at: parameter)
      case .whole(let value):
        if column == table.entityColumn, !table.entityNumbers.isEmpty {
          guard let number = value.integer, table.entityNumbers.contains(number) else {
            return false
          }
        }
        insertion.bind(value, at: parameter)
      }
    }
    let isNamed = table.entityColumn.map { column in
      !lost.contains { $0.column.hasSameBytes(as: table.columns[column]) }
    }
    guard isNamed ?? true, lost.count < parameters.count(where: { $0 > 0 }) else { return false }
    try insertion.run()
    count += 1
    lostValues += lost
    for column in large { try carryBlob(column, key) }
    return true
  }

  /// Whether the row with a number was copied.
  func has(_ key: Int64) throws(CofferError) -> Bool {
    guard let rowNumber = table.rowNumber else { return false }
    return try target.value(
      "SELECT 1 FROM \(quotedIdentifier(table.schema.name)) WHERE \(rowNumber) = ?1",
      [.integer(key)]) != nil
  }

  /// The nearest copied row numbers around a number; nil if there is none.
  func neighbours(of key: Int64) throws(CofferError) -> (before: Int64?, after: Int64?) {
    guard let rowNumber = table.rowNumber else { return (nil, nil) }
    let name = quotedIdentifier(table.schema.name)
    return (
      try target.value(
        "SELECT max(\(rowNumber)) FROM \(name) WHERE \(rowNumber) < ?1", [.integer(key)])?.integer,
      try target.value(
        "SELECT min(\(rowNumber)) FROM \(name) WHERE \(rowNumber) > ?1", [.integer(key)])?.integer
    )
  }

  /// The result of reading a value.
  private enum Outcome {
    case whole(SQLiteValue)
    case large(Int64)
    case lost
  }

  private func value(_ column: Int, of key: Int64) throws(CofferError) -> Outcome {
    guard let rowNumber = table.rowNumber else { return .lost }
    let parts = table.results(column)
    do {
      let row = try source.rows(
        "SELECT \(parts.value), \(parts.size) FROM \(quotedIdentifier(table.schema.name)) "
          + "NOT INDEXED WHERE \(rowNumber) = ?1", [.integer(key)]
      ).first
      guard let row else { return .lost }
      if let size = row[1].integer { return .large(size) }
      return .whole(row[0])
    } catch {
      guard error.isDamage else { throw error }
      return .lost
    }
  }

  /// Fills a blob piece by piece; an unreadable blob becomes NULL.
  private func carryBlob(_ column: Int, _ key: Int64) throws(CofferError) {
    let name = table.columns[column]
    do {
      let from = try source.blob(table: table.schema.name, column: name, row: key)
      let into = try target.blob(table: table.schema.name, column: name, row: key, isWriting: true)
      unsafe try from.readPieces { piece, offset throws(CofferError) in
        unsafe try into.write(piece, at: offset)
      }
    } catch {
      // A row on a page in a wrong place is not found by its number.
      guard error.isDamage || error.code == .sqliteError, let rowNumber = table.rowNumber else {
        throw error
      }
      lostValues.append(TableLosses.Value(row: key, column: name))
      try target.run(
        "UPDATE \(quotedIdentifier(table.schema.name)) SET \(quotedIdentifier(name)) = NULL "
          + "WHERE \(rowNumber) = ?1", [.integer(key)])
    }
  }
}
