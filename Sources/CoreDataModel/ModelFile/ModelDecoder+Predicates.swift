extension ModelDecoder {
  mutating func fetchIndexes(
    of entity: KeyedArchive.Node, entity entityName: Name
  ) throws(CofferError) -> [FetchIndexDescription] {
    var indexes: [FetchIndexDescription] = []
    for node in try elements("NSFetchIndexDescriptions", of: entity) {
      guard let name = try self.name("NSIndexName", of: node) else {
        throw CofferError(
          .damagedModel, item: entityName.text, detail: "a fetch index without a name")
      }
      var parts: [FetchIndexDescription.Element] = []
      for element in try elements("NSIndexElements", of: node) {
        parts.append(try indexElement(element, entity: entityName))
      }
      var filter: ModelPredicate?
      if let archived = try archive.node("NSPartialIndexPredicate", of: node) {
        filter = try predicate(archived, depth: 0)
      }
      indexes.append(
        FetchIndexDescription(name: name, elements: parts, partialIndexPredicate: filter))
    }
    return indexes
  }

  private mutating func indexElement(
    _ node: KeyedArchive.Node, entity: Name
  ) throws(CofferError) -> FetchIndexDescription.Element {
    let ascending = try archive.node("NSAscending", of: node).map { archive.bool($0) } ?? true
    let kind = try integer("NSFetchIndexElementType", of: node) ?? 0
    if let property = try archive.node("NSIndexedProperty", of: node),
      try archive.isKind(property, of: "NSExpressionDescription"),
      let archived = try archive.node("NSExpression", of: property)
    {
      return .init(
        propertyName: nil, expression: try expression(archived, depth: 0),
        isAscending: ascending, kind: kind)
    }
    guard let name = try self.name("NSPropertyName", of: node) else {
      throw CofferError(
        .damagedModel, item: entity.text, detail: "an index element without a property")
    }
    return .init(propertyName: name, isAscending: ascending, kind: kind)
  }

  /// Decodes a predicate; an unknown form is kept unchanged.
  mutating func predicate(
    _ node: KeyedArchive.Node, depth: Int
  ) throws(CofferError) -> ModelPredicate {
    try check(depth: depth)
    switch try archive.className(of: node) {
    case "NSComparisonPredicate":
      guard
        let left = try archive.node("NSLeftExpression", of: node),
        let right = try archive.node("NSRightExpression", of: node),
        let operatorNode = try archive.node("NSPredicateOperator", of: node),
        let comparison = try predicateOperator(operatorNode)
      else { return .other(try archive.value(of: node)) }
      return .comparison(
        try expression(left, depth: depth + 1), comparison,
        try expression(right, depth: depth + 1))
    case "NSCompoundPredicate":
      var parts: [ModelPredicate] = []
      for part in try elements("NSSubpredicates", of: node) {
        parts.append(try predicate(part, depth: depth + 1))
      }
      switch try integer("NSCompoundPredicateType", of: node) ?? 0 {
      case 0 where parts.count == 1: return .not(parts[0])
      case 1: return .and(parts)
      case 2: return .or(parts)
      default: return .other(try archive.value(of: node))
      }
    default: return .other(try archive.value(of: node))
    }
  }

  /// The operator of a comparison; nil if only its class can describe it.
  private mutating func predicateOperator(
    _ node: KeyedArchive.Node
  ) throws(CofferError) -> ModelPredicate.Operator? {
    guard let number = try integer("NSOperatorType", of: node),
      try archive.node("NSSelectorName", of: node) == nil
    else { return nil }
    var options = try integer("NSOptions", of: node)
    if options == nil { options = try integer("NSFlags", of: node) }
    return .init(
      rawValue: number, modifier: try integer("NSModifier", of: node) ?? 0, options: options ?? 0)
  }

  /// Decodes an expression; an unknown form is kept unchanged.
  mutating func expression(
    _ node: KeyedArchive.Node, depth: Int
  ) throws(CofferError) -> ModelExpression {
    try check(depth: depth)
    switch try archive.className(of: node) {
    case "NSSelfExpression": return .evaluatedObject
    case "NSConstantValueExpression":
      if try string("NSConstantValueClassName", of: node) != nil { break }
      return .constant(try value("NSConstantValue", of: node))
    case "NSVariableExpression":
      guard let name = try string("NSVariable", of: node) else { break }
      return .variable(name)
    case "NSKeyPathExpression":
      guard let path = try keyPath(of: node) else { break }
      return .keyPath(
        operand: try operand(of: node, depth: depth, implied: "NSSelfExpression"), path)
    case "NSFunctionExpression":
      guard let name = try string("NSSelectorName", of: node) else { break }
      var arguments: [ModelExpression] = []
      if readsFetches, name == "valueForKeyPath:" || name == "valueForKey:",
        let path = try keyPath(of: node)
      {
        return .keyPath(operand: try operand(of: node, depth: depth, implied: nil), path)
      }
      for argument in try elements("NSArguments", of: node) {
        arguments.append(try expression(argument, depth: depth + 1))
      }
      return .function(
        operand: try operand(of: node, depth: depth, implied: nil), name: name,
        arguments: arguments)
    case "NSFetchRequestExpression" where readsFetches:
      guard let request = try archive.node("NSFRExpression", of: node),
        let context = try archive.node("NSMOCExpression", of: node)
      else { break }
      let isCount = try archive.node("NSCountOnlyFlag", of: node).map { archive.bool($0) } ?? false
      return .function(
        operand: nil, name: ModelExpression.fetchName,
        arguments: [
          try expression(request, depth: depth + 1), try expression(context, depth: depth + 1),
          .constant(.bool(isCount)),
        ])
    case "NSAggregateExpression":
      var parts: [ModelExpression] = []
      for part in try elements("NSCollection", of: node) {
        guard try archive.node("NSExpressionType", of: part) != nil else {
          parts.append(.constant(try archive.value(of: part)))
          continue
        }
        parts.append(try expression(part, depth: depth + 1))
      }
      return .aggregate(parts)
    default: break
    }
    return .other(try archive.value(of: node))
  }

  /// The keys of a key path expression, joined by dots; nil if one has an unknown form.
  private mutating func keyPath(of node: KeyedArchive.Node) throws(CofferError) -> String? {
    var keys: [String] = []
    for argument in try elements("NSArguments", of: node) {
      guard let key = try string("NSKeyPath", of: argument) else { return nil }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys.joined(separator: ".")
  }

  /// The operand of an expression; nil for the implied one: the object itself for a key path,
  /// Foundation's own functions for a function.
  private mutating func operand(
    of node: KeyedArchive.Node, depth: Int, implied: String?
  ) throws(CofferError) -> ModelExpression? {
    guard let operand = try archive.node("NSOperand", of: node) else { return nil }
    if let implied, try archive.className(of: operand) == implied { return nil }
    if implied == nil, try string("NSConstantValueClassName", of: operand) == Self.functionsClass {
      return nil
    }
    return try expression(operand, depth: depth + 1)
  }

  /// The class that implements functions of expressions, such as `count:`.
  static let functionsClass = "_NSPredicateUtilities"
}

extension ModelExpression {
  /// The name of the function that represents a fetch: its arguments are the request, the context, and
  /// whether only the number counts.
  package static let fetchName = "FETCH"

  /// The parts of a fetch; nil for anything else.
  package var fetchParts: (request: ModelExpression, context: ModelExpression, isCount: Bool)? {
    guard case .function(nil, Self.fetchName, let parts) = self, parts.count == 3 else {
      return nil
    }
    return (parts[0], parts[1], parts[2] == .constant(.bool(true)))
  }

  /// Reads an expression of a mapping model from a keyed archive.
  ///
  /// - Throws: ``CofferError``: `not-a-model`, `damaged-model`, `model-limit`.
  package init(archive: [UInt8]) throws(CofferError) {
    guard archive.count <= ModelCacheReader.maximumArchiveSize else {
      throw CofferError(.modelLimit, detail: "an expression of \(archive.count) bytes")
    }
    var decoder = ModelDecoder(try KeyedArchive(archive))
    decoder.readsFetches = true
    self = try decoder.expression(decoder.archive.root, depth: 0)
  }
}
