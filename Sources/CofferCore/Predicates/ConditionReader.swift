internal import CoreDataModel

/// Compiles a predicate to a test for objects of one entity, and checks its names and types before
/// any object is read.
struct ConditionReader {
  let properties: ConditionProperties
  let model: ManagedObjectModel
  /// The time that `NOW()` returns.
  let now: ConditionExpression
  private let subqueries: [ModelPredicate]
  /// The places of the operands and operators that are not read yet.
  var places: ArraySlice<Range<Int>>
  /// The comparable properties of the objects that variables represent, and their index in the
  /// scope.
  var variables: [Name: (properties: ConditionProperties, level: Int)] = [:]
  /// The number of collections read so far.
  var collectionCount = 0
  /// Whether the predicate needs objects other than the tested one.
  var needsOtherObjects = false

  init(
    _ located: LocatedPredicate, _ properties: ConditionProperties, _ model: ManagedObjectModel,
    now: ConditionExpression
  ) {
    places = located.places[...]
    subqueries = located.subqueries
    self.properties = properties
    self.model = model
    self.now = now
  }

  /// Reads expressions that do not come from a text, and have no predicates in them.
  init(_ properties: ConditionProperties, _ model: ManagedObjectModel, now: ConditionExpression) {
    (places, subqueries) = ([], [])
    self.properties = properties
    self.model = model
    self.now = now
  }

  /// The test of a predicate.
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
    return try parts.map { part throws(ConditionFault) in try test(part) }
  }

  /// The predicate inside an expression, which names it by its number.
  func predicate(_ argument: ModelExpression) -> ModelPredicate? {
    guard case .constant(.integer(let number)?) = argument else { return nil }
    return subqueries.dropFirst(Int(clamping: number)).first
  }

  // MARK: Comparisons

  /// A comparison in which a side may be the values of a collection.
  private func comparison(
    _ left: ConditionSide, _ operation: ModelPredicate.Operator, _ place: Range<Int>,
    _ right: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    var (operation, left, right) = (operation, left, right)
    let isAll = operation.modifier == 1
    switch (operation.modifier, operation.symbol, left, right) {
    case (0, "IN", _, .many): (left, right, operation) = (right, left, Self.equality(operation))
    case (0, "CONTAINS", .many, _): operation = Self.equality(operation)
    case (0, _, .many(_, let place), _): throw Self.severalValues(at: place)
    case (0, _, _, _), (_, _, .many, _): operation.modifier = 0
    default:
      throw ConditionFault(
        "ANY, SOME, ALL and NONE need a to-many relationship on their left side", at: left.place)
    }
    if case .many(_, let place) = right { throw Self.severalValues(at: place) }
    guard case .many(let values, let leftPlace) = left else {
      return try singleComparison(left, operation, place, right)
    }
    let test = try singleComparison(.property(values.property, leftPlace), operation, place, right)
    // A set has no nil: NSSet's value(forKey:) leaves out the objects without a value.
    let isMissing = ObjectTest.relation(.equal, .property(values.property, []), .constant(.none))
    return values.collections.reversed().reduce(
      isAll ? .any([test, isMissing]) : .all([test, .not(isMissing)])
    ) { .quantified(isAll: isAll, $1, $0) }
  }

  /// An element is in a collection that has any that equals it.
  private static func equality(_ operation: ModelPredicate.Operator) -> ModelPredicate.Operator {
    .init(rawValue: ValueCondition.Relation.equal.rawValue, modifier: 0, options: operation.options)
  }

  private static func severalValues(at place: Range<Int>) -> ConditionFault {
    ConditionFault(
      "a to-many relationship has several values", at: place,
      hint: "Write ANY, ALL or NONE before it, on the left side, or compare its @count.")
  }

  private func singleComparison(
    _ left: ConditionSide, _ operation: ModelPredicate.Operator, _ place: Range<Int>,
    _ right: ConditionSide
  ) throws(ConditionFault) -> ObjectTest {
    let type = try ConditionSide.type(of: left, right)
    guard operation.options & ~7 == 0 else {
      throw ConditionFault("only the options c, d and n are supported", at: place)
    }
    guard operation.options == 0 || type.isText else {
      throw ConditionFault("the options c, d and n apply only to texts", at: place)
    }
    // Texts that are prepared (n) are compared as they are, whatever else is written.
    let isPrepared = operation.options & 4 != 0
    let comparison = TypedComparison(
      symbol: operation.symbol, place: place, type: type, model: model,
      folding: isPrepared ? [] : TextFolding(rawValue: operation.options))
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
