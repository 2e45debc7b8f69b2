internal import CofferCore
internal import CoreDataModel

/// Where the values of an attribute come from in a migration with a mapping model.
enum MappedValue {
  /// A constant; nil and null are no value.
  case constant(ModelValue?)
  /// A key path from the old object.
  case path([Name])
  case calculated(ObjectExpression)
  /// Nowhere: objects get the default.
  case none

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
  /// The new objects made from those that an expression gives.
  case objects([MappedSources])
  /// Nowhere: the relationship stays empty.
  case none
}

/// An entity mapping whose expressions are read: the check of a mapping model and the migration take the same.
struct MappedRule {
  let rule: MappingModel.Entity
  /// Where the values of attributes come from, by their names; nothing for those without a mapping.
  var values: [Name: MappedValue] = [:]
  /// Where the destinations of relationships come from, by their names; nothing for those without a mapping.
  var destinations: [Name: MappedDestinations] = [:]
}

extension CustomMapping {
  /// Where the values of an attribute come from.
  func value(
    of property: MappingModel.Property, in rule: MappingModel.Entity, of source: Name,
    _ old: ManagedObjectModel, _ fetches: MappedFetches
  ) throws(ExpressionProblem) -> MappedValue {
    guard let expression = property.expression else {
      guard rule.fillsIn, property.isFilledIn else { return .none }
      let attribute = old.allAttributes(of: source).first { $0.name == property.name }
      return attribute?.isTransient == false ? .path([property.name]) : .none
    }
    if case .constant(let value) = expression { return .constant(value) }
    if let text = expression.mappingName(of: property, in: rule) { return .constant(.string(text)) }
    if let path = expression.sourcePath, !path.isEmpty, path.last != "@count" {
      return .path(path)
    }
    if rule.policyClass != nil, expression.asksPolicy { return .none }
    return .calculated(
      try ObjectExpression(
        try expression.calculation(in: rule, self, old, fetches), of: source, in: old))
  }

  /// Where the destinations of a relationship come from.
  func destinations(
    of property: MappingModel.Property, in rule: MappingModel.Entity, from old: ManagedObjectModel,
    to new: ManagedObjectModel
  ) throws(ExpressionProblem) -> MappedDestinations {
    guard let source = rule.sourceName else { return .none }
    guard let expression = property.expression else {
      if let name = property.mappingName, let path = property.keyPath {
        return try objects([MappedSources(path: Name.path(path).steps)], by: name, of: source, old)
      }
      guard rule.fillsIn, property.isFilledIn,
        old.relationship(property.name, of: source) != nil
      else { return .none }
      return try matching([MappedSources(path: [property.name])], property, rule, old, new)
    }
    if case .constant(nil) = expression { return .none }
    if case .constant(.some(.null)) = expression { return .none }
    if rule.policyClass != nil, expression.asksPolicy { return .none }
    guard case .function(.some(.variable("manager")), let function, let arguments) = expression,
      arguments.count == 2, case .constant(.some(.string(let name))) = arguments[0],
      function.hasPrefix("destinationInstancesFor")
    else {
      throw ExpressionProblem(
        text: expression.reason ?? "the expression \(expression.mappingText) is not supported")
    }
    guard let sources = try arguments[1].sources(in: rule, self, old) else {
      throw ExpressionProblem(
        text: arguments[1].reason
          ?? "the source instances \(arguments[1].mappingText) are not supported")
    }
    switch function {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return try objects(sources, by: Name(name), of: source, old)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      guard old.relationship(Name(name), of: source) != nil else {
        throw ExpressionProblem(text: "the old model has no relationship \(name) of \(source)")
      }
      return try matching(sources, property, rule, old, new)
    default: throw ExpressionProblem(text: "the function \(function) is not supported")
    }
  }

  /// Checks that there is an entity mapping of a name.
  func require(_ name: Name) throws(ExpressionProblem) {
    guard model.entities.contains(where: { $0.name == name }) else {
      throw ExpressionProblem(text: "there is no entity mapping \(name)")
    }
  }

  private func objects(
    _ sources: [MappedSources], by name: Name, of source: Name, _ old: ManagedObjectModel
  ) throws(ExpressionProblem) -> MappedDestinations {
    try require(name)
    var sources = sources
    for index in sources.indices {
      _ = try end(of: sources[index], from: source, old)
      sources[index].rules = [name]
    }
    return .objects(sources)
  }

  /// All entity mappings between the entities that a relationship leads to in the old and the new model.
  private func matching(
    _ sources: [MappedSources], _ property: MappingModel.Property, _ rule: MappingModel.Entity,
    _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) throws(ExpressionProblem) -> MappedDestinations {
    guard let source = rule.sourceName, let destination = rule.destinationName,
      let wanted = new.relationship(property.name, of: destination)?.relationship
    else { return .none }
    var sources = sources
    for index in sources.indices {
      let far = try end(of: sources[index], from: source, old)
      sources[index].rules =
        carried.filter { other in
          guard let one = other.sourceName, let two = other.destinationName else { return false }
          return old.isEntity(one, kindOf: far)
            && new.isEntity(two, kindOf: wanted.destinationName)
        }.map(\.name)
    }
    let hasRules = sources.isEmpty || sources.contains { !$0.rules.isEmpty }
    return hasRules ? .objects(sources) : .none
  }

  /// The entity of old objects.
  private func end(
    of sources: MappedSources, from source: Name, _ old: ManagedObjectModel
  ) throws(ExpressionProblem) -> Name {
    var entity = sources.fetch?.entity ?? source
    for name in sources.path {
      guard let (_, relationship) = old.relationship(name, of: entity) else {
        throw ExpressionProblem(text: "the old model has no relationship \(name) of \(entity)")
      }
      guard !sources.isListed || !relationship.isToMany else {
        throw ExpressionProblem(
          text: "Apple does not document lists with the objects of a to-many relationship (\(name))"
        )
      }
      entity = relationship.destinationName
    }
    return entity
  }
}
