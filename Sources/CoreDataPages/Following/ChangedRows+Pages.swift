package import CoreDataStore

extension ChangedRows {
  /// The rows that may differ between two states of a store, page against page.
  ///
  /// - Returns: the rows; nil for all.
  /// - Throws: ``CofferError``: `store-busy` if a store that is read in place was changed; `read-failed`;
  ///   `CancellationError`.
  package static func between(
    _ old: PersistentStore, _ new: PersistentStore
  ) throws -> ChangedRows? {
    let schema = try old.use { try $0.rows(PageSurvey.schemaStatement) }
    guard schema == (try new.use { try $0.rows(PageSurvey.schemaStatement) }) else { return nil }
    let tables = schema.compactMap(ChangedLeaves.Table.init)
    return try old.pages { before in
      try new.pages { after -> ChangedRows? in
        guard before.pageSize == after.pageSize, let one = try before.single(),
          let other = try after.single(), one.encoding == other.encoding,
          one.hasPointerMap == other.hasPointerMap
        else { return nil }
        guard let leaves = try ChangedLeaves(one, other, tables, after.changes(since: before)),
          try leaves.areInOrder()
        else { return nil }
        return try leaves.rows()
      }.flatMap(\.self)
    }.flatMap(\.self)
  }
}
