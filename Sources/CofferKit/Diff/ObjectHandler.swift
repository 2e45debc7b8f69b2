internal import CoreDataModel
internal import CoreDataStore

/// Turns the rows of a table of objects into differences.
struct ObjectHandler: RowHandler {
  let rows: RowComparison
  let options: ComparisonOptions
  /// The sources' paths, for errors.
  let paths: (first: String, second: String)
  let report: (ObjectDifference) throws -> Void

  func remove(_ first: some RowCursor) throws {
    let id = try identity(first, rows.first, paths.first)
    try report(ObjectDifference(kind: .removed, objectID: id, properties: []))
  }

  func add(_ second: some RowCursor) throws {
    let id = try identity(second, rows.second, paths.second)
    try report(ObjectDifference(kind: .added, objectID: id, properties: []))
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    let properties = try rows.differences(first, second, options)
    guard !properties.isEmpty else { return }
    let id = try identity(second, rows.second, paths.second)
    try report(ObjectDifference(kind: .changed, objectID: id, properties: properties))
  }

  func finish() {}

  private func identity(
    _ cursor: some RowCursor, _ table: ComparedTable, _ path: String
  ) throws(CofferError) -> ManagedObjectID {
    guard let id = table.objectID(cursor.row) else {
      throw CofferError(.damagedStore, path: path, detail: "an object has no primary key")
    }
    return id
  }
}
