internal import CoreDataModel

/// Elements of lists, and choices between values.
extension ConditionReader {
  /// An element of a list or of an ordered relationship, or a property of it.
  ///
  /// - Returns: the value of the element; no value if the list is shorter.
  /// - Throws: ``ConditionFault`` for an index that is not a number, and for a list without an order.
  mutating func element(
    _ arguments: [ModelExpression], _ path: String?, _ place: Range<Int>
  ) throws(ConditionFault) -> ConditionSide {
    guard arguments.count == 2 else {
      throw ConditionFault("this is not supported", at: place)
    }
    let list = try side(arguments[0])
    let indexPlace = places.popFirst() ?? place
    let position: ConditionCollection.Position?
    switch arguments[1] {
    case .keyPath(nil, let word) where word.uppercased() == "SIZE" && path == nil: position = nil
    case .keyPath(nil, let word) where word.uppercased() == "FIRST": position = .index(0)
    case .keyPath(nil, let word) where word.uppercased() == "LAST": position = .last
    case .constant(.integer(let index)?): position = .index(index)
    default:
      throw ConditionFault(
        "an index is a number, FIRST, LAST or SIZE", at: indexPlace, hint: "Example: items[0].name")
    }
    switch list {
    case .list(let elements, _) where path == nil:
      return Self.element(of: elements, position, place)
    case .many(let values, let listPlace) where values.collections.count == 1 && !values.isDistinct:
      guard case .key = values.property.kind else { break }
      guard let position else {
        return .property(.computed(.count(values.collections[0]), .number(.integer)), place)
      }
      return try element(of: values.collections[0], position, path, listPlace, place)
    default: break
    }
    throw ConditionFault("an index needs an ordered relationship or a list", at: list.place)
  }

  private static func element(
    of elements: [ConditionSide], _ position: ConditionCollection.Position?, _ place: Range<Int>
  ) -> ConditionSide {
    switch position {
    case nil: .constant(.integer(Int64(elements.count)), place)
    case .last: elements.last ?? .constant(nil, place)
    case .index(let index):
      Int(exactly: index).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        ?? .constant(nil, place)
    }
  }

  private func element(
    of collection: ConditionCollection, _ position: ConditionCollection.Position, _ path: String?,
    _ listPlace: Range<Int>, _ place: Range<Int>
  ) throws(ConditionFault) -> ConditionSide {
    let relationship = collection.followed.relationship
    guard relationship.isOrdered, collection.filter == nil else {
      throw ConditionFault(
        collection.filter == nil
          ? "\(relationship.name) is not ordered" : "the objects of a SUBQUERY have no order",
        at: listPlace, hint: "Use ANY to test for any of them, or @count for their number.")
    }
    var collection = collection
    collection.position = position
    let elements = elements(of: collection, after: "\(relationship.name).")
    do throws(ConditionProblem) {
      let keys = path.map { Name.path($0, omittingEmptyNames: false)[...] }
      let property =
        try keys.map { keys throws(ConditionProblem) in
          try elements.commonProperty(keys)
        } ?? elements.object
      // The least of one value is the value.
      let value = ConditionExpression.aggregate(
        .least, collection, property.at(collection.level), distinctBy: nil)
      return .property(.computed(value, property.type), place)
    } catch {
      throw ConditionFault(error, at: place)
    }
  }

  /// One of two values, as a predicate holds or not.
  mutating func choice(
    _ arguments: [ModelExpression], _ place: Range<Int>
  ) throws(ConditionFault) -> ConditionSide {
    guard arguments.count == 3, let predicate = predicate(arguments[0]) else {
      throw ConditionFault("this is not supported", at: place)
    }
    let test = try test(predicate)
    let (first, second) = (try side(arguments[1]), try side(arguments[2]))
    var type = try ConditionSide.type(of: first, second)
    if case .number = type {
      var kinds: [NumberKind] = []
      for side in [first, second] where !side.isNil {
        if let kind = try side.castType().numberKind { kinds.append(kind) }
      }
      type = .number(kinds.dropFirst().reduce(kinds.first ?? .integer) { $0.joined(with: $1) })
    }
    guard type != .opaque else {
      throw ConditionFault("TERNARY takes values that can be compared", at: first.place)
    }
    return .property(
      .computed(
        .choice(
          test, try first.expression(as: type, model), try second.expression(as: type, model)),
        type), place)
  }
}
