/// The type of an attribute, by the number that Core Data gives it.
///
/// Source of the numbers: store-format, section 3.
public struct AttributeType: RawRepresentable, Sendable, Hashable {
  /// Core Data's number of the type.
  public let rawValue: Int

  /// Creates a type from Core Data's number; unknown numbers are kept.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No type; transient attributes only.
  public static let undefined = AttributeType(rawValue: 0)
  /// An integer of 16 bits.
  public static let integer16 = AttributeType(rawValue: 100)
  /// An integer of 32 bits.
  public static let integer32 = AttributeType(rawValue: 200)
  /// An integer of 64 bits.
  public static let integer64 = AttributeType(rawValue: 300)
  /// A decimal number, stored with the precision of a double.
  public static let decimal = AttributeType(rawValue: 400)
  /// A 64-bit floating-point number.
  public static let double = AttributeType(rawValue: 500)
  /// A 32-bit floating-point number.
  public static let float = AttributeType(rawValue: 600)
  /// A string.
  public static let string = AttributeType(rawValue: 700)
  /// A truth value, stored as 0 or 1.
  public static let boolean = AttributeType(rawValue: 800)
  /// A point in time, stored as seconds since 2001-01-01 00:00:00 UTC.
  public static let date = AttributeType(rawValue: 900)
  /// Bytes.
  public static let binary = AttributeType(rawValue: 1000)
  /// A UUID, stored as 16 bytes.
  public static let uuid = AttributeType(rawValue: 1100)
  /// A URI, stored as text.
  public static let uri = AttributeType(rawValue: 1200)
  /// An object that a value transformer converts to bytes.
  public static let transformable = AttributeType(rawValue: 1800)
  /// A managed object ID.
  public static let objectID = AttributeType(rawValue: 2000)
  /// A structure of named elements.
  public static let composite = AttributeType(rawValue: 2100)

  static let names: [Int: String] = [
    0: "Undefined", 100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal",
    500: "Double", 600: "Float", 700: "String", 800: "Boolean", 900: "Date", 1000: "Binary",
    1100: "UUID", 1200: "URI", 1800: "Transformable", 2000: "ObjectID", 2100: "Composite",
  ]

  /// The name that Xcode shows, such as `Integer 16`; the number itself for an unknown type.
  public var name: String { Self.names[rawValue] ?? String(rawValue) }

  /// The type with that name, as ``name`` gives it; nil for any other text.
  public init?(name: String) {
    if let known = Self.names.first(where: { $0.value == name }) {
      self.init(rawValue: known.key)
    } else if let number = Int(name) {
      self.init(rawValue: number)
    } else {
      return nil
    }
  }
}
