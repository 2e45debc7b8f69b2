internal import CoreDataModel

/// The sides of comparisons: constants, lists, key paths and collections.
extension ConditionReader {
  /// A side, or a part of one.
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
      return .many(CollectedValues(collections: [collection], property: object), place)
    case .function(_, LocatedPredicate.choice, let arguments): return try choice(arguments, place)
    case .function(_, LocatedPredicate.element, let arguments):
      return try element(arguments, nil, place)
    case .keyPath(.function(_, LocatedPredicate.element, let arguments), let path):
      return try element(arguments, path, place)
    case .function(_, let name, let arguments): return try function(name, arguments, place)
    case .keyPath, .other:
      throw ConditionFault(
        "this is not supported", at: place, hint: "Compare properties with constants.")
    }
  }

  mutating func sides(_ parts: [ModelExpression]) throws(ConditionFault) -> [ConditionSide] {
    return try parts.map { part throws(ConditionFault) in try side(part) }
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
      var keys = Name.path(path, omittingEmptyNames: false)
      // An operator may come before the relationship whose objects it takes: @sum.items.price.
      let index = keys.firstIndex { $0.text.hasPrefix("@") }
      let aggregate = index.map { keys.remove(at: $0) }
      if let aggregate, let index,
        let found = try properties.collection(keys.joined(separator: ".")),
        found.steps.count >= index
      {
        return try side(
          collection(found, level), [aggregate] + found.rest, after: found.prefix, place)
      }
      guard let found = try properties.collection(path) else {
        let property = try properties.property(path)
        needsOtherObjects = needsOtherObjects || property.isElsewhere
        return .property(property.at(level), place)
      }
      return try side(collection(found, level), found.rest, after: found.prefix, place)
    } catch {
      throw ConditionFault(error, at: place)
    }
  }

  /// A collection that begins at an object of the scope.
  private mutating func collection(
    _ found: ConditionProperties.Collection, _ level: Int
  ) -> ConditionCollection {
    needsOtherObjects = true
    collectionCount += 1
    return ConditionCollection(
      start: level, steps: found.steps, followed: found.followed, level: collectionCount)
  }

  // MARK: Collections

  /// The side that keys after a collection lead to.
  private mutating func side(
    _ collection: ConditionCollection, _ keys: ArraySlice<Name>, after prefix: String,
    _ place: Range<Int>
  ) throws(ConditionProblem) -> ConditionSide {
    let elements = elements(of: collection, after: prefix)
    guard let index = keys.firstIndex(where: { $0.text.hasPrefix("@") }) else {
      return .many(try values(of: collection, elements, keys), place)
    }
    let (way, rest) = (keys[..<index], keys[(index + 1)...])
    switch keys[index] {
    case "@count" where rest.isEmpty && way.isEmpty:
      return .property(.computed(.count(collection), .number(.integer)), place)
    case "@distinctUnionOfObjects" where !rest.isEmpty && way.isEmpty,
      "@unionOfObjects" where !rest.isEmpty && way.isEmpty:
      var values = try values(of: collection, elements, rest)
      values.isDistinct = keys[index] == "@distinctUnionOfObjects"
      return .many(values, place)
    case let name:
      guard let aggregate = ConditionAggregate(rawValue: name.text),
        name.text.hasPrefix("@"), rest.isEmpty == (aggregate == .count)
      else {
        throw ConditionProblem(
          detail: "\(name) cannot be used here",
          hint: "Examples: \(prefix)@count, \(prefix)@sum.price; also @min, @max and @avg.")
      }
      // Several objects may lead to one, which counts once.
      let distinct = way.isEmpty ? nil : try elements.commonProperty(way).at(collection.level)
      let property = try elements.commonProperty(way + rest).at(collection.level)
      return .property(
        try Self.aggregate(aggregate, collection, property, distinctBy: distinct), place)
    }
  }

  /// The values that keys without an operator lead to, through any number of further to-many relationships.
  private mutating func values(
    of first: ConditionCollection, _ elements: ConditionProperties, _ keys: ArraySlice<Name>
  ) throws(ConditionProblem) -> CollectedValues {
    var (collections, elements, keys) = ([first], elements, keys)
    var level = first.level
    while !keys.isEmpty, let found = try elements.collection(keys.joined(separator: ".")) {
      let next = collection(found, level)
      collections.append(next)
      elements = self.elements(of: next, after: found.prefix)
      (level, keys) = (next.level, found.rest)
    }
    let property = keys.isEmpty ? elements.object : try elements.commonProperty(keys)
    return CollectedValues(collections: collections, property: property.at(level))
  }

  /// The comparable values of the objects of a collection.
  func elements(of collection: ConditionCollection, after prefix: String) -> ConditionProperties {
    let entity = collection.followed.relationship.destinationName
    return ConditionProperties(ofAny: entity, in: model, after: prefix)
  }

  /// The aggregate of a property of all objects of a collection, or of those that differ in another.
  static func aggregate(
    _ aggregate: ConditionAggregate, _ collection: ConditionCollection,
    _ property: ConditionProperty, distinctBy distinct: ConditionProperty?
  ) throws(ConditionProblem) -> ConditionProperty {
    guard let type = aggregate.type(for: property.type) else {
      throw ConditionProblem(
        detail: "\(aggregate.rawValue) does not take values of the type \(property.typeName)")
    }
    return .computed(.aggregate(aggregate, collection, property, distinctBy: distinct), type)
  }

  /// The collection of a subquery, and each object of it.
  private mutating func subquery(
    _ arguments: [ModelExpression], _ place: Range<Int>
  ) throws(ConditionFault) -> (ConditionCollection, ConditionProperty) {
    guard arguments.count == 3, case .variable(let name) = arguments[1],
      let predicate = predicate(arguments[2])
    else { throw ConditionFault("this is not supported", at: place) }
    let side = try side(arguments[0])
    guard case .many(let values, _) = side, values.collections.count == 1,
      case .key = values.property.kind
    else {
      throw ConditionFault(
        "SUBQUERY needs a to-many relationship", at: side.place,
        hint: "Example: SUBQUERY(items, $i, $i.price > 5).@count > 0")
    }
    var collection = values.collections[0]
    _ = places.popFirst()
    let variable = Name(name)
    let former = variables[variable]
    variables[variable] = (elements(of: collection, after: "$\(name)."), collection.level)
    let test = try test(predicate)
    variables[variable] = former
    collection.filter = collection.filter.map { .all([$0, test]) } ?? test
    return (collection, values.property)
  }
}
