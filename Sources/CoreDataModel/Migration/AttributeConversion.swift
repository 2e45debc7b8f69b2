/// How values change when an attribute gets another type.
///
/// Only conversions that cannot change a value are supported: between integers, as long as every
/// value fits, and from a 32-bit to a 64-bit floating-point number. That Core Data refuses others
/// ("Source and destination attribute types are incompatible") is read; that it supports these is
/// widely believed (docs/migration.md).
package enum AttributeConversion: Sendable, Equatable {
  /// The values do not change.
  case none
  /// The values do not change, if they are in that range.
  case range(ClosedRange<Int64>)

  /// The conversion between two types; nil if there is none.
  package init?(from old: AttributeType, to new: AttributeType) {
    if old == new {
      self = .none
      return
    }
    switch (Self.range(of: old), Self.range(of: new)) {
    case (let first?, let second?):
      self =
        second.lowerBound <= first.lowerBound && second.upperBound >= first.upperBound
        ? .none : .range(second)
    default:
      guard old == .float, new == .double else { return nil }
      self = .none
    }
  }

  /// The values that an integer type can hold; nil for other types.
  private static func range(of type: AttributeType) -> ClosedRange<Int64>? {
    switch type {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}
