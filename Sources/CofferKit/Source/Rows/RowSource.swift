internal import CoreDataArchive
internal import CoreDataModel

/// The rows of a store or of an archive as values, table by table: the same from both.
protocol RowSource {
  /// The path, for errors.
  var path: String { get }
  var model: ManagedObjectModel { get }
  /// The tables in the order in which an archive holds them.
  var shapes: [TableLayout] { get }
  var entities: ArchiveEntities { get }

  /// How many rows a table has, exactly or about; nil where nothing tells.
  func estimatedRowCount(of shape: TableLayout) -> Int?

  /// Shows all rows of a table, in the order of an archive.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - cells: filled with each row.
  ///   - body: called for each row.
  /// - Throws: `StoreError` or `ArchiveError` where the table cannot be read on; what the closure throws.
  func readRows(of shape: TableLayout, into cells: RowCells, _ body: () throws -> Void) throws

  /// Reads a file of external binary data piece by piece.
  ///
  /// - Parameters:
  ///   - name: the name by which objects refer to it.
  ///   - body: called with the bytes.
  /// - Returns: false, and nothing was called, where there is no such file.
  /// - Throws: `StoreError` or `ArchiveError` where it cannot be read; what the closure throws.
  func readExternalFile(
    _ name: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool

  /// Makes sure that all that was read is of one moment, and of what the path still leads to.
  func requireUnchanged() throws
}
