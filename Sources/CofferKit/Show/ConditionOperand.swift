internal import CoreDataModel

/// A value that a condition compares.
enum ConditionOperand {
  case none
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([ConditionOperand])

  /// The operand that a constant of a predicate is; nil for one that no attribute is compared with.
  init?(_ value: ModelValue?) {
    switch value {
    case nil, .null?: self = .none
    case .bool(let value)?: self = .bool(value)
    case .integer(let number)?: self = .integer(number)
    case .unsigned(let number)?: self = .real(Double(number))
    case .real(let number)?: self = .real(number)
    case .string(let text)?, .uuid(let text)?, .url(let text)?: self = .text(text)
    default: return nil
    }
  }

  /// The operand that the value of an attribute is.
  init(_ value: ShownValue) {
    self =
      switch value {
      case .none: .none
      case .bool(let value): .bool(value)
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text), .date(let text), .file(let text): .text(text)
      case .data, .tree, .composite: .bool(true)
      }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// The number of a number or a truth value; nil for all else.
  private var integer: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let number): number
    default: nil
    }
  }

  private var real: Double? {
    if case .real(let number) = self { number } else { integer.map(Double.init) }
  }

  /// Which of two comes first: -1, 0 or 1; nil where they cannot be compared.
  ///
  /// Texts are turned into something else before.
  func order(to other: ConditionOperand, _ fold: (String) -> String) -> Int? {
    func sign<T: Comparable>(_ left: T, _ right: T) -> Int {
      left < right ? -1 : left == right ? 0 : 1
    }
    if let left = integer, let right = other.integer { return sign(left, right) }
    if let left = real, let right = other.real {
      return left.isNaN || right.isNaN ? nil : sign(left, right)
    }
    if let left = text, let right = other.text { return sign(fold(left), fold(right)) }
    return isNone && other.isNone ? 0 : nil
  }
}
