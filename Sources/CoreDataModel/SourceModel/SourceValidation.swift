/// The validation rules that a model source gives as attributes: minimum and maximum values,
/// lengths, and patterns.
///
/// They become what the compiler makes of them: a predicate with the number of its error
/// (`CoreDataErrors.h`).
enum SourceValidation {
  /// The rules of an attribute; empty if there are none.
  static func rules(_ element: MarkupElement, type: AttributeType) -> [ValidationPredicate] {
    switch type {
    case .string:
      let length = ModelExpression.keyPath(operand: nil, "length")
      return bounds(
        length, number(element["minValueString"], .integer64),
        number(element["maxValueString"], .integer64), tooSmall: 1670, tooLarge: 1660)
        + pattern(element["regularExpressionString"])
    case .date:
      return bounds(
        .evaluatedObject, date(element["minDateTimeInterval"]),
        date(element["maxDateTimeInterval"]), tooSmall: 1650, tooLarge: 1640)
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return bounds(
        .evaluatedObject, number(element["minValueString"], type),
        number(element["maxValueString"], type), tooSmall: 1620, tooLarge: 1610)
    default: return []
    }
  }

  /// The attributes of a source that give rules, in the order of their names; rules that a source
  /// cannot express are left out.
  static func attributes(
    _ rules: [ValidationPredicate], type: AttributeType
  ) -> [(String, String)] {
    let names =
      type == .date
      ? (least: "minDateTimeInterval", greatest: "maxDateTimeInterval")
      : (least: "minValueString", greatest: "maxValueString")
    var attributes: [(String, String)] = []
    for rule in rules {
      guard case .comparison(let value, let comparison, .constant(let bound?)) = rule.predicate
      else { continue }
      let isLength = value == .keyPath(operand: nil, "length")
      guard isLength ? type == .string : value == .evaluatedObject else { continue }
      switch (comparison.rawValue, bound) {
      case (3, _) where isLength == (type == .string):
        if let text = text(bound) { attributes.append((names.least, text)) }
      case (1, _) where isLength == (type == .string):
        if let text = text(bound) { attributes.append((names.greatest, text)) }
      case (6, .string(let pattern)) where type == .string && !isLength:
        attributes.append(("regularExpressionString", pattern))
      default: continue
      }
    }
    // Of two rules of one kind, only the first has a place.
    var seen: Set<Name> = []
    return attributes.filter { seen.insert(Name($0.0)).inserted }.sorted { $0.0 < $1.0 }
  }

  private static func text(_ bound: ModelValue) -> String? {
    switch bound {
    case .integer(let number): String(number)
    case .real(let number), .date(let number): number.description
    default: nil
    }
  }

  private static func bounds(
    _ value: ModelExpression, _ least: ModelValue?, _ greatest: ModelValue?, tooSmall: Int64,
    tooLarge: Int64
  ) -> [ValidationPredicate] {
    var rules: [ValidationPredicate] = []
    if let least {
      rules.append(rule(value, .init(rawValue: 3), least, warning: tooSmall))
    }
    if let greatest {
      rules.append(rule(value, .init(rawValue: 1), greatest, warning: tooLarge))
    }
    return rules
  }

  private static func pattern(_ text: String?) -> [ValidationPredicate] {
    guard let text, !text.isEmpty else { return [] }
    return [rule(.evaluatedObject, .init(rawValue: 6), .string(text), warning: 1680)]
  }

  private static func rule(
    _ value: ModelExpression, _ comparison: ModelPredicate.Operator, _ bound: ModelValue,
    warning: Int64
  ) -> ValidationPredicate {
    ValidationPredicate(
      predicate: .comparison(value, comparison, .constant(bound)), warning: .integer(warning))
  }

  private static func number(_ text: String?, _ type: AttributeType) -> ModelValue? {
    guard let text, !text.isEmpty else { return nil }
    if type != .double, type != .float, let whole = Int64(text) { return .integer(whole) }
    return Double(text).map { .real($0) }
  }

  private static func date(_ text: String?) -> ModelValue? {
    text.flatMap(Double.init).map { .date($0) }
  }
}
