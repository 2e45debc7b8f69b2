/// A reference of an object to a file of external binary data.
struct ExternalReference: Sendable {
  /// The name of the file.
  let file: ExternalFileName
  /// The column that refers to it.
  let column: Int32
  /// The primary key of the object.
  var primaryKey: Int64
  /// The number of the object's entity.
  var entityNumber: Int64

  /// Reads the 36 characters of a UUID in upper case and the NUL that ends them; nil for all else.
  init?(
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

  /// The name of the file: the UUID in upper case.
  var fileName: String { file.text }
}
