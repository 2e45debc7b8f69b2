public import CoreDataModel
internal import GRDBSQLite

extension CofferError {
  /// The extended result code if SQLite was the cause; otherwise nil.
  public var resultCode: Int32? { evidence as? Int32 }

  /// Whether a part of the file cannot be read or makes no sense, so that other parts may still be of
  /// use.
  ///
  /// A row that claims to be larger than SQLite allows, or than there is memory, is one of them.
  package var isDamage: Bool {
    if code == .damagedStore || code == .notSQLite { return true }
    guard let resultCode else { return false }
    return [SQLITE_IOERR, SQLITE_NOMEM, SQLITE_TOOBIG].contains(resultCode & 0xff)
  }

  /// Whether the disk failed, so that the error says nothing about a statement.
  ///
  /// Memory is another matter: SQLite says that there is none for a statement of too many steps.
  var isOfDisk: Bool {
    resultCode.map { [SQLITE_IOERR, SQLITE_FULL].contains($0 & 0xff) } ?? false
  }

  /// Whether the module of a virtual table rejects the content of its tables, although every page
  /// is readable.
  ///
  /// coffer's modules describe defects in their own words; for damaged pages and read errors, there
  /// are only SQLite's words.
  var isDamageToldByModule: Bool {
    code == .damagedStore && resultCode.map { $0 & 0xff } == SQLITE_CORRUPT
      && detail != Self.pageDamage
  }

  /// The reason why SQLite refuses a row or a statement, in words.
  ///
  /// nil if something else failed: the file, the disk, memory, or the task was cancelled.
  package var objectionToContent: String? {
    guard let resultCode else { return nil }
    switch resultCode {
    case SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8: return "another row has its key"
    case SQLITE_CONSTRAINT | 8 << 8:
      return "another row has the same values, which must be unique"
    case SQLITE_CONSTRAINT | 5 << 8: return "a value is missing that the schema requires"
    case SQLITE_CONSTRAINT | 1 << 8: return "it breaks a condition of the schema"
    case SQLITE_CONSTRAINT | 12 << 8: return "a value is not of the type that the schema requires"
    default: break
    }
    switch resultCode & 0xff {
    case SQLITE_CONSTRAINT: return "it breaks a rule of the schema"
    case SQLITE_MISMATCH: return "its key is not an integer"
    case SQLITE_TOOBIG: return "it is larger than SQLite allows"
    case SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_SCHEMA, SQLITE_RANGE, SQLITE_AUTH, SQLITE_MISUSE:
      return "SQLite does not accept it"
    default: return nil
    }
  }

  /// Whether a row conflicts with others, or lacks a required value.
  package var isConstraintViolation: Bool { resultCode.map { $0 & 0xff } == SQLITE_CONSTRAINT }
}
