package import CofferCore
internal import CoreDataLayout
package import CoreDataModel
internal import CoreDataStore

/// Queries a store or an archive with SQL, using the names of its model.
///
/// ```swift
/// let queries = try StoreQueries("Trips.sqlite")
/// try queries.run("SELECT name, birthday FROM Person LIMIT 3") { names in
///   print(names)
/// } row: { values in
///   print(values)
///   return true
/// }
/// ```
///
/// Each query sees the state of the store when the query begins. The store is never written to; an
/// archive is first restored to a temporary store.
package struct StoreQueries: Sendable {
  private let path: String
  private let environment: WorkEnvironment
  /// The restored archive; nil for a store.
  private let restored: TemporaryStore?

  /// Prepares to answer queries.
  ///
  /// - Parameters:
  ///   - path: the store or the archive, recognized by its content.
  ///   - environment: the environment for reading it.
  ///   - progress: receives the progress of restoring an archive.
  /// - Throws: `not-found` and others for a file that is neither a store nor an archive; for an
  ///   archive the errors of ``StoreImporter``.
  package init(
    _ path: String, environment: WorkEnvironment = WorkEnvironment(),
    progress: any ProgressReporter = SilentProgress()
  ) throws {
    self.path = path
    self.environment = environment
    restored =
      try SourceKind(ofFileAt: path) == .store
      ? nil
      : TemporaryStore(for: .query, in: environment.temporaryFolder) { copy in
        var importer = StoreImporter(progress: progress)
        importer.options.environment = environment.acceptingAnyModel
        try importer.import(path, to: copy)
      }
  }

  /// Limits the memory of SQLite in this process, for all its users.
  ///
  /// A query that exceeds it fails with `invalid-query`.
  package func limitMemory(to bytes: Int) { SQLiteDatabase.limitMemory(to: bytes) }

  /// The current tables, in the order of the store: a root entity, then its subentities.
  ///
  /// - Throws: the errors of opening a store; `nothing-chosen` if there is no entity.
  package func tables() throws -> [QueryTable] { try use { _, views in views.tables } }

  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - statement: one SQL statement that only reads.
  ///   - limits: its limits.
  ///   - columns: receives the names of the columns, before any row.
  ///   - row: receives each row; false ends the query.
  /// - Returns: the number of rows received.
  /// - Throws: ``CofferError``: `invalid-query` for a statement that is not valid SQL, does more than read,
  ///   fails or exceeds the time limit; `store-busy` if a program that does not use a write-ahead log changed
  ///   the store meanwhile, so that the rows may mix two states; errors from the closures;
  ///   `CancellationError`.
  @discardableResult
  package func run(
    _ statement: String, limits: QueryLimits = QueryLimits(),
    columns: ([String]) throws -> Void, row: ([QueryValue]) throws -> Bool
  ) throws -> Int {
    try use { source, views in
      guard let seconds = limits.seconds else {
        return try run(statement, limits.rows, source, views.tables, columns, row)
      }
      let budget = Int64(clamping: Int(seconds * 1e9))
      guard
        let count = try source.database.limitingTime(
          to: budget, orBy: nil,
          { _ in try run(statement, limits.rows, source, views.tables, columns, row) })
      else {
        throw Self.tookTooLong(seconds, path)
      }
      return count
    }
  }

  private func run(
    _ text: String, _ limit: Int?, _ source: StoreRowSource, _ tables: [QueryTable],
    _ columns: ([String]) throws -> Void, _ row: ([QueryValue]) throws -> Bool
  ) throws -> Int {
    let statement = try compiled(text, source.database, tables)
    try columns(statement.columnNames)
    let indices = 0..<statement.columnCount
    var count = 0
    while limit.map({ count < $0 }) ?? true, try step(statement, tables) {
      try Task<Never, Never>.checkCancellation()
      count += 1
      if try !row(indices.map { QueryValue(statement, $0) }) { break }
    }
    try requireOrder(source, text, steps: statement.fullScanSteps)
    return count
  }

  /// Requires that the rows of a table that a statement has scanned were in order.
  ///
  /// This reads the keys of as many rows of a table again as the statement itself did; none if it found
  /// its rows by an index or by their numbers.
  private func requireOrder(_ source: StoreRowSource, _ text: String, steps: Int) throws {
    for scan in try source.database.scans(of: text) {
      guard let shape = source.shapes.first(where: { $0.storedName.hasSameBytes(as: scan.table) })
      else { continue }
      try source.requireOrder(of: shape, limit: scan.isCount ? .max : steps)
    }
  }

  /// Compiles a statement that only reads.
  private func compiled(
    _ text: String, _ database: SQLiteDatabase, _ tables: [QueryTable]
  ) throws(CofferError) -> SQLiteStatement {
    let words = QueryText.firstWord(of: text)
    guard QueryText.reading.contains(words) else {
      throw fault(
        words.isEmpty ? "there is no statement" : "\(words) is not a statement that only reads",
        "Queries begin with SELECT, WITH, VALUES or EXPLAIN.")
    }
    let statement: SQLiteStatement
    do throws(CofferError) {
      statement = try database.prepare(text)
    } catch {
      throw explained(error, tables)
    }
    guard statement.onlyReads else {
      throw fault("it would change the store", "Queries only read.")
    }
    return statement
  }

  private func step(_ statement: borrowing SQLiteStatement, _ tables: [QueryTable]) throws -> Bool {
    do throws(CofferError) {
      return try statement.step()
    } catch {
      try Task<Never, Never>.checkCancellation()
      throw explained(error, tables)
    }
  }

  /// Passes a store whose connection has the views to a closure.
  private func use<T>(_ body: (StoreRowSource, QueryViews) throws -> T) throws -> T {
    let opened = try PersistentStore(
      querying: restored?.path ?? path,
      access: restored == nil ? environment.storeAccess : .inPlace,
      mayKeepWritersWaiting: true)
    defer { opened.close() }
    try opened.requireSoundLog()
    let store = try opened.fitted(to: environment.model)
    return try store.use { database in
      let source = StoreRowSource(store, database, StoreTables(store))
      let views = try QueryViews(source)
      QueryFunctions.add(to: database)
      try database.addFormatting()
      try database.runTemporarily(views.statements)
      let result = try body(source, views)
      try store.requireUnchanged()
      return result
    }
  }

  // MARK: Errors

  /// An SQLite error in a statement, with a suggestion of the intended name.
  private func explained(_ error: CofferError, _ tables: [QueryTable]) -> CofferError {
    switch SQLiteDatabase.QueryLimit(error) {
    case .value:
      return fault(
        "a value or a row has more than \(SQLiteDatabase.longestQueryValue >> 20) MiB",
        "Leave out the attribute with the long value: SQLite reads values whole.")
    case .memory: return fault("it needs too much memory", "Ask for less, such as with LIMIT.")
    case .statements:
      return fault("there are several statements", "Run them one at a time.")
    case nil: break
    }
    guard error.code == .sqliteError else { return error }
    let isTable = error.detail.hasPrefix("no such table")
    let isUnknownName = isTable || error.detail.hasPrefix("no such column")
    let name = error.detail.split(separator: ": ").last.map(String.init) ?? ""
    // The primary key is the first column, called `id` unless a property has this name.
    let columns =
      name == "id" ? tables.prefix(1).flatMap { $0.columns.prefix(1) } : tables.flatMap(\.columns)
    let known = isTable ? tables.map(\.name) : columns.map(\.name).filter { $0 != name }
    let guess = isUnknownName ? SimilarName.nearest(to: name, among: known) : nil
    return fault(
      error.detail,
      guess.map { "Did you mean \(quotedIdentifier($0))?" }
        ?? "Tables have the names of entities; a name with a dot needs double quotes.")
  }

  /// The error for a statement that exceeds the time limit.
  package static func tookTooLong(_ seconds: Double, _ path: String) -> CofferError {
    CofferError(
      .invalidQuery, path: path, detail: "it took more than \(seconds) s of processor time",
      advice: "Ask for less, such as with LIMIT.")
  }

  private func fault(_ detail: String, _ hint: String) -> CofferError {
    CofferError(.invalidQuery, path: path, detail: detail, advice: .sentence(hint))
  }
}

extension QueryValue {
  fileprivate init(_ statement: borrowing SQLiteStatement, _ column: Int32) {
    switch statement.value(column) {
    case .null: self = .none
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): self = .data(bytes)
    }
  }
}
