internal import CoreDataModel
internal import Foundation

/// A predicate that is evaluated on objects one by one.
///
/// Key paths are the names of attributes, with the elements of composite ones after dots, and of to-one
/// relationships, whose value is the primary key of the destination. Dates are compared as texts in ISO
/// 8601, so that `'2024-05'` is the beginning of that month.
struct ObjectCondition {
  private let predicate: ModelPredicate
  private let names: ConditionNames

  /// Reads a predicate.
  ///
  /// - Throws: ``CofferError``: `invalid-condition`, `no-such-property`.
  init(
    _ text: String, of entity: String, in model: ManagedObjectModel, place: String
  ) throws(CofferError) {
    names = ConditionNames(entity, model)
    do throws(CofferError) {
      predicate = try ModelPredicate(parsing: text)
    } catch {
      throw CofferError(
        .invalidCondition, path: place, detail: error.detail,
        advice: "Example: price > 100 AND title CONTAINS 'x'")
    }
    try ConditionCheck(names: names, place: place).check(predicate)
  }

  /// Whether an object fulfils the condition.
  func holds(for object: ObjectRow) -> Bool { holds(predicate, object) }

  private func holds(_ predicate: ModelPredicate, _ object: ObjectRow) -> Bool {
    switch predicate {
    case .not(let part): !holds(part, object)
    case .and(let parts): parts.allSatisfy { holds($0, object) }
    case .or(let parts): parts.contains { holds($0, object) }
    case .comparison(let left, let comparison, let right):
      ConditionComparison(comparison).holds(operand(left, object), operand(right, object))
    case .other: false
    }
  }

  private func operand(_ expression: ModelExpression, _ object: ObjectRow) -> ConditionOperand {
    switch expression {
    case .evaluatedObject: .integer(object.id.primaryKey)
    case .constant(let value): ConditionOperand(value) ?? .none
    case .aggregate(let elements): .list(elements.map { operand($0, object) })
    case .keyPath(nil, let path): self.value(of: path, object)
    default: .none
    }
  }

  private func value(of path: String, _ object: ObjectRow) -> ConditionOperand {
    if let relationship = names.toOnes[path] {
      return object.destination(of: relationship).map { .integer($0.primaryKey) } ?? .none
    }
    let parts = path.split(separator: ".").map(String.init)
    guard let first = parts.first, let attribute = names.attributes[first] else { return .none }
    var value = object.value(of: attribute)
    for name in parts.dropFirst() {
      guard case .composite(let elements) = value else { return .none }
      value = elements.first { $0.name.hasSameBytes(as: name) }?.value ?? .none
    }
    return ConditionOperand(value)
  }
}

/// The properties that a condition on an entity may name: its own, those above it and those below.
struct ConditionNames {
  private(set) var attributes: [ExactString: AttributeDescription] = [:]
  private(set) var toOnes: [ExactString: RelationshipDescription] = [:]

  init(_ entity: String, _ model: ManagedObjectModel) {
    for description in model.tree(of: entity).reversed() + model.lineage(of: entity) {
      for attribute in description.attributes where !attribute.isTransient {
        attributes[attribute.name] = attribute
      }
      for relationship in description.relationships
      where !relationship.isToMany && !relationship.isTransient {
        toOnes[relationship.name] = relationship
      }
    }
  }

  /// All names, sorted.
  var all: [String] {
    (attributes.sortedNames + toOnes.sortedNames).sorted(by: codeUnitsAscend)
  }

  /// Whether a key path leads to something.
  func contains(_ path: String) -> Bool {
    if toOnes[path] != nil { return true }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard var attribute = parts.first.flatMap({ attributes[$0] }) else { return false }
    for name in parts.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name.hasSameBytes(as: name) }) else {
        return false
      }
      attribute = element
    }
    return true
  }
}

/// Makes sure that every part of a condition can be evaluated, before anything is read.
struct ConditionCheck {
  let names: ConditionNames
  let place: String

  /// - Throws: ``CofferError``: `invalid-condition`, `no-such-property`.
  func check(_ predicate: ModelPredicate) throws(CofferError) {
    switch predicate {
    case .not(let part): try check(part)
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .comparison(let left, let comparison, let right):
      guard ConditionComparison.isKnown(comparison) else {
        throw refusal("the operator \(comparison.symbol)")
      }
      try check(left)
      try check(right)
    case .other: throw refusal("part of the condition")
    }
  }

  private func check(_ expression: ModelExpression) throws(CofferError) {
    switch expression {
    case .evaluatedObject: return
    case .constant(let value):
      guard ConditionOperand(value) != nil else { throw refusal("a constant") }
    case .aggregate(let elements): for element in elements { try check(element) }
    case .keyPath(nil, let path):
      guard names.contains(path) else {
        throw CofferError(
          .noSuchProperty, path: place,
          detail: "\(path) is neither an attribute nor a to-one relationship",
          advice: "Available: \(names.all.joined(separator: ", "))")
      }
    case .keyPath: throw refusal("a key path of an expression")
    case .function(_, let name, _): throw refusal("the function \(name)")
    case .variable(let name): throw refusal("the variable $\(name)")
    case .other: throw refusal("an expression")
    }
  }

  private func refusal(_ what: String) -> CofferError {
    CofferError(
      .invalidCondition, path: place, detail: "\(what) is not supported",
      advice: "Compare attributes and to-one relationships with constants.")
  }
}
