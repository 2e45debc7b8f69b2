public import CoreDataModel

/// The value of an attribute, as it is shown.
public indirect enum ShownValue: Sendable, Equatable {
  /// There is none.
  case none
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// A text, a URI or a UUID.
  case text(String)
  /// A point in time, as ISO 8601 in UTC.
  case date(String)
  /// Bytes, of which only the number is shown.
  case data(count: Int)
  /// Bytes in a file beside the store, by its name.
  case file(String)
  /// A transformable value that is a keyed archive or a property list, as the tree of what is in it; no
  /// class is ever instantiated.
  case tree(ModelValue)
  /// The elements of a composite attribute that have a value, in ascending order of names.
  case composite([ShownAttribute])
}

/// An attribute of an object with its value.
public struct ShownAttribute: Sendable, Equatable {
  /// The name.
  public var name: String
  /// The value.
  public var value: ShownValue
}
