internal import CoreDataModel

/// Functions and arithmetic.
extension ConditionReader {
  private static let functionHint =
    "Functions: now(), CAST(x, 'NSDate'), TERNARY(x > 1, a, b), count:, sum:, min:, max:, average:, "
    + "median:, mode:, stddev:, modulus:by:, noindex:, "
    + ConditionFunction.allCases.map(\.rawValue).joined(separator: ", ")

  /// Why functions that Foundation has are not there.
  private static let refused: [String: String] = {
    let random = "a random number would match other objects in each evaluation"
    return [
      "random": random, "random:": random, "randomn:": random,
      "function": "FUNCTION calls a method of an app, which is not available",
    ]
  }()

  mutating func function(
    _ name: String, _ arguments: [ModelExpression], _ place: Range<Int>
  ) throws(ConditionFault) -> ConditionSide {
    // Words count in any case.
    var word = name.lowercased()
    if let reason = Self.refused[word] { throw ConditionFault(reason, at: place) }
    let sides = try sides(arguments)
    if sides.count == 1, !word.hasSuffix(":") { word += ":" }
    switch (word, sides.count) {
    case ("now", 0): return .property(.computed(now, .date), place)
    case ("cast", 2): return .property(try cast(sides[0], to: sides[1]), place)
    case ("noindex:", 1): return sides[0]
    case (_, 1):
      if let aggregate = ConditionAggregate(function: word) {
        return .property(try self.aggregate(aggregate, word, sides[0]), place)
      }
      let functions = ConditionFunction.allCases
      guard let function = functions.first(where: { $0.rawValue.lowercased() == word }) else {
        break
      }
      return .property(try function.of(sides[0], model), place)
    case (_, 2):
      let operations = ArithmeticOperator.allCases
      guard let operation = operations.first(where: { $0.rawValue.lowercased() == word }) else {
        break
      }
      return .property(try arithmetic(operation, sides[0], sides[1]), place)
    default: break
    }
    throw ConditionFault(
      "the function \(name) with \(sides.count) values is not supported", at: place,
      hint: Self.functionHint)
  }

  private func aggregate(
    _ aggregate: ConditionAggregate, _ name: String, _ side: ConditionSide
  ) throws(ConditionFault) -> ConditionProperty {
    guard case .many(let values, let place) = side else {
      throw ConditionFault("\(name) needs a to-many relationship", at: side.place)
    }
    guard values.collections.count == 1 else {
      throw ConditionFault(
        "\(name) takes the objects of one to-many relationship", at: place,
        hint: "SUBQUERY takes more.")
    }
    if aggregate == .count, !values.isDistinct {
      return .computed(.count(values.collections[0]), .number(.integer))
    }
    do throws(ConditionProblem) {
      return try Self.aggregate(
        aggregate, values.collections[0], values.property,
        distinctBy: values.isDistinct ? values.property : nil)
    } catch {
      throw ConditionFault(error, at: place)
    }
  }

  // MARK: Arithmetic

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: ConditionSide, _ right: ConditionSide
  ) throws(ConditionFault) -> ConditionProperty {
    var (first, second) = (try left.calculatedType(), try right.calculatedType())
    // Of a property that only other entities have, nothing comes.
    guard first != .missing, second != .missing else {
      return .computed(.constant(.none), .missing)
    }
    if first == .text { first = second == .date ? .date : try left.numberType(model) }
    if second == .text {
      second = first == .date && operation == .subtract ? .date : try right.numberType(model)
    }
    let (type, kind): (ConditionType, NumberKind)
    switch (operation, first, second) {
    case (.subtract, .date, .date): (type, kind) = (.number(.double), .double)
    case (.add, .date, .number), (.subtract, .date, .number), (.add, .number, .date):
      (type, kind) = (.date, .double)
    case _
    where operation.isBitwise && !(first.numberKind == .integer && second.numberKind == .integer):
      throw ConditionFault(
        "\(operation.rawValue) takes integers",
        at: first.numberKind == .integer ? right.place : left.place)
    case (_, .date, _): throw left.notCalculated()
    case (_, _, .date): throw right.notCalculated()
    default:
      kind = (first.numberKind ?? .double).joined(with: second.numberKind ?? .double)
      type = .number(kind)
    }
    return .computed(
      .arithmetic(
        operation, try left.expression(as: first, model), try right.expression(as: second, model),
        kind), type)
  }

  // MARK: Casts

  private func cast(
    _ side: ConditionSide, to target: ConditionSide
  ) throws(ConditionFault) -> ConditionProperty {
    guard case .constant(.string(let name)?, _) = target else {
      throw ConditionFault("CAST needs the name of a type in quotes", at: target.place)
    }
    let from = try side.castType()
    switch (name, from) {
    case ("NSDate", .date), ("NSDate", .number), ("NSDate", .missing):
      return .computed(try side.expression(as: from, model), .date)
    case ("NSDate", .text) where side.isConstant:
      return .computed(try side.expression(as: .date, model), .date)
    case ("NSNumber", .date), ("NSNumber", .missing):
      return .computed(try side.expression(as: from, model), .number(.double))
    case ("NSNumber", .number), ("NSNumber", .boolean), ("NSDecimalNumber", .number):
      let kind = name == "NSNumber" ? from.numberKind ?? .double : .decimal
      return .computed(try side.expression(as: from, model), .number(kind))
    case ("NSNumber", .text) where side.isConstant,
      ("NSDecimalNumber", .text) where side.isConstant:
      let type = ConditionType.number(name == "NSNumber" ? .double : .decimal)
      return .computed(try side.expression(as: type, model), type)
    case ("NSString", .text), ("NSString", .uuid), ("NSString", .missing):
      return .computed(try side.expression(as: from, model), .text)
    case ("NSDate", _), ("NSNumber", _), ("NSDecimalNumber", _), ("NSString", _):
      throw ConditionFault("\(from.name) cannot be cast to \(name)", at: side.place)
    default:
      throw ConditionFault(
        "CAST to \(name) is not supported", at: target.place,
        hint: "Types: 'NSDate', 'NSNumber', 'NSDecimalNumber', 'NSString'")
    }
  }
}

