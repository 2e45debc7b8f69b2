internal import CoreDataModel

/// What differs between two models of all that enters a version hash: where they differ, Core Data
/// does not open the store of one with the other.
///
/// Source: store-format, section 9. Class names, default values, validations, indexes, delete rules
/// and user info do not count.
struct ModelDifferences {
  /// One difference.
  struct Difference: Equatable {
    /// The name of the entity.
    var entity: String
    /// The name of the property, with the elements' names after points; nil for the entity itself.
    var property: String?
    /// What the store and the model have, in words.
    var text: String
  }

  /// The differences, in ascending order of entities, the entity's own before its properties'.
  private(set) var differences: [Difference] = []
  private var entity = ""

  /// Compares the model of a store with a given one.
  init(of own: ManagedObjectModel, from given: ManagedObjectModel) {
    for name in Self.names(own.entities.map(\.name), given.entities.map(\.name)) {
      entity = name
      switch (own[name], given[name]) {
      case (let own?, let given?): compare(own, given)
      case (_?, nil): add(nil, "the model lacks the entity")
      default: add(nil, "the store lacks the entity")
      }
    }
  }

  private mutating func compare(_ own: EntityDescription, _ given: EntityDescription) {
    compare(nil, own.superentityName, given.superentityName) { "the superentity \($0)" }
    compare(nil, own.isAbstract, given.isAbstract) { $0 ? "an abstract entity" : "a concrete one" }
    compare(nil, own.versionHashModifier, given.versionHashModifier) {
      "the version hash modifier \($0)"
    }
    let (mine, theirs) = (Self.properties(of: own), Self.properties(of: given))
    for name in Self.names(Array(mine.keys), Array(theirs.keys)) {
      switch (mine[name], theirs[name]) {
      case (.attribute(let own)?, .attribute(let given)?): compare(own, given, name)
      case (.relationship(let own)?, .relationship(let given)?): compare(own, given)
      case (let own?, let given?): compare(name, own.kind, given.kind) { $0 }
      case (_?, nil): add(name, "the model lacks the property")
      default: add(name, "the store lacks the property")
      }
    }
  }

  private mutating func compare(
    _ own: AttributeDescription, _ given: AttributeDescription, _ path: String
  ) {
    compare(path, own.type.name, given.type.name) { "the type \($0)" }
    compareFlags(
      path, (own.isOptional, own.isTransient, own.isReadOnly),
      (given.isOptional, given.isTransient, given.isReadOnly))
    compare(path, own.versionHashModifier, given.versionHashModifier) {
      "the version hash modifier \($0)"
    }
    let mine = Dictionary(own.elements.map { ($0.name, $0) }) { first, _ in first }
    let theirs = Dictionary(given.elements.map { ($0.name, $0) }) { first, _ in first }
    for name in Self.names(Array(mine.keys), Array(theirs.keys)) {
      let path = "\(path).\(name)"
      switch (mine[name], theirs[name]) {
      case (let own?, let given?): compare(own, given, path)
      case (_?, nil): add(path, "the model lacks the element")
      default: add(path, "the store lacks the element")
      }
    }
  }

  private mutating func compare(
    _ own: RelationshipDescription, _ given: RelationshipDescription
  ) {
    let name = own.name
    compare(name, own.destinationName, given.destinationName) { "the destination \($0)" }
    compare(name, own.inverseName, given.inverseName) { "the inverse \($0)" }
    compare(name, own.minCount, given.minCount) { "the minimum count \($0)" }
    compare(name, own.maxCount, given.maxCount) { "the maximum count \($0)" }
    compare(name, own.isOrdered, given.isOrdered) { $0 ? "an ordered one" : "one without order" }
    compareFlags(
      name, (own.isOptional, own.isTransient, own.isReadOnly),
      (given.isOptional, given.isTransient, given.isReadOnly))
    compare(name, own.versionHashModifier, given.versionHashModifier) {
      "the version hash modifier \($0)"
    }
  }

  private mutating func compareFlags(
    _ property: String, _ own: (Bool, Bool, Bool), _ given: (Bool, Bool, Bool)
  ) {
    compare(property, own.0, given.0) { $0 ? "an optional one" : "a mandatory one" }
    compare(property, own.1, given.1) { $0 ? "a transient one" : "a persistent one" }
    compare(property, own.2, given.2) { $0 ? "a read-only one" : "one that can be written" }
  }

  // MARK: Words

  private mutating func compare<T: Equatable>(
    _ property: String?, _ own: T, _ given: T, _ text: (T) -> String
  ) {
    if own != given {
      add(property, "the store has \(text(own)), the model \(text(given))")
    }
  }

  private mutating func compare<T: Equatable>(
    _ property: String?, _ own: T?, _ given: T?, _ text: (T) -> String
  ) {
    guard own != given else { return }
    switch (own, given) {
    case (let own?, let given?):
      add(property, "the store has \(text(own)), the model \(text(given))")
    case (let own?, nil): add(property, "the store has \(text(own)), the model none")
    case (nil, let given?): add(property, "the model has \(text(given)), the store none")
    case (nil, nil): break
    }
  }

  private mutating func add(_ property: String?, _ text: String) {
    differences.append(Difference(entity: entity, property: property, text: text))
  }

  // MARK: Properties

  private enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)

    var kind: String {
      switch self {
      case .attribute: "an attribute"
      case .relationship: "a relationship"
      }
    }
  }

  private static func properties(of entity: EntityDescription) -> [String: Property] {
    var found: [String: Property] = [:]
    for attribute in entity.attributes { found[attribute.name] = .attribute(attribute) }
    for relationship in entity.relationships {
      found[relationship.name] = .relationship(relationship)
    }
    return found
  }

  private static func names(_ first: [String], _ second: [String]) -> [String] {
    Set(first).union(second).sorted(by: codeUnitsAscend)
  }
}
