internal import CoreDataModel
internal import Foundation

/// The comparison of two operands.
///
/// Source of the numbers: store-format, section 3; of their meaning: Predicate Programming Guide,
/// "Predicate Format String Syntax".
struct ConditionComparison {
  private let operation: ModelPredicate.Operator

  init(_ operation: ModelPredicate.Operator) { self.operation = operation }

  /// Whether an operator can be evaluated.
  static func isKnown(_ operation: ModelPredicate.Operator) -> Bool {
    operation.modifier == 0
      && ((0...10).contains(operation.rawValue) || [99, 100].contains(operation.rawValue))
  }

  /// Whether the comparison is true; false where the two cannot be compared.
  func holds(_ left: ConditionOperand, _ right: ConditionOperand) -> Bool {
    switch operation.rawValue {
    case 0: order(left, right).map { $0 < 0 } ?? false
    case 1: order(left, right).map { $0 <= 0 } ?? false
    case 2: order(left, right).map { $0 > 0 } ?? false
    case 3: order(left, right).map { $0 >= 0 } ?? false
    case 4: order(left, right) == 0
    case 5: order(left, right) != 0
    case 10: isElement(left, of: right)
    case 99: contains(left, right)
    case 100: isBetween(left, right)
    default: matches(left, right)
    }
  }

  private func order(_ left: ConditionOperand, _ right: ConditionOperand) -> Int? {
    left.order(to: right, folded)
  }

  private func isElement(_ value: ConditionOperand, of list: ConditionOperand) -> Bool {
    if case .list(let elements) = list { return elements.contains { order(value, $0) == 0 } }
    return contains(list, value)
  }

  private func contains(_ whole: ConditionOperand, _ part: ConditionOperand) -> Bool {
    if case .list(let elements) = whole { return elements.contains { order($0, part) == 0 } }
    guard let whole = whole.text, let part = part.text else { return false }
    return folded(whole).contains(folded(part))
  }

  private func isBetween(_ value: ConditionOperand, _ range: ConditionOperand) -> Bool {
    guard case .list(let ends) = range, ends.count == 2,
      let first = order(value, ends[0]), let last = order(value, ends[1])
    else { return false }
    return first >= 0 && last <= 0
  }

  private func matches(_ value: ConditionOperand, _ pattern: ConditionOperand) -> Bool {
    guard let value = value.text.map(folded), let pattern = pattern.text.map(folded) else {
      return false
    }
    switch operation.rawValue {
    case 6: return matches(value, pattern: pattern)
    case 7: return matches(value, pattern: Self.expression(ofWildcards: pattern))
    case 8: return value.hasPrefix(pattern)
    case 9: return value.hasSuffix(pattern)
    default: return false
    }
  }

  private func matches(_ value: String, pattern: String) -> Bool {
    guard let range = value.range(of: "\\A(?s:\(pattern))\\z", options: .regularExpression) else {
      return false
    }
    return range == value.startIndex..<value.endIndex
  }

  /// The regular expression of a text in which `*` stands for any characters and `?` for one.
  private static func expression(ofWildcards text: String) -> String {
    text.map { character in
      character == "*"
        ? ".*" : character == "?" ? "." : NSRegularExpression.escapedPattern(for: String(character))
    }.joined()
  }

  /// A text as it is compared: without case, without diacritics, or as it is.
  private func folded(_ text: String) -> String {
    var options: String.CompareOptions = []
    if operation.options & 1 != 0 { options.insert(.caseInsensitive) }
    if operation.options & 2 != 0 { options.insert(.diacriticInsensitive) }
    return options.isEmpty ? text : text.folding(options: options, locale: nil)
  }
}
