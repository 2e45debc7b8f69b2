/// The default value of an attribute in the form in which a store keeps it.
package enum AttributeDefault: Sendable, Equatable {
  case integer(Int64)
  /// A floating-point number, or a date in seconds since 2001-01-01 00:00:00 UTC.
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// The default value of an attribute; nil if it has none, or one that cannot be stored: an integer out of the range
  /// of its type, or a value that needs the app's classes.
  package init?(_ attribute: AttributeDescription) {
    guard let value = attribute.defaultValue else { return nil }
    self.init(value, as: attribute.type)
    guard case .integer(let number) = self else { return }
    let fits =
      switch attribute.type {
      case .integer16: Int16(exactly: number) != nil
      case .integer32: Int32(exactly: number) != nil
      case .boolean: number == 0 || number == 1
      default: true
      }
    if !fits { return nil }
  }

  /// A value as an attribute of a type stores it; nil if the two do not match.
  package init?(_ value: ModelValue, as type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      guard let number = Self.integer(value) else { return nil }
      self = .integer(number)
    case .double, .float, .decimal:
      guard let number = Self.real(value), number.isFinite else { return nil }
      self = .real(number)
    case .date:
      guard case .date(let seconds) = value, seconds.isFinite else { return nil }
      self = .real(seconds)
    case .string:
      guard case .string(let text) = value else { return nil }
      self = .text(text)
    case .uri:
      switch value {
      case .url(let text), .string(let text): self = .text(text)
      default: return nil
      }
    case .uuid:
      guard case .uuid(let text) = value, let bytes = UUIDText.bytes(text) else { return nil }
      self = .bytes(bytes)
    case .binary:
      guard case .data(let bytes) = value else { return nil }
      self = .bytes(bytes)
    default: return nil
    }
  }

  private static func integer(_ value: ModelValue) -> Int64? {
    switch value {
    case .bool(let isTrue): isTrue ? 1 : 0
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  private static func real(_ value: ModelValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    case .object: DecimalNumber(value)?.real
    default: nil
    }
  }
}
