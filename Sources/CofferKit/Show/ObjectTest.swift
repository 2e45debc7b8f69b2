internal import CoreDataModel
internal import Foundation

/// A side of a comparison.
enum ConditionTerm {
  /// The same for all objects.
  case constant(ConditionOperand)
  /// The value of a property, without what of texts does not count.
  case property(ConditionProperty, TextFolding)

  /// The value for an object.
  func operand(_ object: ObjectRow, in scope: ConditionScope) throws -> ConditionOperand {
    switch self {
    case .constant(let operand): operand
    case .property(let property, let folding): try object.operand(of: property, folding, in: scope)
    }
  }
}

/// A condition on objects of one entity, made ready to be asked for each: names are columns, constants
/// have types.
///
/// There is no third answer besides true and false: what is not comparable is unequal, and nothing else.
indirect enum ObjectTest {
  /// How a text is searched.
  enum Search {
    case contains
    case prefix
    case suffix
  }

  case not(ObjectTest)
  case all([ObjectTest])
  case any([ObjectTest])
  case relation(ValueCondition.Relation, ConditionTerm, ConditionTerm)
  case between(ConditionTerm, first: ConditionTerm, last: ConditionTerm)
  case element(ConditionTerm, [ConditionTerm])
  case search(Search, whole: ConditionTerm, part: ConditionTerm)
  case like(ConditionTerm, WildcardPattern)
  case matches(ConditionTerm, NSRegularExpression)

  /// Whether an object meets the condition.
  ///
  /// - Throws: `CofferError` where a large text or another object cannot be read.
  func holds(for object: ObjectRow, in scope: ConditionScope) throws -> Bool {
    switch self {
    case .not(let part): return try !part.holds(for: object, in: scope)
    case .all(let parts): return try parts.allSatisfy { try $0.holds(for: object, in: scope) }
    case .any(let parts): return try parts.contains { try $0.holds(for: object, in: scope) }
    case .relation(let relation, let left, let right):
      let order = try left.operand(object, in: scope).order(to: right.operand(object, in: scope))
      return order.map(relation.holds) ?? (relation == .notEqual)
    case .between(let value, let first, let last):
      let value = try value.operand(object, in: scope)
      guard let first = try value.order(to: first.operand(object, in: scope)),
        let last = try value.order(to: last.operand(object, in: scope))
      else { return false }
      return first >= 0 && last <= 0
    case .element(let value, let elements):
      let value = try value.operand(object, in: scope)
      return try elements.contains { try value.order(to: $0.operand(object, in: scope)) == 0 }
    case .search(let search, let whole, let part):
      guard case .text(let whole) = try whole.operand(object, in: scope),
        case .text(let part) = try part.operand(object, in: scope)
      else { return false }
      return switch search {
      case .contains: whole.contains(part)
      case .prefix: whole.hasPrefix(part)
      case .suffix: whole.hasSuffix(part)
      }
    case .like(let value, let pattern):
      guard case .text(let text) = try value.operand(object, in: scope) else { return false }
      return pattern.matches(text)
    case .matches(let value, let expression):
      guard case .text(let text) = try value.operand(object, in: scope) else { return false }
      let value = String(decoding: text.bytes, as: UTF8.self)
      let whole = NSRange(location: 0, length: value.utf16.count)
      return expression.firstMatch(in: value, options: .anchored, range: whole)?.range == whole
    }
  }
}
