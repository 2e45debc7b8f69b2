package import CoreDataArchive
package import CoreDataLayout
package import CoreDataModel
package import CoreDataStore

/// A store or an archive: its description, and its rows as values, table by table.
package protocol RowSource {
  /// The rows of one of its tables.
  associatedtype Rows: RowCursor

  var kind: SourceKind { get }
  /// The path, for errors.
  var path: String { get }
  var model: ManagedObjectModel { get }
  var schema: SchemaDocument { get }
  /// The tables in the order of an archive.
  var shapes: [TableLayout] { get }
  var entities: NumberedEntities { get }

  /// A fingerprint that shows that another source is equal without reading the rows; nil for a
  /// store.
  var fingerprint: ArchiveFingerprint? { get }

  /// The store metadata.
  func metadata() throws -> StoreMetadata

  /// The number of rows of a table: exact in an archive, approximate in a store; nil if unknown.
  func estimatedRowCount(of shape: TableLayout) -> Int?

  /// The digests of all that a table has by the names of an archive's entries; nil where they would
  /// have to be computed.
  func digests(of shape: TableLayout) -> [Name: ArchiveDigest]?

  /// Starts to read a table, in the order of an archive.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - row: the row to fill.
  ///   - keys: the range of requested primary keys, nil for all. Rows with other keys may come too.
  ///   - filter: a condition that all requested rows meet, nil for all. Other rows may come too.
  /// - Returns: the rows, which are read lazily.
  /// - Throws: `CofferError` if the table cannot be read.
  func rows(
    of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?, filter: RowFilter?
  ) throws -> Rows

  /// The files of the support folder, in any order.
  func files() throws -> [SupportFolder.File]

  /// The irregular file that hides files of the store, so that ``files()`` lack them; nil if there is none.
  func screen() throws -> SupportFolder.Irregular?

  /// Checks that nothing hides files of the store; throws `refused` if something does.
  func requireComplete() throws

  /// Reads a file of the support folder in pieces.
  ///
  /// - Parameters:
  ///   - file: one of ``files()``.
  ///   - body: called with each piece.
  /// - Returns: false, without a call, if the file no longer exists.
  /// - Throws: `CofferError` if it cannot be read; errors from the closure.
  func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool

  /// The digest of a file of the support folder.
  func digest(of file: SupportFolder.File) throws -> ArchiveDigest

  /// Checks that everything read belongs to one state of the source, and that the path still leads
  /// to it.
  ///
  /// - Throws: `CofferError` with `store-busy` if it does not.
  func requireUnchanged() throws
}

extension RowSource {
  // An archive has all its files.
  package func screen() throws -> SupportFolder.Irregular? { nil }
  package func requireComplete() throws {}

  /// Whether a file has the same bytes as a file of another source.
  ///
  /// Reads both if they are of one size.
  package func hasSameBytes(
    _ file: SupportFolder.File, as other: SupportFolder.File, of source: some RowSource
  ) throws -> Bool {
    try file.size == other.size && digest(of: file) == source.digest(of: other)
  }

  /// Starts to read all rows of a table, in the order of an archive.
  package func rows(of shape: TableLayout, into row: Row) throws -> Rows {
    try rows(of: shape, into: row, keys: nil, filter: nil)
  }

  /// Starts to read a table into a new row.
  package func rows(
    of shape: TableLayout, keys: ClosedRange<Int64>? = nil, filter: RowFilter? = nil
  ) throws -> Rows {
    try rows(of: shape, into: Row(columnCount: shape.fields.count), keys: keys, filter: filter)
  }

  /// The table of the objects of an entity; nil if there is none.
  package func table(of entity: Name) -> TableLayout? {
    guard let root = model.root(of: entity)?.name else { return nil }
    return shapes.first { $0.kind == .entity && $0.entityName == root }
  }

  /// A table of the persistent history; nil if no table has that name.
  package func historyTable(_ name: String) -> TableLayout? {
    shapes.first { $0.kind == .history && $0.storedName == name }
  }

  /// The number of objects, exact or approximate.
  package var estimatedObjectCount: Int {
    shapes.filter { $0.kind == .entity }.reduce(0) {
      $0.addingReportingOverflow(estimatedRowCount(of: $1) ?? 0).partialValue
    }
  }
}

/// The rows of one table, one after another.
///
/// Advancing and loading are separate, so that a row of an archive that is known to equal another
/// need not be decoded.
package protocol RowCursor: AnyObject {
  /// The current row after loading. It is the same object for all rows, and its values are borrowed
  /// until the next ``advance()``.
  var row: Row { get }

  /// Moves to the next row and releases the values of the current one; returns false after the last row.
  func advance() throws -> Bool

  /// Fills ``row`` with the values of the current row. A second call does nothing.
  func load() throws

  /// The current row as a line of an archive; nil in a store, and after loading.
  var line: UnsafeRawBufferPointer? { get }

  /// Whether the current line may refer to values outside it, so that the same line may have a
  /// different meaning in another part.
  var mayReferElsewhere: Bool { get }

  /// Reads a text or a blob of the current row in pieces, wherever its bytes are.
  func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

  /// The digest of a text or a blob of the current row.
  ///
  /// - Parameters:
  ///   - column: the column.
  ///   - offset: the number of bytes to skip at the start: 0, or 1 for a marker.
  /// - Returns: the digest of the other bytes.
  /// - Throws: the same errors as ``readValue(_:_:)``.
  func digest(of column: Int, from offset: Int) throws -> ArchiveDigest
}

extension RowCursor {
  package var line: UnsafeRawBufferPointer? { nil }
  package var mayReferElsewhere: Bool { false }

  /// Moves to the next row and loads it.
  ///
  /// - Returns: false after the last row.
  /// - Throws: the errors of ``advance()`` and ``load()``.
  package func next() throws -> Bool {
    guard try advance() else { return false }
    try load()
    return true
  }

  package func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    try computedDigest(of: column, from: offset)
  }

  /// Whether a value of the current, loaded row is identical to one of another.
  package func hasSameValue(
    _ column: Int, as other: some RowCursor, _ otherColumn: Int
  ) throws -> Bool {
    if let answer = row.isSame(column, as: other.row, otherColumn) { return answer }
    // One side has the marker separate from its bytes, the other directly before them.
    let markers = (row.firstByte(column) == 1, other.row.firstByte(otherColumn) == 1)
    let offset = markers == (true, true) ? 1 : 0
    return try digest(of: column, from: offset) == other.digest(of: otherColumn, from: offset)
  }

  /// The digest of a text or a blob, computed from its bytes.
  package func computedDigest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    var hasher = ContentHasher()
    var skipped = offset
    try unsafe readValue(column) { bytes in
      let start = min(skipped, bytes.count)
      skipped -= start
      unsafe hasher.update(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
    return hasher.digest
  }
}
