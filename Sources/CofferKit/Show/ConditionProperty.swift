internal import CoreDataModel

/// What a key path of a condition leads to in the objects of one entity.
struct ConditionProperty {
  /// Where the values stand.
  enum Kind {
    /// The primary key of the object itself.
    case key
    /// A column.
    case attribute([ExactString])
    /// The columns of elements.
    case composite(AttributeDescription, [ExactString])
    /// A to-one relationship.
    case toOne(RelationshipDescription)
    /// Nowhere: only other entities have it.
    case missing
  }

  let kind: Kind
  /// What the values are compared as.
  let type: ConditionType
  /// The type as the model names it, for errors.
  let typeName: String
}

/// The properties that a condition on objects of one entity may name.
struct ConditionProperties {
  private let entity: String
  private let model: ManagedObjectModel
  /// The entities that are asked for: a property that any of them has may be named.
  private let tree: [String]

  /// - Parameters:
  ///   - entity: the entity of the objects.
  ///   - asked: the entity that was asked for, the same or one above.
  ///   - model: the model.
  init(of entity: String, asked: String, in model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
    tree = model.tree(of: asked).map(\.name)
  }

  /// The object itself.
  var object: ConditionProperty {
    ConditionProperty(
      kind: .key, type: .object(root: model.root(of: entity)?.name ?? entity), typeName: "an object"
    )
  }

  /// What a key path leads to.
  ///
  /// - Throws: ``ConditionProblem`` where no entity has such a property, or it cannot be compared.
  func property(_ path: String) throws(ConditionProblem) -> ConditionProperty {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let found = try property(keys, of: entity) { return found }
    for other in tree where try property(keys, of: other) != nil {
      return ConditionProperty(kind: .missing, type: .missing, typeName: "")
    }
    let names = names
    let guess = SimilarName.nearest(to: path, among: names).map { "Did you mean '\($0)'? " } ?? ""
    throw ConditionProblem(
      detail: "\(entity) has no property \(path)",
      hint: "\(guess)Available: \(names.joined(separator: ", ")). Write a text in quotes.",
      isUnknownName: true)
  }

  private func property(
    _ keys: [String], of entity: String
  ) throws(ConditionProblem) -> ConditionProperty? {
    let name = keys.first ?? ""
    if let relationship = model.relationship(name, of: entity)?.relationship {
      return try property(relationship, keys)
    }
    guard
      var attribute = model.allAttributes(of: entity).last(where: { $0.name.hasSameBytes(as: name) }
      )
    else { return nil }
    var path = [ExactString(name)]
    for key in keys.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name.hasSameBytes(as: key) }) else {
        throw Self.absent(key, in: attribute, keys)
      }
      attribute = element
      path.append(ExactString(key))
    }
    guard !attribute.isTransient else {
      throw ConditionProblem(
        detail: "\(keys.joined(separator: ".")) is transient and not in the store")
    }
    return ConditionProperty(
      kind: attribute.isComposite ? .composite(attribute, path) : .attribute(path),
      type: ConditionType(attribute.type), typeName: attribute.type.name)
  }

  private static func absent(
    _ key: String, in attribute: AttributeDescription, _ keys: [String]
  ) -> ConditionProblem {
    let elements = attribute.elements.map(\.name)
    let guess = SimilarName.nearest(to: key, among: elements).map { "Did you mean '\($0)'? " } ?? ""
    return ConditionProblem(
      detail: "\(attribute.name) has no element \(key)",
      hint: elements.isEmpty
        ? "\(attribute.name) is \(attribute.type.name)."
        : "\(guess)Available: \(elements.joined(separator: ", "))", isUnknownName: true)
  }

  private func property(
    _ relationship: RelationshipDescription, _ keys: [String]
  ) throws(ConditionProblem) -> ConditionProperty {
    guard !relationship.isTransient else {
      throw ConditionProblem(detail: "\(relationship.name) is transient and not in the store")
    }
    guard !relationship.isToMany else {
      throw ConditionProblem(
        detail: "\(relationship.name) is to-many",
        hint: "Compare attributes and to-one relationships.")
    }
    guard keys.count == 1 else {
      throw ConditionProblem(
        detail: "\(keys.joined(separator: ".")) leads through a relationship",
        hint: "Compare \(relationship.name) with nil or with an object, such as "
          + "'\(relationship.destinationName)/p7'.")
    }
    let destination = relationship.destinationName
    return ConditionProperty(
      kind: .toOne(relationship),
      type: .object(root: model.root(of: destination)?.name ?? destination),
      typeName: "a to-one relationship")
  }

  /// The names of all properties that can be compared, sorted.
  private var names: [String] {
    var names: Set<ExactString> = []
    for entity in tree {
      for attribute in model.allAttributes(of: entity) where !attribute.isTransient {
        names.insert(attribute.name)
        for element in attribute.elements { names.insert("\(attribute.name).\(element.name)") }
      }
      for relationship in model.allRelationships(of: entity)
      where !relationship.isToMany && !relationship.isTransient {
        names.insert(relationship.name)
      }
    }
    return names.map(\.text).sorted(by: codeUnitsAscend)
  }
}
