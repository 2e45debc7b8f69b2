package import CoreDataModel

/// The form of a column's values in a line.
///
/// Every form falls back to a tag if a value's storage class does not match.
package enum ValueForm: UInt8 {
  case integer
  /// An integer, written as `true` or `false` when it is 1 or 0.
  case boolean
  /// A floating point number.
  case real
  /// An integer or a floating point number.
  case number
  /// Seconds since 2001, written as ISO 8601.
  case date
  case text
  /// 16 bytes, written as a UUID.
  case uuid
  case binary
  /// Bytes after a marker that says whether they are here or in a file.
  case externalBinary
  /// The primary key of a destination.
  case toOne
  /// The primary key of a destination whose entity is in a second column.
  case polymorphicToOne
  /// Any value, for unexplained columns.
  case plain
  /// Not a value: the following steps are the members of a nested object.
  case group

  /// The form of an attribute's values.
  package init(_ type: AttributeType, isExternal: Bool) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .integer
      case .boolean: .boolean
      case .double, .float: .real
      case .decimal: .number
      case .date: .date
      case .string, .uri: .text
      case .uuid: .uuid
      case .binary, .transformable: isExternal ? .externalBinary : .binary
      default: .plain
      }
  }
}
