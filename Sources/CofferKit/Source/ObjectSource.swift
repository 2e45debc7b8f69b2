internal import CoreDataArchive
internal import CoreDataModel

/// The rows of a store or of an archive, as the lines of an archive.
protocol ObjectSource {
  /// The path, for errors.
  var path: String { get }
  var model: ManagedObjectModel { get }
  /// The tables, in the order of an archive.
  var shapes: [TableLayout] { get }

  /// Reads a table from its beginning.
  ///
  /// - Parameters:
  ///   - shape: the table.
  ///   - keys: the range of the primary keys that are wanted, others may come too; nil for all.
  /// - Returns: its parts.
  /// - Throws: `StoreError` for a table that cannot be read.
  func reader(of shape: TableLayout, keys: ClosedRange<Int64>?) throws -> any PartReader

  /// Makes sure that what was read so far is of one moment.
  func requireUnchanged() throws
}

extension ObjectSource {
  /// Reads all of a table from its beginning.
  func reader(of shape: TableLayout) throws -> any PartReader { try reader(of: shape, keys: nil) }
}
