/// A value that is too large for its part and becomes an entry of its own after it.
struct LargeValue {
  /// The name of the entry in its folder.
  var name: String
  /// The column of the value.
  var column: Int
  /// The row of the value.
  var row: Int64
  /// The number of stored bytes that are not part of the entry: the marker of external storage.
  var skipped: Int
  /// The size of the entry in bytes.
  var length: Int
  /// The bytes of a text value; blobs are read piece by piece.
  var text: [UInt8]?
}
