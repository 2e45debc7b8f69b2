internal import CoreDataModel

/// The properties that a condition on objects of one entity may name.
struct ConditionProperties {
  let entity: Name
  let model: ManagedObjectModel
  /// The queried entities: a condition may name a property of any of them.
  let tree: [Name]
  /// The keys that lead to the objects, each with a dot behind it.
  let prefix: String
  /// Whether the objects have exactly this entity, and not a subentity.
  let isExact: Bool

  /// The properties of objects that are asked: of their own entity, which may be below the queried one.
  init(of entity: Name, asked: Name, in model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
    prefix = ""
    isExact = true
    tree = model.tree(of: asked).map(\.name)
  }

  /// The properties of objects to which others lead.
  ///
  /// The prefix consists of the keys that lead to the objects, each with a dot behind it.
  init(ofAny entity: Name, in model: ManagedObjectModel, after prefix: String) {
    self.entity = entity
    self.model = model
    self.prefix = prefix
    isExact = false
    tree = model.tree(of: entity).map(\.name)
  }

  var object: ConditionProperty {
    ConditionProperty(
      kind: .key, type: .object(root: model.root(of: entity)?.name ?? entity), typeName: "an object"
    )
  }

  /// The property at the end of a key path.
  ///
  /// - Throws: ``ConditionProblem`` where no entity has such a property, or it cannot be compared.
  func property(_ path: String) throws(ConditionProblem) -> ConditionProperty {
    let keys = Name.path(path, omittingEmptyNames: false)[...]
    return isExact ? try ownProperty(keys) : try commonProperty(keys)
  }

  /// The properties at the ends of one key path, so that each is followed once from each entity, however many
  /// ways lead there.
  private final class KnownEnds {
    struct End: Hashable {
      let entity: Name
      let keyCount: Int
    }

    var properties: [End: Result<ConditionProperty, ConditionProblem>] = [:]
  }

  private func ownProperty(_ keys: ArraySlice<Name>) throws(ConditionProblem) -> ConditionProperty {
    let known = KnownEnds()
    if let found = try property(keys, of: entity, known) { return found }
    for other in tree where try property(keys, of: other, known) != nil {
      return ConditionProperty(kind: .missing, type: .missing, typeName: "")
    }
    throw unknown(keys)
  }

  /// The property at the end of a key path from an object of any entity of the tree.
  ///
  /// - Throws: ``ConditionProblem`` where no entity has such a property, where it cannot be compared, or
  ///   where entities have different ones of that name.
  func commonProperty(_ keys: ArraySlice<Name>) throws(ConditionProblem) -> ConditionProperty {
    try commonProperty(keys, KnownEnds())
  }

  private func commonProperty(
    _ keys: ArraySlice<Name>, _ known: KnownEnds
  ) throws(ConditionProblem) -> ConditionProperty {
    var found: (entity: Name, property: ConditionProperty)?
    for name in tree {
      guard let property = try property(keys, of: name, known) else { continue }
      if let found, !found.property.isRead(as: property) {
        throw ConditionProblem(
          detail: "\(prefix)\(keys.joined(separator: ".")) is \(found.property.typeName) in "
            + "\(found.entity) and \(property.typeName) in \(name)")
      }
      found = found ?? (name, property)
    }
    guard let found else { throw unknown(keys) }
    return found.property
  }

  private func property(
    _ keys: ArraySlice<Name>, of entity: Name, _ known: KnownEnds
  ) throws(ConditionProblem) -> ConditionProperty? {
    let name = keys.first ?? ""
    if let relationship = model.relationship(name, of: entity)?.relationship {
      return try property(relationship, keys, known)
    }
    guard
      let attribute = model.allAttributes(of: entity).last(where: { $0.name == name }
      )
    else { return try name == "entity" ? entityName(keys) : nil }
    return try property(attribute, keys)
  }

