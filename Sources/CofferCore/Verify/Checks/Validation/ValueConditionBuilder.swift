package import CoreDataModel

/// Builds conditions from the validations of an attribute that can be evaluated: comparisons of the
/// value or its length with constants, combined with AND, OR and NOT.
///
/// Regular expressions, functions, other key paths, and text comparisons that need Unicode tables
/// are not supported.
package struct ValueConditionBuilder {
  /// The comparison of the value.
  package enum Subject {
    /// A number; a Boolean is 0 or 1.
    case number
    /// Seconds since 2001.
    case date
    /// A text. Its length counts UTF-16 code units, as in Core Data.
    case text
    /// Bytes, which can be compared by length.
    case binary
    /// A value that can only be compared with nil.
    case other
  }

  /// The comparison of the values of the attribute.
  let subject: Subject
  private let isFloat: Bool

  init(_ type: AttributeType) {
    isFloat = type == .float
    subject =
      switch type {
      case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: .number
      case .date: .date
      case .string: .text
      case .binary: .binary
      default: .other
      }
  }

  /// The condition of a predicate; nil if any part of it cannot be evaluated.
  func condition(_ predicate: ModelPredicate) -> ValueCondition? {
    switch predicate {
    case .not(let part): return condition(part).map(ValueCondition.not)
    case .and(let parts): return conditions(parts).map(ValueCondition.all)
    case .or(let parts): return conditions(parts).map(ValueCondition.any)
    case .comparison(let left, let comparison, let right):
      guard comparison.modifier == 0 else { return nil }
      if isValue(left) { return compareValue(comparison, right) }
      if isLength(left) { return compareNumber(comparison, right, StoredNumber.init) }
      // A constant on the left: exchange the sides.
      guard let relation = ValueCondition.Relation(rawValue: comparison.rawValue) else {
        return nil
      }
      let flipped = ModelPredicate.Operator(
        rawValue: relation.flipped.rawValue, modifier: 0, options: comparison.options)
      if isValue(right) { return compareValue(flipped, left) }
      if isLength(right) { return compareNumber(flipped, left, StoredNumber.init) }
      return nil
    case .other: return nil
    }
  }

  private func conditions(_ parts: [ModelPredicate]) -> [ValueCondition]? {
    let found = parts.compactMap(condition)
    return found.count == parts.count ? found : nil
  }

  // MARK: Sides

  private func isValue(_ expression: ModelExpression) -> Bool {
    switch expression {
    case .evaluatedObject, .keyPath(nil, "self"), .keyPath(.evaluatedObject?, "self"): true
    default: false
    }
  }

  private func isLength(_ expression: ModelExpression) -> Bool {
    switch (subject, expression) {
    case (.text, .keyPath(nil, "length")), (.text, .keyPath(.evaluatedObject?, "length")),
      (.binary, .keyPath(nil, "length")), (.binary, .keyPath(.evaluatedObject?, "length")):
      true
    default: false
    }
  }

  private func constant(_ expression: ModelExpression) -> ModelValue? {
    guard case .constant(let value) = expression else { return nil }
    return value ?? .null
  }

  private func constants(_ expression: ModelExpression) -> [ModelValue]? {
    switch expression {
    case .constant(.array(let values)?): return values
    case .aggregate(let parts):
      let values = parts.compactMap(constant)
      return values.count == parts.count ? values : nil
    default: return nil
    }
  }

  // MARK: Comparisons

  private func compareValue(
    _ comparison: ModelPredicate.Operator, _ right: ModelExpression
  ) -> ValueCondition? {
    // Missing values do not get here.
    if constant(right) == .null {
      switch comparison.rawValue {
      case 4: return .constant(false)
      case 5: return .constant(true)
      default: return nil
      }
    }
    switch subject {
    case .number:
      return compareNumber(comparison, right) { value in
        let number = StoredNumber(value)
        return isFloat ? number?.roundedToFloat : number
      }
    case .date: return compareNumber(comparison, right) { Self.seconds($0).map(StoredNumber.real) }
    case .text: return compareText(comparison, right)
    case .binary, .other: return nil
    }
  }

  private static func seconds(_ value: ModelValue) -> Double? {
    if case .date(let seconds) = value { seconds } else { nil }
  }

  private func compareNumber(
    _ comparison: ModelPredicate.Operator, _ right: ModelExpression,
    _ number: (ModelValue) -> StoredNumber?
  ) -> ValueCondition? {
    if let relation = ValueCondition.Relation(rawValue: comparison.rawValue) {
      return constant(right).flatMap(number).map { .number(relation, $0) }
    }
    guard let values = constants(right) else { return nil }
    let numbers = values.compactMap(number)
    guard numbers.count == values.count else { return nil }
    switch comparison.symbol {
    case "BETWEEN" where numbers.count == 2:
      return .all([.number(.greaterOrEqual, numbers[0]), .number(.lessOrEqual, numbers[1])])
    case "IN": return .any(numbers.map { .number(.equal, $0) })
    default: return nil
    }
  }

  private func compareText(
    _ comparison: ModelPredicate.Operator, _ right: ModelExpression
  ) -> ValueCondition? {
    guard comparison.options == 0 else { return nil }
    if comparison.symbol == "IN" {
      guard let values = constants(right) else { return nil }
      let texts = values.compactMap(Self.bytes)
      return texts.count == values.count ? .any(texts.map(ValueCondition.text)) : nil
    }
    guard let bytes = constant(right).flatMap(Self.bytes) else { return nil }
    switch comparison.symbol {
    case "==": return .text(bytes)
    case "!=": return .not(.text(bytes))
    case "BEGINSWITH": return Self.isPlain(bytes) ? .prefix(bytes) : nil
    case "ENDSWITH": return Self.isPlain(bytes) ? .suffix(bytes) : nil
    case "CONTAINS": return Self.isPlain(bytes) ? .part(bytes) : nil
    default: return nil
    }
  }

  private static func bytes(_ value: ModelValue) -> [UInt8]? {
    if case .string(let text) = value { Array(text.utf8) } else { nil }
  }

  /// Whether a search for a text can compare bytes.
  ///
  /// Foundation's search treats canonically equivalent texts as equal, and except for these three,
  /// no ASCII character has an equivalent.
  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 && !"K;`".utf8.contains($0) }
  }
}

/// The validations of an attribute that can be evaluated, and the others.
package struct ValidationRules {
  /// The conditions, each with its predicate.
  package private(set) var conditions: [(condition: ValueCondition, predicate: ModelPredicate)] = []
  /// The predicates that cannot be evaluated.
  package private(set) var notEvaluated: [ModelPredicate] = []
  /// The comparison of the values.
  package let subject: ValueConditionBuilder.Subject

  /// Builds the conditions of an attribute with values of a type.
  package init(_ attribute: AttributeDescription, _ type: AttributeType) {
    let builder = ValueConditionBuilder(type)
    subject = builder.subject
    for predicate in attribute.validationPredicates.flatMap({ Self.parts(of: $0.predicate) }) {
      if let condition = builder.condition(predicate) {
        conditions.append((condition, predicate))
      } else {
        notEvaluated.append(predicate)
      }
    }
  }

  /// The operands of AND, separately, so that the ones that can be evaluated are still checked.
  private static func parts(of predicate: ModelPredicate) -> [ModelPredicate] {
    if case .and(let parts) = predicate { parts.flatMap(Self.parts) } else { [predicate] }
  }
}
