internal import CoreDataModel

/// Small models to change one thing of.
enum MappingSamples {
  /// People with addresses and friends, below an abstract entity.
  static var old: [EntityDescription] {
    [
      EntityDescription(
        name: "Being", isAbstract: true,
        attributes: [AttributeDescription(name: "born", type: .date)]),
      EntityDescription(
        name: "Person", superentityName: "Being",
        attributes: [
          AttributeDescription(name: "age", type: .integer16),
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(
            name: "size", type: .float, isOptional: false, defaultValue: .real(0)),
        ],
        relationships: [
          RelationshipDescription(
            name: "address", destinationName: "Address", inverseName: "people"),
          RelationshipDescription(
            name: "friends", destinationName: "Person", inverseName: "friendOf", maxCount: 0),
          RelationshipDescription(
            name: "friendOf", destinationName: "Person", inverseName: "friends", maxCount: 0),
        ]),
      EntityDescription(name: "Pet", superentityName: "Being"),
      EntityDescription(
        name: "Address",
        attributes: [AttributeDescription(name: "street", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "people", destinationName: "Person", inverseName: "address", maxCount: 0)
        ]),
    ]
  }

  static func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities, source: .file)
  }

  /// The mapping from the old model to one in which an entity was changed; the closure gets the
  /// entity of that name.
  static func mapping(
    changing name: Name, _ change: (inout EntityDescription) -> Void
  ) throws -> ModelMapping {
    try mapping { entities in
      for index in entities.indices where entities[index].name == name { change(&entities[index]) }
    }
  }

  /// The mapping from the old model to a changed one.
  static func mapping(
    _ change: (inout [EntityDescription]) -> Void
  ) throws -> ModelMapping {
    var entities = old
    change(&entities)
    return try ModelMapping.infer(from: model(old), to: model(entities))
  }
}

extension EntityDescription {
  /// Changes an attribute.
  mutating func changeAttribute(_ name: Name, _ change: (inout AttributeDescription) -> Void) {
    for index in attributes.indices where attributes[index].name == name {
      change(&attributes[index])
    }
  }

  /// Changes a relationship.
  mutating func changeRelationship(
    _ name: Name, _ change: (inout RelationshipDescription) -> Void
  ) {
    for index in relationships.indices where relationships[index].name == name {
      change(&relationships[index])
    }
  }
}

extension ModelMapping {
  /// The codes of the problems with their places.
  var problemList: [String] { problems.map { "\($0.place) \($0.code.text)" } }

  /// The mapping of a property of the new model.
  func property(_ entity: Name, _ name: Name) -> PropertyMapping? {
    mapping(to: entity)?.properties.first { $0.destination?.property == name }
  }
}
