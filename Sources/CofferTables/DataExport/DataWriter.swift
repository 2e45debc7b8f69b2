internal import CofferCore

/// Writes objects in one format; implement it to add a format.
///
/// The calls are ``begin(_:)``, any number of ``write(_:part:)``, and ``end()`` for each table,
/// then ``finish()``. ``write(_:part:)`` is called for every object and must not allocate.
protocol DataWriter: AnyObject {
  /// Prepares the parts of a table.
  func begin(_ table: ExportedTable) throws
  /// Writes the object or the pair of a row.
  ///
  /// - Parameters:
  ///   - row: the values, by the columns of the table.
  ///   - part: the index of the row's part.
  /// - Throws: `CofferError` if it cannot be written.
  func write(_ row: Row, part: Int) throws
  /// Ends the table.
  func end() throws
  /// The name of the file of a part of the current table.
  func fileName(part: Int) -> String
}
