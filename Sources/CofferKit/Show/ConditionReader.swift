internal import CoreDataModel

/// Compiles a predicate to a test for objects of one entity, and checks its names and types before
/// any object is read.
struct ConditionReader {
  private let properties: ConditionProperties
  private let model: ManagedObjectModel
  /// The places of the operands and operators that are not read yet.
  private var places: ArraySlice<Range<Int>>
  /// Whether what was read needs other objects than the one that is asked.
  private(set) var needsOtherObjects = false

  /// - Parameters:
  ///   - places: where the operands and operators stand.
  ///   - properties: what may be compared.
  ///   - model: the model.
  init(_ places: [Range<Int>], _ properties: ConditionProperties, _ model: ManagedObjectModel) {
    self.places = places[...]
    self.properties = properties
    self.model = model
  }

  /// The test of a predicate.
  ///
  /// - Throws: ``ConditionFault`` for what cannot be evaluated.
  mutating func test(_ predicate: ModelPredicate) throws(ConditionFault) -> ObjectTest {
    switch predicate {
    case .not(let part): return .not(try test(part))
    case .and(let parts): return .all(try tests(parts))
    case .or(let parts): return .any(try tests(parts))
    case .comparison(let left, let operation, let right):
      let left = try side(left)
      let place = places.popFirst() ?? left.place
      let right = try side(right)
      return try comparison(left, operation, place, right)
    case .other: throw ConditionFault("this is not supported", at: places.first ?? 0..<0)
    }
  }

  private mutating func tests(_ parts: [ModelPredicate]) throws(ConditionFault) -> [ObjectTest] {
    var tests: [ObjectTest] = []
    for part in parts { tests.append(try test(part)) }
    return tests
  }

  // MARK: Sides

  private mutating func side(_ expression: ModelExpression) throws(ConditionFault) -> ConditionSide
  {
    let place = places.popFirst() ?? 0..<0
    let refused: String
    switch expression {
    case .evaluatedObject: return .property(properties.object, place)
    case .constant(let value): return .constant(value == .null ? nil : value, place)
    case .aggregate(let elements):
      var sides: [ConditionSide] = []
      for element in elements { sides.append(try side(element)) }
      return .list(sides, place)
    case .keyPath(nil, let path):
      do throws(ConditionProblem) {
        let property = try properties.property(path)
        needsOtherObjects = needsOtherObjects || property.isElsewhere
        return .property(property, place)
      } catch {
        throw ConditionFault(error, at: place)
      }
    case .function(_, "add:to:", _), .function(_, "from:subtract:", _),
      .function(_, "multiply:by:", _), .function(_, "divide:by:", _):
      throw ConditionFault(
        "arithmetic is not supported", at: place,
        hint: "Write texts and dates in quotes, such as '2024-05-01'.")
    case .function(_, let name, _): refused = "the function \(name)"
    case .variable(let name): refused = "the variable $\(name)"
    case .keyPath, .other: refused = "this"
    }
    throw ConditionFault(
      "\(refused) is not supported", at: place, hint: "Compare properties with constants.")
  }

  // MARK: Comparisons

  private func comparison(
    _ left: ConditionSide, _ operation: ModelPredicate.Operator, _ place: Range<Int>,
    _ right: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    guard operation.modifier == 0 else {
      throw ConditionFault(
        "ANY, SOME, ALL and NONE are not supported", at: left.place,
        hint: "Compare attributes and to-one relationships.")
    }
    let type = try ConditionSide.type(of: left, right)
    guard operation.options & ~3 == 0 else {
      throw ConditionFault("only the options c and d are supported", at: place)
    }
    guard operation.options == 0 || type.isText else {
      throw ConditionFault("the options c and d apply only to texts", at: place)
    }
    let comparison = TypedComparison(
      symbol: operation.symbol, place: place, type: type, model: model,
      folding: TextFolding(rawValue: operation.options))
    if let relation = ValueCondition.Relation(rawValue: operation.rawValue) {
      return try comparison.relation(relation, left, right)
    }
    switch (operation.symbol, left, right) {
    case ("BETWEEN", _, .list(let ends, _)) where ends.count == 2:
      return try comparison.between(left, ends[0], ends[1])
    case ("BETWEEN", _, _):
      throw ConditionFault(
        "BETWEEN needs two values", at: right.place, hint: "Example: BETWEEN {1, 5}")
    case ("IN", _, .list(let elements, _)): return try comparison.element(left, elements)
    case ("CONTAINS", .list(let elements, _), _): return try comparison.element(right, elements)
    case ("IN", _, _) where !type.isText:
      throw ConditionFault("IN needs a list", at: right.place, hint: "Example: IN {1, 2, 3}")
    case ("IN", _, _): return try comparison.search(.contains, right, left)
    case ("CONTAINS", _, _): return try comparison.search(.contains, left, right)
    case ("BEGINSWITH", _, _): return try comparison.search(.prefix, left, right)
    case ("ENDSWITH", _, _): return try comparison.search(.suffix, left, right)
    case ("LIKE", _, _): return try comparison.like(left, right)
    case ("MATCHES", _, _): return try comparison.matches(left, right)
    default: throw ConditionFault("\(operation.symbol) is not supported", at: place)
    }
  }
}
