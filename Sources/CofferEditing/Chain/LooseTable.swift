internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// Merges the changes of a table without a row key with its rows in an archive.
///
/// All rows are kept in memory: Core Data has no such tables, and they are rarely large.
struct LooseTable: RowHandler {
  private let archive: OpenArchive
  private let shape: TableLayout
  private let isReplaced: Bool
  /// The rows; in the order of an archive after ``finish()``.
  private(set) var rows: [ChangeSide] = []

  /// Reads the rows of an archive, unless the changes replace them.
  init(_ shape: TableLayout, of archive: OpenArchive, isReplaced: Bool) throws {
    (self.archive, self.shape, self.isReplaced) = (archive, shape, isReplaced)
    guard !isReplaced else { return }
    let cursor = ArchiveRows(shape, of: archive, archive.parts(of: shape)[...])
    while try cursor.next() { rows.append(ChangeSide(cursor, shape.fields.count)) }
  }

  mutating func remove(_ first: some RowCursor) throws {
    let place = try rows.firstIndex { row in
      try shape.fields.indices.allSatisfy { try row.hasSameValue($0, as: first, $0) }
    }
    guard let place else {
      throw CofferError(
        .wrongState, path: archive.path, item: "table \(shape.storedName)",
        detail: "a row does not exist, but the changes begin with it")
    }
    rows.remove(at: place)
  }

  mutating func add(_ second: some RowCursor) throws {
    rows.append(ChangeSide(second, shape.fields.count))
  }

  mutating func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    try remove(first)
    try add(second)
  }

  mutating func finish() throws {
    guard !isReplaced else { return }
    let columns = PartRule.keyColumns(of: shape, archive.documents.schema)
    func key(_ row: ChangeSide) -> [KeyValue] { columns.map { KeyValue(row.row, $0) } }
    rows.sort { key($0).lexicographicallyPrecedes(key($1)) }
  }
}
