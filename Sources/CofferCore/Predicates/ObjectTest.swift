/// A side of a comparison.
enum ConditionTerm {
  /// The same for all objects.
  case constant(ConditionOperand)
  /// A value of an object or computed, without what of texts does not count.
  case property(ConditionProperty, TextFolding)

  func operand(in scope: ConditionScope) throws -> ConditionOperand {
    switch self {
    case .constant(let operand): operand
    case .property(let property, let folding): try property.operand(in: scope, folding)
    }
  }
}

/// A condition on objects of one entity, made ready to be asked for each: names are columns, constants
/// have types.
///
/// The answer is always true or false: values that are not comparable are unequal, and no other
/// comparison holds.
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
  case matches(ConditionTerm, TextExpression)
  /// Whether any object of a collection meets a condition, or all of them do.
  case quantified(isAll: Bool, ConditionCollection, ObjectTest)

  /// Whether the object of a scope meets the condition.
  ///
  /// - Throws: `CofferError` where a large text or another object cannot be read; ``ConditionFault`` for a
  ///   regular expression that takes too long; `CancellationError`.
  func holds(in scope: ConditionScope) throws -> Bool {
    switch self {
    case .not(let part): return try !part.holds(in: scope)
    case .all(let parts): return try parts.allSatisfy { try $0.holds(in: scope) }
    case .any(let parts): return try parts.contains { try $0.holds(in: scope) }
    case .relation(let relation, let left, let right):
      let value = try left.operand(in: scope)
      let order = try value.order(to: right.operand(in: scope))
      // Two missing values are equal, but neither comes first.
      if case .none = value, relation != .equal, relation != .notEqual { return false }
      return order.map(relation.holds) ?? (relation == .notEqual)
    case .between(let value, let first, let last):
      let value = try value.operand(in: scope)
      if case .none = value { return false }
      guard let first = try value.order(to: first.operand(in: scope)),
        let last = try value.order(to: last.operand(in: scope))
      else { return false }
      return first >= 0 && last <= 0
    case .element(let value, let elements):
      let value = try value.operand(in: scope)
      return try elements.contains { try value.order(to: $0.operand(in: scope)) == 0 }
    case .search(let search, let whole, let part):
      guard case .text(let whole) = try whole.operand(in: scope),
        case .text(let part) = try part.operand(in: scope)
      else { return false }
      return switch search {
      case .contains: whole.contains(part)
      case .prefix: whole.hasPrefix(part)
      case .suffix: whole.hasSuffix(part)
      }
    case .like(let value, let pattern):
      guard case .text(let text) = try value.operand(in: scope) else { return false }
      return pattern.matches(text)
    case .matches(let value, let expression):
      guard case .text(let text) = try value.operand(in: scope) else { return false }
      return try expression.matches(text)
    case .quantified(let isAll, let collection, let test):
      var result = isAll
      try scope.forEach(in: collection) {
        result = try test.holds(in: scope)
        return result == isAll
      }
      return result
    }
  }
}
