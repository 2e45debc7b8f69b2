internal import CofferCore
internal import CoreDataModel

/// Objects of the old store that an expression gives, or an element of a list in one.
struct MappedSources: Equatable {
  /// The fetch that begins it; nil for the old object itself.
  var fetch: MappedFetch?
  /// The relationships from there.
  var path: [Name] = []
  /// Whether it is an element of a list, which is at most one object.
  var isListed = false
  /// The entity mappings that made the destinations from them.
  var rules: [Name] = []
}

extension ModelExpression {
  /// The objects that the expression gives in an entity mapping: several elements for a list, none if there are no
  /// objects, and nil for anything else.
  func sources(
    in rule: MappingModel.Entity, _ mapping: CustomMapping, _ old: ManagedObjectModel
  ) throws(ExpressionProblem) -> [MappedSources]? {
    if let path = sourcePath { return [MappedSources(path: path.steps)] }
    if let (request, context, isCount) = fetchParts {
      return isCount ? nil : [MappedSources(fetch: try MappedFetch(request, in: context, old))]
    }
    switch self {
    case .aggregate(let parts):
      let paths = parts.compactMap { $0.sourcePath?.steps }
      guard paths.count == parts.count else {
        throw ExpressionProblem(text: "a list can contain only key paths from $source")
      }
      return paths.map { MappedSources(path: $0, isListed: true) }
    case .keyPath(let operand?, let path):
      guard var sources = try operand.sources(in: rule, mapping, old) else { return nil }
      for index in sources.indices { sources[index].path += Name.path(path).steps }
      return sources
    case .function(let operand?, "valueForKeyPath:", let arguments),
      .function(let operand?, "valueForKey:", let arguments):
      guard arguments.count == 1, case .constant(.some(.string(let path))) = arguments[0] else {
        return nil
      }
      return try ModelExpression.keyPath(operand: operand, path).sources(in: rule, mapping, old)
    case .function(
      .some(.variable("manager")), "sourceInstancesForEntityMappingNamed:destinationInstances:",
      let arguments):
      guard arguments.count == 2, case .constant(.some(.string(let name))) = arguments[0],
        arguments[1] == .variable("destination")
      else {
        throw ExpressionProblem(text: "source instances are found for $destination only")
      }
      try mapping.require(Name(name))
      return Name(name) == rule.name ? [MappedSources()] : []
    default: return nil
    }
  }

  func fetches(_ old: ManagedObjectModel) -> [MappedFetch] {
    if let (request, context, _) = fetchParts {
      return (try? MappedFetch(request, in: context, old)).map { [$0] } ?? []
    }
    switch self {
    case .function(let operand, _, let arguments):
      return (arguments + (operand.map { [$0] } ?? [])).flatMap { $0.fetches(old) }
    case .keyPath(let operand?, _): return operand.fetches(old)
    default: return []
    }
  }

  /// The same with key paths from the object that is asked instead of `$source`, and numbers of objects that do not
  /// depend on it as constants.
  ///
  /// - Throws: `ExpressionProblem` for other variables, objects as values, and functions of other objects.
  func calculation(
    in rule: MappingModel.Entity, _ mapping: CustomMapping, _ old: ManagedObjectModel,
    _ fetches: MappedFetches
  ) throws(ExpressionProblem) -> ModelExpression {
    if let path = sourcePath, !path.isEmpty {
      return .keyPath(operand: nil, Name(path: path).text)
    }
    if let (request, context, isCount) = fetchParts {
      let fetch = try MappedFetch(request, in: context, old)
      guard isCount else { throw ExpressionProblem(text: reason ?? mappingText) }
      return .constant(.integer(fetches[fetch]?.count ?? 0))
    }
    switch self {
    case .constant: return self
    case .keyPath(let operand?, "@count"):
      guard let sources = try operand.sources(in: rule, mapping, old),
        sources.allSatisfy({ $0.path.isEmpty && !$0.isListed })
      else { break }
      let counts = sources.map { $0.fetch.map { fetches[$0]?.count ?? 0 } ?? 1 }
      return .constant(.integer(counts.reduce(0, +)))
    case .function(nil, let name, let arguments):
      var parts: [ModelExpression] = []
      for part in arguments { parts.append(try part.calculation(in: rule, mapping, old, fetches)) }
      return .function(operand: nil, name: name, arguments: parts)
    default: break
    }
    throw ExpressionProblem(text: reason ?? "the expression \(mappingText) is not supported")
  }

  /// Why an expression has no value outside the app; nil if it may have one.
  var reason: String? {
    switch self {
    case .variable("destination"), .keyPath(.some(.variable("destination")), _):
      "Apple does not document which values $destination has when an expression is evaluated"
    case .keyPath(.some(.variable("manager")), let path) where Name.path(path).first == "userInfo",
      .keyPath(.some(.keyPath(.some(.variable("manager")), "userInfo")), let path):
      "only the app knows \(path), which it sets in the manager's userInfo"
    case .function(.some(.variable("entityPolicy")), let name, _):
      "the function \(name) belongs to a class of the app"
    case .function(nil, Self.fetchName, _): "a fetch returns objects, not a value"
    case .aggregate, .keyPath(.some(.aggregate), _): "a list is not a value"
    case .function(
      .some(.variable("manager")), "sourceInstancesForEntityMappingNamed:destinationInstances:", _),
      .keyPath(
        .some(
          .function(
            .some(.variable("manager")),
            "sourceInstancesForEntityMappingNamed:destinationInstances:",
            _)), _):
      "source instances are a list, not a value"
    case .function(.some(.variable("manager")), let name, _):
      "the function \(name) is not supported"
    default: nil
    }
  }

  /// The text that a key path from the mapping itself gives; nil for anything else.
  func mappingName(of property: MappingModel.Property, in rule: MappingModel.Entity) -> String? {
    guard case .keyPath(let operand?, let path) = self else { return nil }
    let place = ModelExpression.variable("entityMapping")
    switch (operand, path) {
    case (.variable("propertyMapping"), "name"): return property.name.text
    case (place, "name"): return rule.name.text
    case (place, "sourceEntityName"),
      (
        .function(
          operand: .variable("manager"), name: "sourceEntityForEntityMapping:", arguments: [place]),
        "name"
      ):
      return rule.sourceName?.text
    case (place, "destinationEntityName"),
      (
        .function(
          operand: .variable("manager"), name: "destinationEntityForEntityMapping:",
          arguments: [place]), "name"
      ):
      return rule.destinationName?.text
    default: return nil
    }
  }

  /// Whether it calls a method of the class that carries the objects over.
  var asksPolicy: Bool {
    if case .function(.some(.variable("entityPolicy")), _, _) = self { true } else { false }
  }

  /// The names of a key path from the old object, empty for the old object itself; nil for anything else.
  var sourcePath: [Name]? {
    switch self {
    case .variable("source"): return []
    case .keyPath(.some(.variable("source")), let path): return Name.path(path)
    case .function(.some(.variable("source")), "valueForKey:", let arguments),
      .function(.some(.variable("source")), "valueForKeyPath:", let arguments):
      guard arguments.count == 1, case .constant(.some(.string(let path))) = arguments[0] else {
        return nil
      }
      return Name.path(path)
    default: return nil
    }
  }
}

extension [Name] {
  /// The relationships of a path, as Xcode writes it: without `$source` at its beginning, and without the operators
  /// that make one collection of several, since each object counts once.
  var steps: [Name] {
    let rest = first == "$source" ? Array(dropFirst()) : self
    return rest.filter { !$0.text.hasPrefix("@distinctUnionOf") && !$0.text.hasPrefix("@unionOf") }
  }
}
