package import CoreDataModel
package import CoreDataStore

/// Why an expression is not calculated, in one sentence.
package struct ExpressionProblem: Error {
  /// The sentence, without a period.
  package let text: String

  /// Creates a reason.
  package init(text: String) { self.text = text }
}

/// An expression that is calculated for objects one by one, by the rules of predicates.
///
/// Only what Apple documents is calculated: functions of numbers and texts, and arithmetic, but no division of two
/// integers, and nothing with decimal numbers.
package struct ObjectExpression {
  /// The type of an attribute that can hold the values.
  package let type: AttributeType
  private let expression: ConditionExpression
  private let entity: Name

  /// The functions, in lowercase.
  private static let functions: Set<String> = Set(
    [
      ArithmeticOperator.add, .subtract, .multiply, .divide, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor,
    ].map { $0.rawValue.lowercased() }
      + [
        ConditionFunction.abs, .ceiling, .floor, .trunc, .sqrt, .exp, .ln, .log, .lowercase,
        .uppercase, .onesComplement,
      ].map { $0.rawValue.lowercased() })

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - expression: the expression; its key paths begin at the object.
  ///   - entity: the entity of the objects.
  ///   - model: the model.
  /// - Throws: ``ExpressionProblem`` for an expression that is not calculated.
  package init(
    _ expression: ModelExpression, of entity: Name, in model: ManagedObjectModel
  ) throws(ExpressionProblem) {
    if let text = Self.objection(to: expression) { throw ExpressionProblem(text: text) }
    let properties = ConditionProperties(of: entity, asked: entity, in: model)
    var reader = ConditionReader(properties, model, now: .now)
    let side: ConditionSide
    let kind: ConditionType
    do throws(ConditionFault) {
      side = try reader.side(expression)
      kind = try side.castType()
      self.expression = try side.expression(as: kind, model)
    } catch {
      throw ExpressionProblem(text: error.problem.detail)
    }
    switch kind {
    case .number(.integer): type = .integer64
    case .number(.double), .number(.float): type = .double
    case .boolean: type = .boolean
    case .text: type = .string
    default:
      throw ExpressionProblem(
        text:
          "an expression with \(kind == .number(.decimal) ? "decimal numbers" : kind.name) is not supported"
      )
    }
    if let text = Self.objection(to: self.expression) { throw ExpressionProblem(text: text) }
    self.entity = entity
  }

  /// Why an expression is not calculated, as written; nil if it is.
  private static func objection(to expression: ModelExpression) -> String? {
    switch expression {
    case .constant(.some(.integer)), .constant(.some(.real)), .constant(.some(.string)): return nil
    case .keyPath(nil, let path):
      guard let operation = path.split(separator: ".").first(where: { $0.hasPrefix("@") }) else {
        return nil
      }
      return path.hasSuffix(".@count") && operation == "@count" && !path.hasPrefix("@")
        ? nil : "\(operation) in an expression is not supported"
    case .function(nil, let name, let arguments):
      guard functions.contains(name.lowercased()) else {
        return "the function \(name) is not supported"
      }
      return arguments.lazy.compactMap { objection(to: $0) }.first
    default: return "the expression \(expression.formatDescription) is not supported"
    }
  }

  /// Why an expression is not calculated, by the types of its parts; nil if it is.
  private static func objection(to expression: ConditionExpression) -> String? {
    switch expression {
    case .arithmetic(let operation, let left, let right, let kind):
      if kind == .decimal { return "arithmetic with decimal numbers is not supported" }
      if kind == .integer, operation == .divide {
        return "Apple does not document the division of two integers"
      }
      for part in [left, right] {
        if case .property(let property) = part, property.type == .date {
          return "arithmetic with dates is not supported"
        }
      }
      return objection(to: left) ?? objection(to: right)
    case .function(_, let value): return objection(to: value)
    default: return nil
    }
  }

  /// The value for an object; nil if a part has none, or if it is not a finite number.
  ///
  /// - Parameters:
  ///   - key: the primary key of the object.
  ///   - scope: the scope of its store, the same for all objects.
  /// - Returns: the value as a store keeps it.
  /// - Throws: `CofferError` if an object or a large text cannot be read.
  package func value(ofObject key: Int64, in scope: ConditionScope) throws -> SQLiteValue? {
    // A separate level: objects along a key path can be in the same table.
    scope[0] = try scope.object(key, of: entity, level: -1)
    switch try expression.operand(in: scope) {
    case .number(.integer(let number)): return .integer(number)
    case .number(.real(let number)): return .real(number)
    case .text(let text): return .text(text.bytes)
    case .none, .other: return nil
    }
  }
}
