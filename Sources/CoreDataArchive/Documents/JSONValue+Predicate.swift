package import CoreDataModel

extension JSONValue {
  /// An expression of a model: an object with its `type` and the members for this type.
  package init(_ expression: ModelExpression) {
    var object = JSONObject()
    switch expression {
    case .evaluatedObject:
      object.append("type", "evaluatedObject")
    case .constant(let value):
      object.append("type", "constant")
      object.append("value", value.map { JSONValue($0) })
    case .variable(let name):
      object.append("type", "variable")
      object.append("name", name)
    case .keyPath(let operand, let path):
      object.append("type", "keyPath")
      object.append("operand", operand.map { JSONValue($0) })
      object.append("path", path)
    case .function(let operand, let name, let arguments):
      object.append("type", "function")
      object.append("operand", operand.map { JSONValue($0) })
      object.append("name", name)
      object.append("arguments", arguments) { JSONValue($0) }
    case .aggregate(let elements):
      object.append("type", "aggregate")
      object.append("elements", elements) { JSONValue($0) }
    case .other(let value):
      object.append("type", "other")
      object.append("value", JSONValue(value))
    }
    self = .object(object)
  }

  /// A predicate of a model: an object with its `type` and the members for this type.
  package init(_ predicate: ModelPredicate) {
    var object = JSONObject()
    switch predicate {
    case .comparison(let left, let comparison, let right):
      object.append("type", "comparison")
      object.append("left", JSONValue(left))
      object.append("operator", comparison.symbol)
      object.append("modifier", comparison.modifier, unless: 0)
      object.append("options", comparison.options, unless: 0)
      object.append("right", JSONValue(right))
    case .not(let inner):
      object.append("type", "not")
      object.append("predicate", JSONValue(inner))
    case .and(let list):
      object.append("type", "and")
      object.append("predicates", list) { JSONValue($0) }
    case .or(let list):
      object.append("type", "or")
      object.append("predicates", list) { JSONValue($0) }
    case .other(let value):
      object.append("type", "other")
      object.append("value", JSONValue(value))
    }
    self = .object(object)
  }
}

extension DocumentNode {
  /// The expression.
  package func expression() throws(DocumentError) -> ModelExpression {
    let type = try required("type")
    switch try type.string() {
    case "evaluatedObject": return .evaluatedObject
    case "constant": return .constant(try optional("value")?.modelValue())
    case "variable": return .variable(try required("name").string())
    case "keyPath":
      return .keyPath(operand: try optional("operand")?.expression(), try required("path").string())
    case "function":
      return .function(
        operand: try optional("operand")?.expression(), name: try required("name").string(),
        arguments: try expressions("arguments"))
    case "aggregate": return .aggregate(try expressions("elements"))
    case "other": return .other(try required("value").modelValue())
    default: throw type.error("a known expression type")
    }
  }

  private func expressions(_ key: String) throws(DocumentError) -> [ModelExpression] {
    return try elements(key).map { element throws(DocumentError) in try element.expression() }
  }

  /// The predicate.
  package func predicate() throws(DocumentError) -> ModelPredicate {
    let type = try required("type")
    switch try type.string() {
    case "comparison":
      var comparison = try required("operator").comparison()
      comparison.modifier = try int("modifier", default: 0)
      comparison.options = try int("options", default: 0)
      return .comparison(
        try required("left").expression(), comparison, try required("right").expression())
    case "not": return .not(try required("predicate").predicate())
    case "and": return .and(try predicates())
    case "or": return .or(try predicates())
    case "other": return .other(try required("value").modelValue())
    default: throw type.error("a known predicate type")
    }
  }

  private func predicates() throws(DocumentError) -> [ModelPredicate] {
    var list: [ModelPredicate] = []
    for element in try elements("predicates") { list.append(try element.predicate()) }
    return list
  }

  /// The operator by its symbol, or by its number if it has none.
  private func comparison() throws(DocumentError) -> ModelPredicate.Operator {
    let text = try string()
    if let number = Int(text) { return ModelPredicate.Operator(rawValue: number) }
    for number in 0...100 where ModelPredicate.Operator(rawValue: number).symbol == text {
      return ModelPredicate.Operator(rawValue: number)
    }
    throw error("a known operator")
  }
}
