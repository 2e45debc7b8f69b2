internal import CoreDataModel

/// Where the values of an attribute come from in a migration with a mapping model.
enum MappedValue: Equatable {
  /// A constant; nil and null are no value.
  case constant(ModelValue?)
  /// A key path from the old object.
  case path([Name])
  /// An expression, with key paths from the old object.
  case calculated(ModelExpression)
  /// Nowhere: objects get the default.
  case none
  /// An expression that cannot be evaluated; the text says why.
  case unsupported(String)

  /// Reads the mapping of an attribute.
  ///
  /// - Parameters:
  ///   - property: the mapping of the attribute.
  ///   - rule: the entity mapping that it belongs to.
  ///   - source: the entity of the old objects.
  ///   - old: the old model.
  init(
    _ property: MappingModel.Property, in rule: MappingModel.Entity, of source: Name,
    _ old: ManagedObjectModel
  ) {
    guard let expression = property.expression else {
      guard rule.fillsIn, property.isFilledIn else {
        self = .none
        return
      }
      let attribute = old.allAttributes(of: source).first { $0.name == property.name }
      self = attribute?.isTransient == false ? .path([property.name]) : .none
      return
    }
    if case .constant(let value) = expression {
      self = .constant(value)
    } else if let path = expression.sourcePath, !path.isEmpty {
      self = .path(path)
    } else if rule.policyClass != nil, expression.asksPolicy {
      self = .none
    } else if case .function(nil, _, _) = expression, let calculation = expression.fromSource {
      self = .calculated(calculation)
    } else {
      self = .unsupported("the expression \(expression.mappingText) is not supported")
    }
  }

  /// Whether values of one type can be set to an attribute of another: both are kept as numbers, or they are
  /// the same.
  static func isCompatible(_ old: AttributeType, _ new: AttributeType) -> Bool {
    let numbers: Set<AttributeType> = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
    ]
    return old == new || numbers.isSuperset(of: [old, new])
  }
}

/// Where the destinations of a relationship come from in a migration with a mapping model.
enum MappedDestinations: Equatable {
  /// The new objects of those at the end of a path, by these entity mappings; an empty path is the old object.
  case objects([Name], by: [Name])
  /// Nowhere: the relationship stays empty.
  case none
  /// An expression that cannot be evaluated; the text says why.
  case unsupported(String)
}

extension CustomMapping {
  /// Where the destinations of a relationship come from.
  ///
  /// - Parameters:
  ///   - property: the mapping of the relationship.
  ///   - rule: the entity mapping that it belongs to.
  ///   - old: the old model.
  ///   - new: the new model.
  /// - Returns: where they come from.
  func destinations(
    of property: MappingModel.Property, in rule: MappingModel.Entity, from old: ManagedObjectModel,
    to new: ManagedObjectModel
  ) -> MappedDestinations {
    guard let source = rule.sourceName else { return .none }
    guard let expression = property.expression else {
      if let name = property.mappingName, let path = property.keyPath {
        return objects(Name.path(path).steps, by: [name], of: source, old)
      }
      guard rule.fillsIn, property.isFilledIn,
        old.relationship(property.name, of: source) != nil
      else { return .none }
      return matching([property.name], property, rule, old, new)
    }
    if case .constant(nil) = expression { return .none }
    if case .constant(.some(.null)) = expression { return .none }
    if rule.policyClass != nil, expression.asksPolicy { return .none }
    guard case .function(.some(.variable("manager")), let function, let arguments) = expression,
      arguments.count == 2, case .constant(.some(.string(let name))) = arguments[0],
      let path = arguments[1].sourcePath?.steps
    else {
      return .unsupported("the expression \(expression.mappingText) is not supported")
    }
    switch function {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return objects(path, by: [Name(name)], of: source, old)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      return matching(path, property, rule, old, new)
    default: return .unsupported("the function \(function) is not supported")
    }
  }

  private func objects(
    _ path: [Name], by names: [Name], of source: Name, _ old: ManagedObjectModel
  ) -> MappedDestinations {
    guard old.destination(of: path, from: source) != nil else {
      return .unsupported("the old model has no relationship \(Name(path: path)) of \(source)")
    }
    if let name = names.first(where: { name in !model.entities.contains { $0.name == name } }) {
      return .unsupported("there is no entity mapping \(name)")
    }
    return .objects(path, by: names)
  }

  /// All entity mappings between the entities that a relationship leads to in the old and the new model.
  private func matching(
    _ path: [Name], _ property: MappingModel.Property, _ rule: MappingModel.Entity,
    _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) -> MappedDestinations {
    guard let source = rule.sourceName, let destination = rule.destinationName,
      let far = old.destination(of: path, from: source),
      let wanted = new.relationship(property.name, of: destination)?.relationship
    else { return .none }
    let names = carried.filter { other in
      guard let one = other.sourceName, let two = other.destinationName else { return false }
      return old.isEntity(one, kindOf: far)
        && new.isEntity(two, kindOf: wanted.destinationName)
    }
    return names.isEmpty ? .none : .objects(path, by: names.map(\.name))
  }
}

extension ManagedObjectModel {
  /// The entity that a path of relationships leads to; the entity itself for an empty one, and nil for
  /// anything else.
  func destination(of path: [Name], from entity: Name) -> Name? {
    var entity = entity
    for name in path {
      guard let (_, relationship) = relationship(name, of: entity) else { return nil }
      entity = relationship.destinationName
    }
    return entity
  }
}

extension [Name] {
  /// The relationships of a path, as Xcode writes it: without `$source` at its beginning, and without the operators
  /// that make one collection of several, since each object counts once.
  fileprivate var steps: [Name] {
    let rest = first == "$source" ? Array(dropFirst()) : self
    return rest.filter { !["@distinctUnionOfSets", "@unionOfSets"].contains($0.text) }
  }
}

extension ModelExpression {
  /// Whether it calls a method of the class that carries the objects over.
  fileprivate var asksPolicy: Bool {
    if case .function(.some(.variable("entityPolicy")), _, _) = self { true } else { false }
  }

  /// The same with key paths from the object that is asked instead of `$source`; nil for an expression with other
  /// variables, with the old object as a whole, or with functions of other objects.
  fileprivate var fromSource: ModelExpression? {
    if let path = sourcePath {
      return path.isEmpty ? nil : .keyPath(operand: nil, Name(path: path).text)
    }
    switch self {
    case .constant: return self
    case .function(nil, let name, let arguments):
      let parts = arguments.compactMap(\.fromSource)
      guard parts.count == arguments.count else { return nil }
      return .function(operand: nil, name: name, arguments: parts)
    default: return nil
    }
  }

  /// The names of a key path from the old object, empty for the old object itself; nil for anything else.
  fileprivate var sourcePath: [Name]? {
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
