/// A reference of an object to a file of external binary data.
package struct ExternalReference: Sendable {
  /// The name of the file.
  package let file: ExternalFileName
  /// The column that refers to it.
  let column: Int32
  /// The primary key of the object.
  var primaryKey: Int64
  /// The entity number of the object.
  var entityNumber: Int64

  /// Parses the 36 characters of an upper-case UUID and their final NUL; nil for anything else.
  package init?(
    _ bytes: UnsafeRawBufferPointer, column: Int32, primaryKey: Int64, entityNumber: Int64
  ) {
    guard bytes.count == 37, unsafe bytes[36] == 0,
      let file = unsafe ExternalFileName(UnsafeRawBufferPointer(rebasing: bytes[..<36]))
    else { return nil }
    self.file = file
    self.column = column
    self.primaryKey = primaryKey
    self.entityNumber = entityNumber
  }

  /// The file name, an upper-case UUID.
  package var fileName: String { file.text }
}
