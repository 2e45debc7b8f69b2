/// A value of a store, by its storage class.
package enum StoreValue: Sendable, Hashable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// The bytes of a text, valid UTF-8 or not.
  case text([UInt8])
  /// Bytes.
  case blob([UInt8])

  /// A text.
  package static func string(_ text: String) -> StoreValue { .text(Array(text.utf8)) }
  /// A truth value.
  package static func bool(_ value: Bool) -> StoreValue { .integer(value ? 1 : 0) }
  /// The value of an attribute with external storage that is kept in the row.
  package static func inline(_ bytes: [UInt8]) -> StoreValue { .blob([1] + bytes) }
  /// The value of an attribute with external storage that is kept in a file of that name.
  package static func external(_ name: String) -> StoreValue {
    .blob([2] + Array(name.utf8) + [0])
  }
}

extension StoreValue: ExpressibleByStringLiteral {
  /// A text.
  package init(stringLiteral value: String) { self = .string(value) }
}

extension StoreValue: ExpressibleByIntegerLiteral {
  /// An integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension StoreValue: ExpressibleByFloatLiteral {
  /// A floating point number.
  package init(floatLiteral value: Double) { self = .real(value) }
}
