internal import CoreDataModel
internal import GRDB
internal import GRDBSQLite

extension CofferError {
  /// The error that fits a result code of SQLite.
  ///
  /// Source of the codes: <https://sqlite.org/rescode.html>.
  static func fromSQLite(code: Int32, message: String, path: String) -> CofferError {
    // Shared memory is a file; it cannot grow on a full disk.
    let isFull = code == SQLITE_IOERR | 19 << 8
    let primary = isFull ? SQLITE_FULL : code & 0xff
    let (kind, advice): (Code, Advice?) =
      switch primary {
      case SQLITE_BUSY, SQLITE_LOCKED:
        (.storeBusy, "Close the app that uses the store, or try again.")
      case SQLITE_NOTADB:
        (.notSQLite, "It may be an encrypted store. Decrypt it first.")
      case SQLITE_CORRUPT:
        (.damagedStore, .salvageStore)
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
        (
          .readFailed,
          SystemAdvice.forTooFewFiles ?? "Check the permissions of the file and its folder."
        )
      case SQLITE_READONLY:
        (.sqliteError, "Check the permissions of the file and its folder.")
      case SQLITE_FULL:
        (.writeFailed, "The disk is full. Free some space.")
      case SQLITE_IOERR:
        (.sqliteError, "Check the disk, its free space, and the permissions of the folder.")
      case SQLITE_PROTOCOL:
        (
          .sqliteError,
          "The locks of its file system fail. Use a local disk for the store and for TMPDIR."
        )
      case SQLITE_NOMEM:
        (.sqliteError, "There is not enough memory. Close other programs.")
      default: (.sqliteError, nil)
      }
    // A backup of pages fails without a message; that of opening has the file's URI.
    let isUntold = isFull || primary == SQLITE_CANTOPEN || message == text(of: SQLITE_OK)
    let detail =
      isPageDamage(code, message) ? pageDamage : isUntold ? text(of: primary) : message
    return CofferError(kind, path: path, detail: detail, advice: advice, evidence: code)
  }

  /// SQLite's text for a result code.
  private static func text(of code: Int32) -> String {
    unsafe String(cString: sqlite3_errstr(code))
  }

  /// The text that every command shows for a page that SQLite cannot interpret.
  package static let pageDamage = "SQLite found damage in the pages of the file"

  /// Whether SQLite's message only says that the database is damaged.
  private static func isPageDamage(_ code: Int32, _ message: String) -> Bool {
    code & 0xff == SQLITE_CORRUPT && message == text(of: SQLITE_CORRUPT)
  }

  static func wrapping(_ error: any Error, path: String) -> CofferError {
    if let known = error as? CofferError { return known }
    guard let failure = error as? DatabaseError else {
      return CofferError(.sqliteError, path: path, detail: String(describing: error))
    }
    return fromSQLite(
      code: failure.extendedResultCode.rawValue, message: failure.message ?? "unknown error",
      path: path)
  }
}
