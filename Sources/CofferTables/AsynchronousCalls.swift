internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

// Every function that works on a store or an archive has an asynchronous twin with the same name,
// arguments, result and errors. The work runs on its own thread, where it also calls closures, and the
// caller's actor is free meanwhile. If the task is canceled, the work soon ends with `CancellationError`
// and leaves nothing behind.

extension ObjectBrowser {
  /// Finds the objects that match a query without blocking the caller.
  @discardableResult
  public func show(
    _ path: String, _ query: ObjectQuery, found: @escaping @Sendable (ShownObject) throws -> Void
  ) async throws -> Int {
    try await BackgroundWork.run { try show(path, query, found: found) }
  }

  /// Counts the objects that match a query, by their values, without blocking the caller.
  public func groups(
    _ path: String, _ query: ObjectQuery, by properties: [String]
  ) async throws -> [ObjectGroup] {
    try await BackgroundWork.run { try groups(path, query, by: properties) }
  }
}

extension StoreQueries {
  /// The tables as they are now, without blocking the caller.
  public func tables() async throws -> [QueryTable] {
    try await BackgroundWork.run { try tables() }
  }

  /// Runs a statement without blocking the caller.
  @discardableResult
  public func run(
    _ statement: String, limits: QueryLimits = QueryLimits(),
    columns: @escaping @Sendable ([String]) throws -> Void,
    row: @escaping @Sendable ([QueryValue]) throws -> Bool
  ) async throws -> Int {
    try await BackgroundWork.run {
      try run(statement, limits: limits, columns: columns, row: row)
    }
  }
}

extension DataExporter {
  /// Writes the objects of a store or an archive to a folder without blocking the caller.
  @discardableResult
  public func write(_ path: String, to folder: String) async throws -> DataExportSummary {
    try await BackgroundWork.run(progress) { try write(path, to: folder) }
  }
}

extension TableImporter {
  /// Makes a store of tables without blocking the caller.
  @discardableResult
  public func `import`(_ tables: String, to store: String) async throws -> TableImportSummary {
    try await BackgroundWork.run(progress) { try self.import(tables, to: store) }
  }
}
