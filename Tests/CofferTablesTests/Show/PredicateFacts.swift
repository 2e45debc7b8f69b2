internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator

/// What of a store predicates are made up about: properties that the store keeps under the names that
/// Core Data gives first, and some of their values.
struct PredicateFacts {
  /// An attribute, and some of its values.
  struct Attribute {
    let name: String
    let kind: String
    let values: [StoreValue]
  }

  /// A relationship.
  struct Relationship {
    let name: String
    let destination: Name
    let inverse: Name
    let isMany: Bool
  }

  /// An entity, with what it declares itself.
  struct Entity {
    let parent: Name?
    /// The name under which a store may number it.
    let formerName: String?
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  let path: String
  private(set) var entities: [Name: Entity] = [:]

  private static let kinds: [AttributeType: String] = [
    .integer16: "integer", .integer32: "integer", .integer64: "integer", .double: "double",
    .float: "float", .decimal: "decimal", .boolean: "boolean", .date: "date", .string: "text",
    .uuid: "uuid",
  ]

  /// Finds the facts of a store.
  init(_ path: String, _ model: ManagedObjectModel) throws {
    self.path = path
    let database = try GeneratorDatabase(path: path)
    for entity in model.entities {
      var facts = Entity(
        parent: entity.superentityName, formerName: entity.renamingIdentifier?.text)
      guard let root = model.root(of: entity.name)?.name else { continue }
      func isPlain(_ name: String) -> Bool { Self.isPlain(name, of: root, model) }
      for attribute in entity.attributes
      where !attribute.isTransient && isPlain(attribute.name.text) {
        guard let kind = Self.kinds[attribute.type] else { continue }
        let column = "\"Z\(attribute.name.text.uppercased())\""
        let rows = try database.rows(
          "SELECT DISTINCT \(column) FROM \"Z\(root.text.uppercased())\" WHERE \(column) NOT NULL LIMIT 40"
        )
        facts.attributes.append(
          Attribute(name: attribute.name.text, kind: kind, values: rows.compactMap(\.first)))
      }
      for relationship in entity.relationships
      where !relationship.isTransient && isPlain(relationship.name.text) {
        guard let inverse = model.inverse(of: relationship) else { continue }
        // Columns with the number of an entity have another name where two could have the same.
        guard !relationship.isToMany || inverse.relationship.name != relationship.name,
          Self.isPlain(inverse.relationship.name.text, of: relationship.destinationName, model)
        else { continue }
        facts.relationships.append(
          Relationship(
            name: relationship.name.text, destination: relationship.destinationName,
            inverse: inverse.relationship.name, isMany: relationship.isToMany))
      }
      entities[entity.name] = facts
    }
  }

  /// Whether Core Data names the column of a property by its name alone.
  private static func isPlain(
    _ name: String, of entity: Name, _ model: ManagedObjectModel
  ) -> Bool {
    let names = model.tree(of: model.root(of: entity)?.name ?? entity)
      .flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    return names.filter { $0.text.uppercased() == name.uppercased() }.count == 1
      && name.utf8.allSatisfy { $0 < 0x80 } && name != "entity"
  }

  /// The entities whose objects conditions can be about.
  var names: [Name] {
    entities.keys.sorted().filter { !lineage($0).flatMap(\.attributes).isEmpty }
  }

  /// An entity and those above.
  func lineage(_ name: Name) -> [Entity] {
    var (found, next): ([Entity], Name?) = ([], name)
    while let entity = next.flatMap({ entities[$0] }) {
      found.append(entity)
      next = entity.parent
    }
    return found
  }

  /// An entity and those below.
  func tree(_ name: Name) -> [Entity] {
    lineage(name)
      + entities.keys.sorted().filter { other in
        var next = entities[other]?.parent
        while let parent = next, parent != name { next = entities[parent]?.parent }
        return next != nil
      }.compactMap { entities[$0] }
  }

  func root(_ name: Name) -> Name {
    var name = name
    while let parent = entities[name]?.parent { name = parent }
    return name
  }

  /// The entities as the judge reads them.
  var json: [String: Any] {
    let described = entities.map { name, entity -> (String, [String: Any]) in
      var relationships: [String: Any] = [:]
      for one in entity.relationships {
        relationships[one.name] = [
          "destination": one.destination.text, "inverse": one.inverse.text, "many": one.isMany,
        ]
      }
      let description: [String: Any] = [
        "former": entity.formerName.map { $0 as Any } ?? NSNull(),
        "parent": entity.parent.map { $0.text as Any } ?? NSNull(),
        "attributes": entity.attributes.map(\.name),
        "relationships": relationships,
      ]
      return (name.text, description)
    }
    return Dictionary(uniqueKeysWithValues: described)
  }
}
