internal import CoreDataModel
internal import POSIX

/// A write-ahead log that belongs to another store than its main file.
extension StoreSnapshot {
  /// The error with its cause, if that is the log of another store.
  static func explained(
    _ error: CofferError, _ files: DatabaseFiles, _ options: SnapshotOptions
  ) -> CofferError {
    guard [.damagedStore, .notCoreData, .notSQLite].contains(error.code) else { return error }
    return foreignLogError(files, options) ?? error
  }

  /// The error for a store that is sound without its log, though not with it; nil if it is not sound
  /// without.
  ///
  /// A private copy without the log is made and checked.
  static func foreignLogError(_ files: DatabaseFiles, _ options: SnapshotOptions) -> CofferError? {
    guard !options.isSalvage, options.content == nil, hasLog(files) else { return nil }
    var alone = salvageOptions
    alone.leavesLog = true
    guard case .success(let snapshot) = attempt(files.main, alone), snapshot.isSound else {
      return nil
    }
    var error = SnapshotOpener.walMissing(
      files, detail: "its -wal file does not belong to it, and without that file it is sound")
    error.advice.append(.salvageStore)
    return error
  }

  private static func hasLog(_ files: DatabaseFiles) -> Bool {
    guard let state = try? files.state() else { return false }
    return state.wal?.size ?? 0 > 0
  }

  /// Whether the main file and the store with its log are two stores: of another UUID with all pages in the
  /// log, or with the same metadata and without one of its tables, which no migration leaves as they were.
  ///
  /// A store that was replaced by another one page by page is like that too, until its log is moved to the
  /// main file. Then the `-shm` knows the log.
  package func namesAnotherStore(_ files: DatabaseFiles) -> Bool {
    guard Self.hasLog(files), !SharedMemoryHeader.knowsLog(of: files),
      let own = Self.identity(ofMainFile: files)
    else { return false }
    let whole = try? use { database throws(CofferError) in try StoreIdentity(database) }
    let logSize = (try? files.state())?.wal?.size ?? 0
    return whole.map { own.isAnother(than: $0, logSize: Int64(logSize)) } ?? true
  }

  private static func identity(ofMainFile files: DatabaseFiles) -> StoreIdentity? {
    let uri = SnapshotOpener.readOnlyURI(files.main) + "&immutable=1"
    guard let main = try? SQLiteConnection(path: uri, access: .reading, place: files.main) else {
      return nil
    }
    defer { try? main.close() }
    return try? main.use { database throws(CofferError) in try StoreIdentity(database) }
  }
}

private struct StoreIdentity {
  private let uuid: String?
  private let propertyList: SQLiteValue
  private let tables: Set<String>
  private let (pageSize, pageCount): (Int64, Int64)

  init(_ database: SQLiteDatabase) throws(CofferError) {
    let row = try database.rows(
      """
      SELECT Z_UUID, CASE WHEN length(Z_PLIST) < 1000000 THEN Z_PLIST END FROM Z_METADATA \
      ORDER BY Z_VERSION LIMIT 1
      """
    ).first
    uuid = row?[0].string
    propertyList = row?[1] ?? .null
    let names = try database.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z%'")
    tables = Set(names.compactMap(\.first?.string))
    func number(_ pragma: String) throws(CofferError) -> Int64 {
      guard case .integer(let number) = try database.value("PRAGMA \(pragma)") else { return 0 }
      return number
    }
    (pageSize, pageCount) = (try number("page_size"), try number("page_count"))
  }

  /// Whether the main file alone and the main file with the log are different stores.
  ///
  /// An app may give a store another UUID: then the log has a few pages, whereas the log of another
  /// store has all pages.
  func isAnother(than whole: StoreIdentity, logSize: Int64) -> Bool {
    guard uuid != nil else { return false }
    if uuid != whole.uuid {
      return whole.pageSize > 0 && logSize / whole.pageSize >= whole.pageCount
    }
    return propertyList == whole.propertyList && !tables.isSubset(of: whole.tables)
  }
}

extension StorePaths {
  /// Whether the header of a store announces a write-ahead log that does not exist: the store was
  /// closed properly, or copied without the log.
  package var lacksLog: Bool {
    let files = DatabaseFiles(main: store)
    guard
      let bytes = try? SourceFile(path: store, kind: .main).bytes(
        at: 0, count: DatabaseHeader.length),
      let header = try? DatabaseHeader(bytes, place: store), header.usesWAL,
      let state = try? files.state()
    else { return false }
    return state.wal?.size ?? 0 == 0
  }
}
