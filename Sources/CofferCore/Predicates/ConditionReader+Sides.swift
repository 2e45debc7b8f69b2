internal import CoreDataModel

/// The sides of comparisons: constants, lists, key paths and collections.
extension ConditionReader {
  /// A side, or a part of one.
  ///
  /// - Throws: ``ConditionFault`` for what cannot be evaluated.
  mutating func side(_ expression: ModelExpression) throws(ConditionFault) -> ConditionSide {
    let place = places.popFirst() ?? 0..<0
    switch expression {
    case .evaluatedObject: return .property(properties.object, place)
    case .constant(let value): return .constant(value == .null ? nil : value, place)
    case .aggregate(let elements): return .list(try sides(elements), place)
    case .keyPath(nil, let path): return try side(path, properties, 0, place)
    case .variable(let name):
      let variable = try variable(name, place)
      return .property(variable.properties.object.at(variable.level), place)
    case .keyPath(.variable(let name), let path):
      let variable = try variable(name, place)
      return try side(path, variable.properties, variable.level, place)
    case .keyPath(.function(_, LocatedPredicate.subquery, let arguments), let path):
      let (collection, _) = try subquery(arguments, place)
      let keys = Name.path(path, omittingEmptyNames: false)[...]
      do throws(ConditionProblem) {
        return try side(collection, keys, after: "", place)
      } catch {
        throw ConditionFault(error, at: place)
      }
    case .function(_, LocatedPredicate.subquery, let arguments):
      let (collection, object) = try subquery(arguments, place)
      return .many(collection, object, place)
    case .function(_, let name, let arguments): return try function(name, arguments, place)
    case .keyPath, .other:
      throw ConditionFault(
        "this is not supported", at: place, hint: "Compare properties with constants.")
    }
  }

  mutating func sides(_ parts: [ModelExpression]) throws(ConditionFault) -> [ConditionSide] {
    var sides: [ConditionSide] = []
    for part in parts { sides.append(try side(part)) }
    return sides
  }

  private func variable(
    _ name: String, _ place: Range<Int>
  ) throws(ConditionFault) -> (properties: ConditionProperties, level: Int) {
    if let variable = variables[Name(name)] { return variable }
    throw ConditionFault(
      "the variable $\(name) is not known", at: place,
      hint: "Example: SUBQUERY(items, $i, $i.price > 5).@count > 0")
  }

  /// A key path from an object of the scope.
  private mutating func side(
    _ path: String, _ properties: ConditionProperties, _ level: Int, _ place: Range<Int>
  ) throws(ConditionFault) -> ConditionSide {
    do throws(ConditionProblem) {
      guard let found = try properties.collection(path) else {
        let property = try properties.property(path)
        needsOtherObjects = needsOtherObjects || property.isElsewhere
        return .property(property.at(level), place)
      }
      needsOtherObjects = true
      collectionCount += 1
      let collection = ConditionCollection(
        start: level, steps: found.steps, followed: found.followed, level: collectionCount)
      return try side(collection, found.rest, after: found.prefix, place)
    } catch {
      throw ConditionFault(error, at: place)
    }
  }

  // MARK: Collections

  /// What keys behind a collection lead to.
  private func side(
    _ collection: ConditionCollection, _ keys: ArraySlice<Name>, after prefix: String,
    _ place: Range<Int>
  ) throws(ConditionProblem) -> ConditionSide {
    let elements = elements(of: collection, after: prefix)
    guard let first = keys.first else {
      return .many(collection, elements.object.at(collection.level), place)
    }
    if first == "@count", keys.count == 1 {
      return .property(.computed(.count(collection), .number(.integer)), place)
    }
    if keys.count > 1, let aggregate = ConditionExpression.Aggregate(rawValue: first.text) {
      let property = try elements.commonProperty(keys.dropFirst())
      return .property(
        try Self.aggregate(aggregate, collection, property.at(collection.level)), place)
    }
    if let key = keys.first(where: { $0.text.hasPrefix("@") }) {
      throw ConditionProblem(
        detail: "\(key) cannot stand here",
        hint: "Examples: \(prefix)@count, \(prefix)@sum.price; also @min, @max and @avg.")
    }
    return .many(collection, try elements.commonProperty(keys).at(collection.level), place)
  }

  /// What may be compared of the objects of a collection.
  private func elements(
    of collection: ConditionCollection, after prefix: String
  ) -> ConditionProperties {
    let entity = collection.followed.relationship.destinationName
    return ConditionProperties(ofAny: entity, in: model, after: prefix)
  }

  /// What becomes of a property of all objects of a collection.
  static func aggregate(
    _ aggregate: ConditionExpression.Aggregate, _ collection: ConditionCollection,
    _ property: ConditionProperty
  ) throws(ConditionProblem) -> ConditionProperty {
    let expression = ConditionExpression.aggregate(aggregate, collection, property)
    switch (aggregate, property.type.numberKind, property.type) {
    case (.least, _?, _), (.greatest, _?, _), (.least, _, .date), (.greatest, _, .date),
      (.least, _, .text), (.greatest, _, .text):
      return .computed(expression, property.type)
    case (.sum, let kind?, _):
      return .computed(expression, .number(kind == .float ? .double : kind))
    case (.average, let kind?, _):
      return .computed(expression, .number(kind == .decimal ? .decimal : .double))
    default:
      throw ConditionProblem(
        detail: "\(aggregate.rawValue) does not take values of the type \(property.typeName)")
    }
  }

  /// The collection of a subquery, and each object of it.
  private mutating func subquery(
    _ arguments: [ModelExpression], _ place: Range<Int>
  ) throws(ConditionFault) -> (ConditionCollection, ConditionProperty) {
    guard arguments.count == 3, case .variable(let name) = arguments[1],
      case .constant(.integer(let number)?) = arguments[2],
      let predicate = subqueries.dropFirst(Int(clamping: number)).first
    else { throw ConditionFault("this is not supported", at: place) }
    let side = try side(arguments[0])
    guard case .many(var collection, let object, _) = side, case .key = object.kind else {
      throw ConditionFault(
        "SUBQUERY needs a to-many relationship", at: side.place,
        hint: "Example: SUBQUERY(items, $i, $i.price > 5).@count > 0")
    }
    _ = places.popFirst()
    let variable = Name(name)
    let former = variables[variable]
    variables[variable] = (elements(of: collection, after: "$\(name)."), collection.level)
    let test = try test(predicate)
    variables[variable] = former
    collection.filter = collection.filter.map { .all([$0, test]) } ?? test
    return (collection, object)
  }
}
