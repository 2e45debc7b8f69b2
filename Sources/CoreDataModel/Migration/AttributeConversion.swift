/// The conversion of values when an attribute gets another type.
///
/// An inferred mapping converts between types of numbers: "Attributes – numerical type conversion"
/// (WWDC 2010, session 118, as quoted in public). What Core Data does with a number that the new
/// type cannot hold is not known, so each value must be the same before and after: integers and
/// truth values to any other type of numbers that holds all of them exactly, and a number of 32
/// bits to one of 64. All others are refused: Core Data says "Source and destination attribute
/// types are incompatible" (docs/migration.md).
package enum AttributeConversion: Sendable, Equatable {
  /// The values do not change.
  case none
  /// The values do not change, if they are in that range.
  case range(ClosedRange<Int64>)

  /// The conversion between two types; nil if there is none.
  package init?(from old: AttributeType, to new: AttributeType) {
    if old == new || old == .float && new == .double {
      self = .none
      return
    }
    guard let values = Self.values(of: old), let exact = Self.exactIntegers(of: new) else {
      return nil
    }
    let fits = exact.lowerBound <= values.lowerBound && exact.upperBound >= values.upperBound
    self = fits ? .none : .range(exact)
  }

  /// The values of a type that has whole numbers only; nil for other types.
  private static func values(of type: AttributeType) -> ClosedRange<Int64>? {
    switch type {
    case .boolean: 0...1
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }

  /// The whole numbers that a type of numbers holds exactly, without a gap; nil for other types.
  private static func exactIntegers(of type: AttributeType) -> ClosedRange<Int64>? {
    switch type {
    case .float: -(1 << 24)...(1 << 24)
    // Core Data keeps decimal numbers as SQLite's numbers, which are always exact up to here.
    case .double, .decimal: -(1 << 53)...(1 << 53)
    default: values(of: type)
    }
  }
}