extension ConditionFunction {
  fileprivate func of(
    _ side: ConditionSide, _ model: ManagedObjectModel
  ) throws(ConditionFault) -> ConditionProperty {
    let given = try side.castType()
    let type: ConditionType = takesText ? .text : .number(given.numberKind ?? .double)
    switch given {
    case .missing: break
    case .text where takesText, .uuid where takesText: break
    case .number where !takesText, .boolean where !takesText: break
    default:
      throw ConditionFault(
        "\(rawValue) takes \(takesText ? "a text" : "a number"), not \(given.name)",
        at: side.place)
    }
    if self == .onesComplement, let kind = given.numberKind, kind != .integer {
      throw ConditionFault("\(rawValue) takes an integer", at: side.place)
    }
    return .computed(.function(self, try side.expression(as: type, model)), self.type(for: given))
  }
}

extension ConditionSide {
  /// Whether it is written as `nil`.
  var isNil: Bool { if case .constant(nil, _) = self { true } else { false } }

  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }

  /// The type of a side by itself.
  func castType() throws(ConditionFault) -> ConditionType {
    switch self {
    case .property(let property, _): return property.type
    case .constant(let value, let place):
      guard let type = ConditionType(value) else {
        throw ConditionFault("a value is expected here, not nil", at: place)
      }
      return type
    case .list(_, let place), .many(_, let place):
      throw ConditionFault(
        "one value is expected here", at: place,
        hint: "Use @count, @sum, @min, @max or @avg of a to-many relationship.")
    }
  }

  /// The kind of a side in arithmetic: a number, a date, or a constant text that may mean either.
  fileprivate func calculatedType() throws(ConditionFault) -> ConditionType {
    switch try castType() {
    case .text where isConstant: return .text
    case let type where type.numberKind != nil || type == .date || type == .missing: return type
    default: throw notCalculated()
    }
  }

  fileprivate func numberType(_ model: ManagedObjectModel) throws(ConditionFault) -> ConditionType {
    let number = try expression(as: .number(.double), model)
    if case .constant(.number(.integer)) = number { return .number(.integer) }
    return .number(.double)
  }

  fileprivate func notCalculated() -> ConditionFault {
    let name = if case .property(let property, _) = self { property.typeName } else { "this" }
    return ConditionFault(
      "\(name) cannot be used in arithmetic here", at: place,
      hint: "Use numbers, the difference of two dates, or a date and a number of seconds.")
  }

  /// The value, a constant read as a type.
  func expression(
    as type: ConditionType, _ model: ManagedObjectModel
  ) throws(ConditionFault) -> ConditionExpression {
    switch self {
    case .property(let property, _):
      if case .computed(let expression) = property.kind { return expression }
      return .property(property)
    case .constant(let value, let place):
      do throws(ConditionProblem) {
        return .constant(try type.operand(value, [], model))
      } catch {
        throw ConditionFault(error, at: place)
      }
    case .list(_, let place), .many(_, let place):
      throw ConditionFault("one value is expected here", at: place)
    }
  }
}
