/// What becomes of values when an attribute gets another type.
///
/// Only what cannot change a value is done: integers among themselves, as long as every value fits,
/// and a number of 32 bits to one of 64. That Core Data refuses others ("Source and destination
/// attribute types are incompatible") is read; that it does these is widely believed
/// (docs/migration.md).
package enum AttributeConversion: Sendable, Equatable {
  /// The values stay as they are.
  case none
  /// The values stay as they are, if they lie in that range.
  case range(ClosedRange<Int64>)

  /// The conversion between two types; nil where there is none.
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
