/// A function of the values of a collection.
enum ConditionAggregate: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case least = "@min"
  case greatest = "@max"
  case average = "@avg"
  case median
  case mode
  case deviation

  /// The function of a name such as `sum:`; nil for none.
  init?(function: String) {
    let functions: [String: Self] = [
      "count:": .count, "sum:": .sum, "min:": .least, "max:": .greatest, "average:": .average,
      "median:": .median, "mode:": .mode, "stddev:": .deviation,
    ]
    guard let found = functions[function] else { return nil }
    self = found
  }

  /// The type of the result for values of a type; nil for types that
  /// it does not take.
  func type(for type: ConditionType) -> ConditionType? {
    switch (self, type.numberKind, type) {
    case (.count, _, _): .number(.integer)
    case (.least, _?, _), (.greatest, _?, _), (.mode, _?, _), (.least, _, .date), (.mode, _, .date),
      (.greatest, _, .date), (.least, _, .text), (.greatest, _, .text), (.mode, _, .text):
      type
    case (.sum, let kind?, _): .number(kind == .float ? .double : kind)
    case (.average, let kind?, _), (.median, let kind?, _):
      .number(kind == .decimal ? .decimal : .double)
    case (.deviation, _?, _): .number(.double)
    default: nil
    }
  }

  /// The result for the objects of a collection.
  ///
  /// Objects without a value do not count. The sum and the number of none are 0; all others are none.
  ///
  /// Without a distinct property, all objects count.
  ///
  /// - Returns: the result; none if it is not a finite number.
  func result(
    of collection: ConditionCollection, _ property: ConditionProperty,
    distinctBy distinct: ConditionProperty?, in scope: ConditionScope
  ) throws -> ConditionOperand {
    var seen: Set<ConditionOperand.Identity> = []
    var values: [ConditionOperand] = []
    try scope.forEach(in: collection) {
      if let distinct {
        guard let identity = try distinct.operand(in: scope).identity,
          seen.insert(identity).inserted
        else { return true }
      }
      let value = try property.operand(in: scope)
      if case .none = value { return true }
      if values.isEmpty || !joinsValues { values.append(value) } else { join(value, &values[0]) }
      return true
    }
    return result(of: values, property.type.numberKind ?? .double)
  }

  /// Whether two values become one at once, so that no more than one is kept.
  private var joinsValues: Bool { self == .least || self == .greatest }

  private func join(_ value: ConditionOperand, _ best: inout ConditionOperand) {
    if value.order(to: best) == (self == .least ? -1 : 1) { best = value }
  }

  private func result(of values: [ConditionOperand], _ kind: NumberKind) -> ConditionOperand {
    switch self {
    case .count: return .number(.integer(Int64(values.count)))
    case .least, .greatest: return values.first ?? .none
    case .mode: return Self.mode(of: values)
    case .sum where values.isEmpty: return .number(.integer(0))
    case .sum: return Self.sum(of: values, kind)
    case .average: return Self.quotient(Self.sum(of: values, kind), values.count, kind)
    case .median: return Self.median(of: values, kind)
    case .deviation: return Self.deviation(of: values)
    }
  }

  private static func sum(_ left: ConditionOperand, _ right: ConditionOperand, _ kind: NumberKind)
    -> ConditionOperand
  {
    guard case .number(let first) = left, case .number(let second) = right else { return left }
    return ArithmeticOperator.add.result(first, second, kind).map(ConditionOperand.number) ?? .none
  }

  private static func sum(of values: [ConditionOperand], _ kind: NumberKind) -> ConditionOperand {
    guard let first = values.first else { return .none }
    return values.dropFirst().reduce(first) { sum($0, $1, kind) }
  }

  private static func quotient(
    _ sum: ConditionOperand, _ count: Int, _ kind: NumberKind
  ) -> ConditionOperand {
    guard case .number(let sum) = sum else { return sum }
    let quotient = ArithmeticOperator.divide.result(
      sum, .integer(Int64(count)), kind == .decimal ? .decimal : .double)
    return quotient.map(ConditionOperand.number) ?? .none
  }

  /// The value in the middle, or the average of the two in the middle.
  private static func median(of values: [ConditionOperand], _ kind: NumberKind) -> ConditionOperand
  {
    let numbers = values.filter { if case .number = $0 { true } else { false } }
      .sorted { $0.order(to: $1) == -1 }
    guard !numbers.isEmpty else { return .none }
    let middle = numbers.count / 2
    if numbers.count % 2 == 1 { return quotient(numbers[middle], 1, kind) }
    return quotient(sum(numbers[middle - 1], numbers[middle], kind), 2, kind)
  }

  /// The value that most have; the least of several.
  private static func mode(of values: [ConditionOperand]) -> ConditionOperand {
    var counts: [ConditionOperand.Identity: (value: ConditionOperand, count: Int)] = [:]
    for value in values {
      if let identity = value.identity { counts[identity, default: (value, 0)].count += 1 }
    }
    let best = counts.values.max { left, right in
      left.count != right.count ? left.count < right.count : right.value.order(to: left.value) == -1
    }
    return best?.value ?? .none
  }

  /// The standard deviation of the values as a whole population.
  private static func deviation(of values: [ConditionOperand]) -> ConditionOperand {
    let numbers = values.compactMap {
      if case .number(let number) = $0 { number.double } else { nil }
    }
    guard !numbers.isEmpty else { return .none }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(numbers.count)).squareRoot()
    return StoredNumber.finite(deviation).map(ConditionOperand.number) ?? .none
  }
}

extension ConditionOperand {
  /// The identity of equal values.
  enum Identity: Hashable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
  }

  /// The identity; nil for no value, and for one that equals none.
  var identity: Identity? {
    switch self {
    case .number(.integer(let value)): .integer(value)
    case .number(.real(let value)): Int64(exactly: value).map(Identity.integer) ?? .real(value)
    case .text(let text): .text(text.bytes)
    case .none, .other: nil
    }
  }
}