  private func entityName(_ keys: ArraySlice<Name>) throws(ConditionProblem) -> ConditionProperty {
    guard keys.count == 2, keys.last == "name" else {
      throw ConditionProblem(
        detail: "an entity can only be compared by its name",
        hint: "Example: \(prefix)entity.name == '\(entity)'")
    }
    return ConditionProperty(kind: .entityName, type: .text, typeName: "the name of an entity")
  }

  // MARK: Attributes

  private func property(
    _ attribute: AttributeDescription, _ keys: ArraySlice<Name>
  ) throws(ConditionProblem) -> ConditionProperty {
    var attribute = attribute
    var path = [attribute.name]
    for key in keys.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == key }) else {
        throw Self.absent(key, in: attribute)
      }
      attribute = element
      path.append(key)
    }
    guard !attribute.isTransient else {
      throw ConditionProblem(
        detail: "\(prefix)\(keys.joined(separator: ".")) is transient and not in the store")
    }
    return ConditionProperty(
      kind: attribute.isComposite ? .composite(attribute, path) : .attribute(path),
      type: ConditionType(attribute.type), typeName: attribute.type.name)
  }

  private static func absent(_ key: Name, in attribute: AttributeDescription) -> ConditionProblem {
    let elements = attribute.elements.map(\.name)
    let guess =
      SimilarName.nearest(to: key.text, among: elements.map(\.text)).map {
        "Did you mean '\($0)'? "
      } ?? ""
    return ConditionProblem(
      detail: "\(attribute.name) has no element \(key)",
      hint: elements.isEmpty
        ? "\(attribute.name) is \(attribute.type.name)."
        : "\(guess)Available: \(elements.joined(separator: ", "))", isUnknownName: true)
  }

  // MARK: Relationships

  private func property(
    _ relationship: RelationshipDescription, _ keys: ArraySlice<Name>, _ known: KnownEnds
  ) throws(ConditionProblem) -> ConditionProperty {
    let destination = relationship.destinationName
    guard !relationship.isTransient else {
      throw ConditionProblem(detail: "\(relationship.name) is transient and not in the store")
    }
    guard !relationship.isToMany else {
      throw ConditionProblem(
        detail: "\(prefix)\(relationship.name) is to-many",
        hint: "A key path continues after one to-many relationship; use SUBQUERY for more.")
    }
    guard keys.count == 1 else {
      let end = KnownEnds.End(entity: destination, keyCount: keys.count - 1)
      let result =
        known.properties[end]
        ?? Result { () throws(ConditionProblem) in
          let properties = Self(
            ofAny: destination, in: model, after: "\(prefix)\(relationship.name).")
          return try properties.commonProperty(keys.dropFirst(), known)
        }
      known.properties[end] = result
      return try result.get().reached(through: relationship)
    }
    return ConditionProperty(
      kind: .toOne(relationship),
      type: .object(root: model.root(of: destination)?.name ?? destination),
      typeName: "a to-one relationship")
  }

  // MARK: Unknown names

  private func unknown(_ keys: ArraySlice<Name>) -> ConditionProblem {
    let (names, path) = (names, keys.joined(separator: "."))
    let guess = SimilarName.nearest(to: path, among: names.map(\.text))
      .map { "Did you mean '\(prefix)\($0)'? " }
    return ConditionProblem(
      detail: "\(entity) has no property \(path)",
      hint: "\(guess ?? "")Available: \(names.joined(separator: ", ")). Write a text in quotes.",
      isUnknownName: true)
  }

  /// The names of all properties that can be compared, sorted.
  private var names: [Name] {
    var names: Set<Name> = []
    for entity in tree {
      for attribute in model.allAttributes(of: entity) where !attribute.isTransient {
        names.insert(attribute.name)
        for element in attribute.elements { names.insert("\(attribute.name).\(element.name)") }
      }
      for relationship in model.allRelationships(of: entity) where !relationship.isTransient {
        names.insert(relationship.name)
      }
    }
    return names.sorted()
  }
}
