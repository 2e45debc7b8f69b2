internal import CofferCore
package import CoreDataModel

extension CustomMapping {
  /// The reasons why it cannot be carried out between two models, in its own order.
  package func problems(from old: ManagedObjectModel, to new: ManagedObjectModel)
    -> [MappingProblem]
  {
    read(from: old, to: new, MappedFetches()).problems
  }

  /// Reads its expressions for two models: for the check, without fetches, and for the migration.
  func read(
    from old: ManagedObjectModel, to new: ManagedObjectModel, _ fetches: MappedFetches
  ) -> MappingCheck {
    var check = MappingCheck(mapping: self, old: old, new: new, fetches: fetches)
    for rule in model.entities { check.add(rule) }
    return check
  }
}

/// Reads the expressions of a mapping model, and finds what keeps it from being carried out.
struct MappingCheck {
  fileprivate let mapping: CustomMapping
  fileprivate let old: ManagedObjectModel
  fileprivate let new: ManagedObjectModel
  fileprivate let fetches: MappedFetches
  /// The reasons against it, in its own order.
  private(set) var problems: [MappingProblem] = []
  /// The entity mappings that carry objects over, in their order.
  private(set) var rules: [MappedRule] = []

  private mutating func note(
    _ code: MappingProblem.Code, _ entity: Name, _ property: Name?, _ sentence: String,
    remedy: CofferError.Advice = "Migrate in the app."
  ) {
    problems.append(
      MappingProblem(code, entity: entity, property: property, sentence, remedy: remedy))
  }

  fileprivate mutating func add(_ rule: MappingModel.Entity) {
    let place = rule.destinationName ?? rule.sourceName ?? rule.name
    if let name = rule.policyClass, !mapping.defaultPolicies.contains(name) {
      note(
        .customPolicy, place, nil, "the class \(name) of the app carries its objects over",
        remedy: .treatPolicyAsDefault(name))
    }
    if let name = rule.sourceName, old[name] == nil {
      note(.incompleteModel, place, nil, "the old model has no entity \(name), which it maps")
    }
    guard let name = rule.destinationName else { return }
    guard let entity = new[name] else {
      return note(.incompleteModel, place, nil, "the new model has no such entity, which it maps")
    }
    guard let source = rule.sourceName, old[source] != nil else { return }
    if entity.isAbstract {
      note(.incompleteModel, place, nil, "it is abstract, and the mapping gives it objects")
    }
    var read = MappedRule(rule: rule)
    let attributes = new.allAttributes(of: name)
    for property in rule.attributes {
      guard let attribute = attributes.first(where: { $0.name == property.name }) else {
        note(.incompleteModel, place, property.name, "the new model has no such attribute")
        continue
      }
      do throws(ExpressionProblem) {
        let value = try mapping.value(of: property, in: rule, of: source, old, fetches)
        read.values[property.name] = checked(value, property, attribute, rule, source, place)
      } catch {
        note(.notSupported, place, property.name, error.text)
      }
    }
    for property in rule.relationships {
      guard new.relationship(property.name, of: name) != nil else {
        note(.incompleteModel, place, property.name, "the new model has no such relationship")
        continue
      }
      do throws(ExpressionProblem) {
        read.destinations[property.name] = try mapping.destinations(
          of: property, in: rule, from: old, to: new)
      } catch {
        note(.notSupported, place, property.name, error.text)
      }
    }
    rules.append(read)
  }

  /// The same value; none, with a problem unless the class of the app is to convert it, if it is not one of the
  /// attribute.
  private mutating func checked(
    _ value: MappedValue, _ property: MappingModel.Property, _ attribute: AttributeDescription,
    _ rule: MappingModel.Entity, _ source: Name, _ place: Name
  ) -> MappedValue {
    switch value {
    case .calculated(let expression):
      guard attribute.isComposite || !MappedValue.isCompatible(expression.type, attribute.type)
      else { return value }
      note(
        .changedType, place, property.name,
        "\(expression.type.name) cannot become \(attribute.type.name)")
    case .path(let path):
      guard let type = old.type(of: path, from: source) else {
        note(
          .incompleteModel, place, property.name,
          "the old model has no attribute \(Name(path: path)) of \(source)")
        return .none
      }
      if MappedValue.isCompatible(type, attribute.type) { return value }
      // With a class of the app, the class is what converts the values.
      if rule.policyClass != nil { return .none }
      note(
        .changedType, place, property.name,
        "\(type.name) cannot become \(attribute.type.name)")
    case .constant(let constant):
      guard let constant, constant != .null,
        AttributeDefault(constant, as: attribute.type) == nil
      else { return value }
      note(
        .changedType, place, property.name,
        "the constant \(constant.formatDescription) is not of the type \(attribute.type.name)")
    case .none: break
    }
    return .none
  }
}

extension ManagedObjectModel {
  /// The type of the attribute at the end of a path through to-one relationships; nil if there is none.
  func type(of path: [Name], from entity: Name) -> AttributeType? {
    var entity = entity
    for (index, name) in path.enumerated() {
      if let (_, relationship) = relationship(name, of: entity) {
        guard !relationship.isToMany else { return nil }
        entity = relationship.destinationName
      } else {
        let rest = path[index...]
        return lineage(of: entity).compactMap { $0.attribute(at: rest) }.first?.type
      }
    }
    return nil
  }
}
