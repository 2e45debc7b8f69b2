internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// A store or an archive, whichever it is: what it says of itself, and its rows as values, table by
/// table.
protocol RowSource {
  /// The rows of one of its tables.
  associatedtype Rows: RowCursor

  var kind: SourceKind { get }
  /// The path, for errors.
  var path: String { get }
  var model: ManagedObjectModel { get }
  var schema: SchemaDocument { get }
  /// The tables in the order in which an archive holds them.
  var shapes: [TableLayout] { get }
  var entities: NumberedEntities { get }

  /// The store metadata.
  ///
  /// - Throws: `CofferError` where an archive's cannot be read.
  func metadata() throws -> StoreMetadata

  /// How many rows a table has: exactly in an archive, about in a store; nil where nothing tells.
  func estimatedRowCount(of shape: TableLayout) -> Int?

  /// The digests of all that a table has by the names of an archive's entries; nil where they would
  /// have to be computed.
  func digests(of shape: TableLayout) -> [ExactString: ArchiveDigest]?

  /// Begins to read a table, in the order of an archive.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - row: filled with each row.
  ///   - keys: the primary keys that are wanted, rows with others may come too; nil for all.
  /// - Returns: the rows, which are read as they are asked for.
  /// - Throws: `CofferError` where the table cannot be read.
  func rows(of shape: TableLayout, into row: Row, keys: ClosedRange<Int64>?) throws -> Rows

  /// The files of the support folder, in any order.
  ///
  /// - Throws: `CofferError` where a store's folder cannot be listed.
  func files() throws -> [SupportFolder.File]

  /// Reads a file of the support folder piece by piece.
  ///
  /// - Parameters:
  ///   - file: one of ``files()``.
  ///   - body: called with the bytes.
  /// - Returns: false, and nothing was called, where it is gone.
  /// - Throws: `CofferError` where it cannot be read; what the closure throws.
  func read(
    _ file: SupportFolder.File, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool

  /// The digest of a file of the support folder.
  ///
  /// - Throws: as ``read(_:_:)``.
  func digest(of file: SupportFolder.File) throws -> ArchiveDigest

  /// Makes sure that all that was read is of one moment, and of what the path still leads to.
  ///
  /// - Throws: `CofferError` with `store-busy` where it is not.
  func requireUnchanged() throws
}

extension RowSource {
  /// Begins to read all rows of a table, in the order of an archive.
  func rows(of shape: TableLayout, into row: Row) throws -> Rows {
    try rows(of: shape, into: row, keys: nil)
  }

  /// Begins to read a table with a row of its own.
  func rows(of shape: TableLayout, keys: ClosedRange<Int64>? = nil) throws -> Rows {
    try rows(of: shape, into: Row(columnCount: shape.fields.count), keys: keys)
  }

  /// How many objects there are, exactly or about.
  var estimatedObjectCount: Int {
    shapes.filter { $0.kind == .entity }.reduce(0) {
      $0.addingReportingOverflow(estimatedRowCount(of: $1) ?? 0).partialValue
    }
  }
}

/// The rows of one table, one after the other.
///
/// To go on and to read the values are two steps, so that a row of an archive that is known to be the
/// same as another need not be decoded.
protocol RowCursor: AnyObject {
  /// The current row, once it is loaded: the same object for all rows, whose values are lent until
  /// the next ``advance()``.
  var row: Row { get }

  /// Goes on to the next row, and gives up the values of the one before.
  ///
  /// - Returns: false behind the last row.
  /// - Throws: `CofferError` where the table cannot be read on.
  func advance() throws -> Bool

  /// Fills ``row`` with the values of the current row; a second call does nothing.
  ///
  /// - Throws: `CofferError` for values that cannot be read.
  func load() throws

  /// The current row as the line that an archive holds; nil in a store, and once it is loaded.
  var line: UnsafeRawBufferPointer? { get }

  /// Whether the current line may refer to values that stand outside of it, so that the same line may
  /// mean something else in another part.
  var mayReferElsewhere: Bool { get }

  /// Reads a text or a blob of the current row piece by piece, wherever its bytes stand.
  ///
  /// - Throws: `CofferError` where they cannot be read; what the closure throws.
  func readValue(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

  /// The digest of a text or a blob of the current row.
  ///
  /// - Parameters:
  ///   - column: the column.
  ///   - offset: how many bytes at the beginning are left out: 0, or 1 for a marker.
  /// - Returns: the digest of the other bytes.
  /// - Throws: as ``readValue(_:_:)``.
  func digest(of column: Int, from offset: Int) throws -> ArchiveDigest
}

extension RowCursor {
  var line: UnsafeRawBufferPointer? { nil }
  var mayReferElsewhere: Bool { false }

  /// Goes on to the next row and loads it.
  ///
  /// - Returns: false behind the last row.
  /// - Throws: as ``advance()`` and ``load()``.
  func next() throws -> Bool {
    guard try advance() else { return false }
    try load()
    return true
  }

  func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    try computedDigest(of: column, from: offset)
  }

  /// The digest of a text or a blob, computed from its bytes.
  func computedDigest(of column: Int, from offset: Int) throws -> ArchiveDigest {
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
