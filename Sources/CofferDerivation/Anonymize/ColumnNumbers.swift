internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The replacement of the numbers of one column, which depends on all of them.
///
/// Whole numbers below 1,000 are kept: they are usually indexes or counts. In a column with fractions they
/// are measurements and are replaced; so are coordinates, which keep only their range.
struct ColumnNumbers {
  private enum Kind: Equatable {
    case counting, measuring
    /// A latitude or a longitude, up to a bound.
    case coordinate(Double)
  }

  private let type: AttributeType?
  private let conditions: [ValueCondition]
  private var kind = Kind.counting
  private var hasFractions = false
  private var isPrecise = false
  private var largest = 0.0

  private static let (latitude, longitude) = (90.0, 180.0)
  /// The number of decimals that makes a number precise: it locates a place within 100 m.
  private static let precision = 1000.0
  private static let tolerance = 1e-6

  /// Plans a column.
  ///
  /// The attribute and the type are nil if unknown. The component is the part of a location: 0 for the
  /// latitude.
  init(
    _ name: String?, _ attribute: AttributeDescription?, _ type: AttributeType?, component: Int?
  ) {
    self.type = type
    let isNumber = type.map(Self.isNumber) ?? true
    conditions =
      isNumber
      ? attribute.map { ValidationRules($0, $0.type).conditions.map(\.condition) } ?? [] : []
    guard isNumber else { return }
    if let component {
      kind = .coordinate(component == 0 ? Self.latitude : Self.longitude)
    } else if let name {
      kind = Self.bound(ofName: name).map { .coordinate($0) } ?? .counting
    }
  }

  private static func isNumber(_ type: AttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// The bound of the coordinate that a name denotes; nil for any other name.
  private static func bound(ofName name: String) -> Double? {
    let lower = name.lowercased()
    func means(_ words: [String]) -> Bool {
      lower.contains(words[0])
        || words.dropFirst().contains { word in
          lower == word || lower.hasSuffix("_" + word)
            || name.hasSuffix(word.prefix(1).uppercased() + word.dropFirst())
        }
    }
    if means(["latitude", "lat"]) { return latitude }
    return means(["longitude", "lon", "lng"]) ? longitude : nil
  }

  // MARK: All numbers of the column

  /// Whether values are examined before they are replaced.
  var looks: Bool { kind == .counting && isFractional }

  private var isFractional: Bool {
    switch type {
    case .double, .float, .decimal, nil: true
    default: false
    }
  }

  mutating func look(at number: Double) {
    guard number.isFinite else { return }
    largest = max(largest, abs(number))
    if number != number.rounded() { hasFractions = true }
    if !isPrecise, abs(number) <= Self.longitude {
      let scaled = number * Self.precision
      isPrecise = abs(scaled - scaled.rounded()) > Self.tolerance
    }
  }

  /// Decides the meaning of the numbers in the columns of one table, after all were examined.
  ///
  /// Two columns count as latitude and longitude if their values are in range and precise enough for a
  /// place.
  static func decide(_ columns: inout [ColumnReplacement]) {
    for index in columns.indices where columns[index].numbers.looks {
      if columns[index].numbers.hasFractions { columns[index].numbers.kind = .measuring }
    }
    let places = columns.indices.filter {
      let numbers = columns[$0].numbers
      return numbers.kind == .measuring && numbers.isPrecise && numbers.largest > 1
        && numbers.largest <= longitude
    }
    guard places.count > 1, places.contains(where: { columns[$0].numbers.largest <= latitude })
    else { return }
    for index in places {
      let isLatitude = columns[index].numbers.largest <= latitude
      columns[index].numbers.kind = .coordinate(isLatitude ? latitude : longitude)
    }
  }

  // MARK: One number

  /// Whether a number means "no value".
  func isNothing(_ number: Double) -> Bool {
    switch kind {
    case .counting: false
    case .measuring: number == 0
    case .coordinate: number == 0 || abs(number) == Self.longitude
    }
  }

  /// The replacement of a number; nil if it is kept.
  func value(
    _ value: SQLiteValue, _ number: Double, _ values: ValueReplacement
  ) throws(CofferError) -> SQLiteValue? {
    if !number.isFinite || isNothing(number) || stays(number) { return nil }
    let isValid = holds(value)
    return try values.number(value) { attempt in
      candidate(value, number, attempt, values.numbers).flatMap { result in
        !isValid || holds(result) ? result : nil
      }
    }
  }

  private func stays(_ number: Double) -> Bool {
    guard let whole = Int64(exactly: number) else { return false }
    return switch kind {
    case .counting: NumberReplacement.stays(whole)
    case .measuring: whole.magnitude <= 1
    case .coordinate: false
    }
  }

  private func candidate(
    _ value: SQLiteValue, _ number: Double, _ attempt: Int, _ numbers: NumberReplacement
  ) -> SQLiteValue? {
    if case .coordinate(let bound) = kind, abs(number) <= Self.longitude {
      return rounded(numbers.coordinate(number, within: bound, attempt: attempt), like: value)
    }
    if case .integer(let whole) = value, kind != .measuring {
      return .integer(numbers.whole(whole, attempt: attempt))
    }
    let result = numbers.real(number, attempt: attempt, keepsSmall: kind == .counting)
    // A fraction between 0 and 1 stays one.
    if kind == .measuring, largest <= 1, abs(result) > 1 { return nil }
    return rounded(result, like: value)
  }

  private func rounded(_ number: Double, like value: SQLiteValue) -> SQLiteValue {
    if case .integer = value, !isFractional, let whole = Int64(exactly: number.rounded()) {
      return .integer(whole)
    }
    return .real(type == .float ? Double(Float(number)) : number)
  }

  private func holds(_ value: SQLiteValue) -> Bool {
    let number: StoredNumber? =
      switch value {
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      default: nil
      }
    return conditions.allSatisfy { unsafe $0.holds(number, nil) != false }
  }
}
