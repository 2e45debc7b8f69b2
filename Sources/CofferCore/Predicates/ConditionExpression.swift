internal import Foundation

/// A value that is computed in the scope of a condition.
indirect enum ConditionExpression {
  /// The same for all objects.
  case constant(ConditionOperand)
  /// A value of an object.
  case property(ConditionProperty)
  case count(ConditionCollection)
  /// An aggregate of a property of the objects of a collection; of those with the same value of another
  /// property, only the first counts, and those without one do not.
  case aggregate(
    ConditionAggregate, ConditionCollection, ConditionProperty, distinctBy: ConditionProperty?)
  /// One of two values, as a condition holds or not.
  case choice(ObjectTest, ConditionExpression, ConditionExpression)
  /// Two numbers, or dates as their seconds, with an operator.
  case arithmetic(ArithmeticOperator, ConditionExpression, ConditionExpression, NumberKind)
  case function(ConditionFunction, ConditionExpression)

  /// The moment it is, in seconds since 2001.
  static var now: Self { .constant(.number(.real(Date().timeIntervalSinceReferenceDate))) }

  /// The value; none where a part that is needed has none, or where it is not a finite number.
  func operand(in scope: ConditionScope) throws -> ConditionOperand {
    switch self {
    case .constant(let operand): return operand
    case .property(let property): return try property.operand(in: scope)
    case .count(let collection): return .number(.integer(Int64(try scope.count(collection))))
    case .aggregate(let aggregate, let collection, let property, let distinct):
      return try aggregate.result(of: collection, property, distinctBy: distinct, in: scope)
    case .choice(let test, let first, let second):
      return try (test.holds(in: scope) ? first : second).operand(in: scope)
    case .arithmetic(let operation, let left, let right, let kind):
      guard case .number(let left) = try left.operand(in: scope),
        case .number(let right) = try right.operand(in: scope)
      else { return .none }
      return operation.result(left, right, kind).map(ConditionOperand.number) ?? .none
    case .function(let function, let value): return function.result(try value.operand(in: scope))
    }
  }
}

/// A function of one value.
enum ConditionFunction: String, CaseIterable {
  case abs = "abs:"
  case ceiling = "ceiling:"
  case floor = "floor:"
  case trunc = "trunc:"
  case sqrt = "sqrt:"
  case exp = "exp:"
  case ln = "ln:"
  case log = "log:"
  case lowercase = "lowercase:"
  case uppercase = "uppercase:"
  case length = "length:"
  case canonical = "canonical:"
  case onesComplement = "onesComplement:"

  /// Whether it takes a text, and not a number.
  var takesText: Bool { [.lowercase, .uppercase, .length, .canonical].contains(self) }

  func type(for type: ConditionType) -> ConditionType {
    switch self {
    case .abs, .ceiling, .floor, .trunc:
      .number(type.numberKind == .float ? .double : type.numberKind ?? .double)
    case .sqrt, .exp, .ln, .log: .number(.double)
    case .lowercase, .uppercase, .canonical: .text
    case .length, .onesComplement: .number(.integer)
    }
  }

  /// The result; nil without a value, or if it is not a finite number.
  func result(_ operand: ConditionOperand) -> ConditionOperand {
    switch operand {
    case .number(let number): self.number(number).map(ConditionOperand.number) ?? .none
    case .text(let text):
      self.text(text)
    case .none, .other: .none
    }
  }

  private func text(_ text: ComparedText) -> ConditionOperand {
    let string = String(decoding: text.bytes, as: UTF8.self)
    return switch self {
    case .lowercase: .text(ComparedText(Array(string.lowercased().utf8)))
    case .uppercase: .text(ComparedText(Array(string.uppercased().utf8)))
    case .canonical: .text(ComparedText(text.bytes, [.letterCase, .diacritics]).unfolded)
    case .length: .number(.integer(Int64(string.utf16.count)))
    case .abs, .ceiling, .floor, .trunc, .sqrt, .exp, .ln, .log, .onesComplement: .none
    }
  }

  private func number(_ number: StoredNumber) -> StoredNumber? {
    let value = number.double
    switch self {
    case .abs:
      if case .integer(let value) = number, value > .min { return .integer(Swift.abs(value)) }
      return .finite(Swift.abs(value))
    case .ceiling, .floor, .trunc:
      if case .integer = number { return number }
      let rule: FloatingPointRoundingRule =
        self == .ceiling ? .up : self == .floor ? .down : .towardZero
      return .finite(value.rounded(rule))
    case .sqrt: return .finite(value.squareRoot())
    case .exp: return .finite(Foundation.exp(value))
    case .ln: return .finite(Foundation.log(value))
    case .log: return .finite(Foundation.log10(value))
    case .onesComplement:
      guard case .integer(let value) = number else { return nil }
      return .integer(~value)
    case .lowercase, .uppercase, .length, .canonical: return nil
    }
  }
}

/// A value that a condition compares.
enum ConditionOperand {
  case none
  /// A number, a truth value as 1 or 0, seconds since 2001, or a primary key.
  case number(StoredNumber)
  case text(ComparedText)
  /// A value that is not of its attribute's type, or of a type that is not compared.
  case other

  /// Which of two comes first: -1, 0 or 1; nil where they cannot be compared.
  func order(to other: ConditionOperand) -> Int? {
    switch (self, other) {
    case (.none, .none): 0
    case (.number(let left), .number(let right)): StoredNumber.order(left, right)
    case (.text(let left), .text(let right)): left.order(to: right)
    default: nil
    }
  }
}
