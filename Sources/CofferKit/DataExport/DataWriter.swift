/// Writes objects in one shape: what a new format has to do.
///
/// The calls come as ``begin(_:)``, any number of ``write(_:part:)``, ``end()`` for each table, and
/// ``finish()`` after the last. ``write(_:part:)`` is called for every object and must not allocate.
protocol DataWriter: AnyObject {
  /// Prepares the parts of a table.
  func begin(_ table: ExportedTable) throws
  /// Writes the object or the pair of a row.
  ///
  /// - Parameters:
  ///   - row: the values, by the columns of the table.
  ///   - part: the index of the part that it belongs to.
  /// - Throws: `CofferError` where it cannot be written.
  func write(_ row: Row, part: Int) throws
  /// No row of the table is left.
  func end() throws
  /// The name of the file of a part of the current table.
  func fileName(part: Int) -> String
}
