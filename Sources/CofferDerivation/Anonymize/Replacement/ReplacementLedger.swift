internal import CoreDataModel
internal import CoreDataStore

/// The replacements in use, in a temporary database, so that memory use is constant.
///
/// It contains only codes: neither values nor replacements can be read from it.
final class ReplacementLedger {
  private let connection: SQLiteConnection
  private let statements: EditStatements
  private let key: ReplacementKey
  /// The mark of a source value, which no replacement may equal.
  private static let original: [UInt8] = [0]
  /// The number of bytes of a code to store.
  private static let width = 16

  /// Begins with nothing taken.
  init(_ key: ReplacementKey) throws(CofferError) {
    self.key = key
    connection = try .temporary()
    statements = try connection.use { database throws(CofferError) in
      for sql in [
        "CREATE TABLE taken (o BLOB PRIMARY KEY, h BLOB) WITHOUT ROWID",
        "CREATE TABLE files (name TEXT PRIMARY KEY, kept INTEGER, label TEXT) WITHOUT ROWID",
      ] { try database.run(sql) }
      return EditStatements(database)
    }
  }

  deinit { connection.use { _ in statements.removeAll() } }

  private func code(_ bytes: [UInt8], _ purpose: ReplacementKey.Purpose) -> SQLiteValue {
    .blob(Array(key.code(bytes, purpose).prefix(Self.width)))
  }

  /// Notes a value of the source.
  func note(original bytes: [UInt8]) throws(CofferError) {
    let output = code(bytes, .output)
    try connection.use { _ throws(CofferError) in
      _ = try statements.run(
        "INSERT OR IGNORE INTO taken VALUES (?, ?)", output, .blob(Self.original))
    }
  }

  /// Takes a replacement for a value.
  ///
  /// - Returns: false if another value has the same replacement, or the source contains it.
  func take(_ output: [UInt8], for value: [UInt8]) throws(CofferError) -> Bool {
    let (output, value) = (code(output, .output), code(value, .original))
    return try connection.use { _ throws(CofferError) in
      if let row = try statements.row("SELECT h FROM taken WHERE o = ?", output) {
        return row[0] == value
      }
      try statements.run("INSERT INTO taken VALUES (?, ?)", output, value)
      return true
    }
  }

  // MARK: Files

  /// Notes that an object refers to an external file, whose content may be kept.
  func note(file name: String, of label: String, isKept: Bool) throws(CofferError) {
    try connection.use { _ throws(CofferError) in
      _ = try statements.run(
        "INSERT OR IGNORE INTO files VALUES (?, ?, ?)", .string(name), .integer(isKept ? 1 : 0),
        .string(label))
    }
  }

  /// Whether the content of a file is kept, and its attribute; nil if no object refers to it.
  func file(_ name: String) throws(CofferError) -> (isKept: Bool, label: String)? {
    try connection.use { _ throws(CofferError) in
      try statements.row("SELECT kept, label FROM files WHERE name = ?", .string(name))
        .map { ($0[0].integer == 1, $0[1].string ?? "") }
    }
  }
}
