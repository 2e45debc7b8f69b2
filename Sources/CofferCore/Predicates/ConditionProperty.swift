internal import CoreDataModel

/// The property at the end of a key path from the objects of one entity, or a value computed from
/// properties.
struct ConditionProperty {
  /// The place of the values.
  indirect enum Kind {
    case key
    case entityName
    case attribute([Name])
    /// The columns of elements.
    case composite(AttributeDescription, [Name])
    case toOne(RelationshipDescription)
    case through(RelationshipDescription, ConditionProperty)
    /// Nowhere: it is computed.
    case computed(ConditionExpression)
    /// Nowhere: only other entities have it.
    case missing
  }

  let kind: Kind
  let type: ConditionType
  /// The type as the model names it, for errors.
  let typeName: String
  /// Which object of the scope has it.
  var level = 0

  /// Whether other objects have the values.
  var isElsewhere: Bool { if case .through = kind { true } else { false } }

  /// The same of the object that a to-one relationship leads to.
  func reached(through relationship: RelationshipDescription) -> Self {
    Self(kind: .through(relationship, self), type: type, typeName: typeName)
  }

  static func computed(_ expression: ConditionExpression, _ type: ConditionType) -> Self {
    Self(kind: .computed(expression), type: type, typeName: type.name)
  }

  /// The same of another object of the scope.
  func at(_ level: Int) -> Self {
    var property = self
    property.level = level
    return property
  }

  /// The value in a scope, with texts as they are.
  func operand(in scope: ConditionScope, _ folding: TextFolding = []) throws -> ConditionOperand {
    if case .computed(let expression) = kind {
      let operand = try expression.operand(in: scope)
      guard case .text(let text) = operand, !folding.isEmpty else { return operand }
      return .text(ComparedText(text.bytes, folding))
    }
    return try scope[level]?.operand(of: self, folding, in: scope) ?? .none
  }

  /// Whether values of both are read in the same way, whichever entity of a tree has them.
  func isRead(as other: Self) -> Bool {
    guard type == other.type else { return false }
    switch (kind, other.kind) {
    case (.through(let first, let rest), .through(let second, let otherRest)):
      return first.destinationName == second.destinationName
        && rest.isRead(as: otherRest)
    case (.through, _), (_, .through), (.computed, _), (_, .computed): return false
    default: return true
    }
  }
}
