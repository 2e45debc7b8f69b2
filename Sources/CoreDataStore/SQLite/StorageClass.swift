/// The storage class of a value in SQLite, by SQLite's numbers (<https://sqlite.org/c3ref/c_blob.html>).
package enum StorageClass: Int32, Sendable {
  /// A 64-bit integer.
  case integer = 1
  /// A 64-bit floating point number.
  case real = 2
  /// A text.
  case text = 3
  /// Bytes.
  case blob = 4
  /// No value.
  case null = 5
}
