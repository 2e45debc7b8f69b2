internal import CoreDataModel

/// How the values of a column are written in a line, by the type of what they mean.
///
/// Every form falls back to a tag where a value's storage class does not fit.
enum ValueForm: UInt8 {
  /// An integer.
  case integer
  /// An integer, written as `true` or `false` when it is 1 or 0.
  case boolean
  /// A floating point number.
  case real
  /// An integer or a floating point number.
  case number
  /// Seconds since 2001, written as ISO 8601.
  case date
  /// A text.
  case text
  /// 16 bytes, written as a UUID.
  case uuid
  /// Bytes.
  case binary
  /// Bytes behind a marker that says whether they stand here or in a file.
  case externalBinary
  /// The primary key of a destination.
  case toOne
  /// The primary key of a destination whose entity stands in a second column.
  case polymorphicToOne
  /// Whatever it is: columns without a meaning.
  case plain
  /// Not a value: the steps that follow are the members of an object of their own.
  case group

  /// The form of an attribute's values.
  init(_ type: AttributeType, isExternal: Bool) {
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
