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

  /// Whether the module of a virtual table refuses what its tables hold, though every page can be read.
  ///
  /// coffer's modules describe defects in their own words; for damaged pages and read errors, there
  /// are only SQLite's words.
  var isDamageToldByModule: Bool {
    code == .damagedStore && resultCode.map { $0 & 0xff } == SQLITE_CORRUPT
      && detail != (unsafe String(cString: sqlite3_errstr(SQLITE_CORRUPT)))
  }

  /// Whether a row conflicts with others, or lacks a required value.
  package var isConstraintViolation: Bool { resultCode.map { $0 & 0xff } == SQLITE_CONSTRAINT }
}
