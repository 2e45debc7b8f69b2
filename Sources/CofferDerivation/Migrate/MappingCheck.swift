internal import CofferCore
package import CoreDataModel
internal import CoreDataStore

/// A mapping model that is to be carried out on stores of one model.
package struct CustomMapping {
  /// The name of its file.
  package var name: String
  /// Its path.
  var path = ""
  /// The mapping model.
  var model: MappingModel
  /// The classes of the app that are treated like the standard one.
  var defaultPolicies: Set<String> = []

  /// The entity mappings that carry objects over.
  var carried: [MappingModel.Entity] {
    model.entities.filter { $0.sourceName != nil && $0.destinationName != nil }
  }

  /// Whether it is made for two versions: every entity that it maps has the version hash that its copy has.
  ///
  /// Core Data finds a mapping model in this way. Xcode's form of the copies is not read; instead, the versions
  /// must have the names that the file states.
  func fits(
    _ old: (name: String, model: ManagedObjectModel),
    _ new: (name: String, model: ManagedObjectModel)
  ) -> Bool {
    fits(old, model.source, model.sourcePath, model.entities.compactMap(\.sourceName))
      && fits(
        new, model.destination, model.destinationPath, model.entities.compactMap(\.destinationName))
  }

  private func fits(
    _ version: (name: String, model: ManagedObjectModel), _ own: ManagedObjectModel?,
    _ path: String?, _ names: [Name]
  ) -> Bool {
    let model = version.model
    guard names.allSatisfy({ model[$0] != nil }) else { return false }
    guard let own else { return path.map { Self.versionName($0) } == version.name }
    guard names.allSatisfy({ own[$0] != nil }) else { return false }
    let mapped = Set(names.flatMap { model.lineage(of: $0).map(\.name) })
    return !ModelDifference(of: own, and: model, scope: .versionHash).changes
      .contains { mapped.contains($0.entityName) }
  }

  /// The name of the version at a path: `Trips 2` of `App/Trips.xcdatamodeld/Trips 2.xcdatamodel`.
  private static func versionName(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(
      name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    )
  }

  /// The reasons why it cannot be carried out between two models, in its own order.
  package func problems(from old: ManagedObjectModel, to new: ManagedObjectModel)
    -> [MappingProblem]
  {
    var check = MappingCheck(mapping: self, old: old, new: new)
    for rule in model.entities { check.add(rule) }
    return check.problems
  }
}

/// Finds what keeps a mapping model from being carried out.
private struct MappingCheck {
  let mapping: CustomMapping
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  var problems: [MappingProblem] = []

  private mutating func note(
    _ code: MappingProblem.Code, _ entity: Name, _ property: Name?, _ sentence: String,
    remedy: CofferError.Advice = "Migrate in the app."
  ) {
    problems.append(
      MappingProblem(code, entity: entity, property: property, sentence, remedy: remedy))
  }

  mutating func add(_ rule: MappingModel.Entity) {
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
    let attributes = new.allAttributes(of: name)
    for property in rule.attributes {
      guard let attribute = attributes.first(where: { $0.name == property.name }) else {
        note(.incompleteModel, place, property.name, "the new model has no such attribute")
        continue
      }
      check(property, attribute, rule, source, place)
    }
    for property in rule.relationships {
      guard new.relationship(property.name, of: name) != nil else {
        note(.incompleteModel, place, property.name, "the new model has no such relationship")
        continue
      }
      if case .unsupported(let text) = mapping.destinations(
        of: property, in: rule, from: old, to: new)
      {
        note(.notSupported, place, property.name, text)
      }
    }
  }

  private mutating func check(
    _ property: MappingModel.Property, _ attribute: AttributeDescription,
    _ rule: MappingModel.Entity, _ source: Name, _ place: Name
  ) {
    switch MappedValue(property, in: rule, of: source, old) {
    case .unsupported(let text): note(.notSupported, place, property.name, text)
    case .path(let path):
      guard let type = old.type(of: path, from: source) else {
        return note(
          .incompleteModel, place, property.name,
          "the old model has no attribute \(Name(path: path)) of \(source)")
      }
      // With a class of the app, the class is what converts the values.
      guard !MappedValue.isCompatible(type, attribute.type), rule.policyClass == nil else { return }
      note(
        .changedType, place, property.name,
        "\(type.name) cannot become \(attribute.type.name)")
    case .constant(let value):
      guard let value, value != .null, AttributeDefault(value, as: attribute.type) == nil else {
        return
      }
      note(
        .changedType, place, property.name,
        "the constant \(value.formatDescription) is not of the type \(attribute.type.name)")
    case .none: break
    }
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
