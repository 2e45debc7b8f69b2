package import CoreDataModel
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// The functions that statements of users need.
extension SQLiteDatabase {
  /// The limits that can end a statement of a user.
  package enum QueryLimit {
    /// A value has more than ``longestQueryValue`` bytes.
    case value
    /// SQLite got no more memory.
    case memory
    /// Another statement follows the first.
    case statements

    /// The limit that caused an error of SQLite; nil for another error.
    package init?(_ error: CofferError) {
      switch error.evidence as? Int32 {
      case SQLITE_TOOBIG: self = .value
      case SQLITE_NOMEM: self = .memory
      case SQLITE_MISUSE: self = .statements
      default: return nil
      }
    }
  }

  /// The maximum number of bytes of a value in statements of users.
  package static var longestQueryValue: Int { Int(ConnectionDefense.longestQueryValue) }

  /// Limits the memory that SQLite takes in this process, for all of its connections.
  package static func limitMemory(to bytes: Int) { sqlite3_hard_heap_limit64(Int64(bytes)) }

  /// Adds a function of one argument to the connection, which only computes.
  package func addFunction(
    _ name: String, _ compute: @escaping @Sendable (SQLiteValue) -> SQLiteValue
  ) {
    database.add(
      function: DatabaseFunction(name, argumentCount: 1, pure: true) { arguments in
        compute(SQLiteValue(arguments[0])).databaseValue
      })
  }

  /// Makes `printf` and `format` fail for a text that is too long, for which SQLite's own functions return null.
  package func addFormatting() throws(CofferError) {
    let formatter = try SQLiteConnection(
      path: ":memory:", access: .writing, place: place, answersQueries: true)
    for name in ["printf", "format"] {
      database.add(
        function: DatabaseFunction(name, pure: true) {
          (arguments: [DatabaseValue]) throws -> (any DatabaseValueConvertible)? in
          let text = try formatter.formatted(name, arguments.map { SQLiteValue($0) })
          guard let text else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
          return text.databaseValue
        })
    }
  }

  /// Whether an index finds the rows with a value of a column.
  package func hasIndex(ofTable table: String, on column: String) throws(CofferError) -> Bool {
    try value(
      "SELECT 1 FROM pragma_index_list(?1, 'main') AS i, pragma_index_info(i.name, 'main') AS c "
        + "WHERE i.partial = 0 AND c.seqno = 0 AND c.name = ?2 COLLATE NOCASE LIMIT 1",
      [.string(table), .string(column)]) != nil
  }

  /// The tables of the store that a statement scans, and whether it only counts their rows; none for a
  /// statement that explains another.
  ///
  /// Source of the names: https://sqlite.org/opcode.html. With the names of another version of SQLite, there would be no tables.
  package func scans(of statement: String) throws(CofferError) -> [(table: String, isCount: Bool)] {
    guard let program = try? prepare("EXPLAIN " + statement) else { return [] }
    var roots: [Int64: Int64] = [:]
    var counting: [Int64: Bool] = [:]
    while try program.step() {
      let cursor = program.int64(2)
      switch program.value(1).string {
      case "OpenRead" where program.int64(4) == 0: roots[cursor] = program.int64(3)
      case "Rewind", "Last": counting[cursor] = counting[cursor] ?? false
      case "Count": counting[cursor] = true
      default: continue
      }
    }
    var scans: [(table: String, isCount: Bool)] = []
    for (cursor, isCount) in counting.sorted(by: { $0.key < $1.key }) {
      guard let root = roots[cursor],
        let table = try value(
          "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = ?1",
          [.integer(root)])?.string
      else { continue }
      scans.append((table, isCount))
    }
    return scans
  }

  /// Runs statements that create temporary objects, on a connection that is otherwise for reading.
  package func runTemporarily(_ statements: [String]) throws(CofferError) {
    try run("PRAGMA query_only = OFF")
    defer { try? run("PRAGMA query_only = ON") }
    for statement in statements { try run(statement) }
  }
}

extension SQLiteStatement {
  /// The names of the columns of a row.
  package var columnNames: [String] {
    (0..<columnCount).map { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The number of steps of the statement in tables that it scans.
  package var fullScanSteps: Int {
    unsafe Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
  }

  /// Whether the statement only reads.
  package var onlyReads: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }
}

extension SQLiteValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(Array(text.utf8))
    case .blob(let data): self = .blob(Array(data))
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let bytes): String(decoding: bytes, as: UTF8.self).databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

extension SQLiteConnection {
  /// The text that SQLite's format function returns; nil if it is too long.
  fileprivate func formatted(
    _ function: String, _ values: [SQLiteValue]
  ) throws(CofferError) -> SQLiteValue? {
    let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return try use { database throws(CofferError) -> SQLiteValue? in
      let text = try database.value("SELECT \(function)(\(places))", values) ?? .null
      guard text == .null, let format = values.first, format != .null else { return text }
      // With one character more, it is null only if the text does not fit.
      let longer = try database.value("SELECT \(function)('x' || \(places))", values)
      return longer == .null ? nil : text
    }
  }
}
