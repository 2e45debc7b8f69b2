/// The form of the values of attributes whose data may be in files: a marker, then the data itself, or
/// the name of a file.
///
/// Source: store-format, section 6.
package enum ExternalValue {
  /// The first byte of a value that has its data within.
  package static let inlineMarker: UInt8 = 1
  /// The first byte of a value whose data is in a file.
  package static let fileMarker: UInt8 = 2

  /// The name of the file that a value is in; nil for a value that is in no file.
  static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == 38, unsafe bytes[0] == fileMarker, unsafe bytes[37] == 0 else {
      return nil
    }
    return unsafe String(validating: bytes[1..<37], as: UTF8.self)
  }

  /// The name of the file that a value is in; nil for a value that is in no file.
  package static func fileName(_ value: SQLiteValue) -> String? {
    unsafe value.blob?.withUnsafeBytes { unsafe fileName($0) }
  }

  /// The value that is in a file.
  package static func inFile(named name: String) -> SQLiteValue {
    .blob([fileMarker] + Array(name.utf8) + [0])
  }
}
