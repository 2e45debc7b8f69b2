/// A value that is too large for its part and becomes an entry of its own behind it.
struct LargeValue {
  /// The name of the entry within its folder.
  var name: String
  /// The column that holds it.
  var column: Int
  /// The row that holds it.
  var row: Int64
  /// How many bytes of the stored value are not part of the entry: the marker of external storage.
  var skipped: Int
  /// How many bytes the entry has.
  var length: Int
  /// The bytes, where the value is a text; blobs are read piece by piece.
  var text: [UInt8]?
}
