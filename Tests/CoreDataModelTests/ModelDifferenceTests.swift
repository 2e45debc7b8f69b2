internal import CoreDataModel
internal import Testing

struct ModelDifferenceTests {
  private func changes(_ change: (inout [EntityDescription]) -> Void) throws -> [String] {
    var entities = MappingSamples.old
    change(&entities)
    return try ModelDifference(
      from: MappingSamples.model(MappingSamples.old), to: MappingSamples.model(entities)
    ).changes.map(\.description)
  }

  @Test func aModelDoesNotDifferFromItself() throws {
    for seed in UInt64(1)...100 {
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let difference = try ModelDifference(from: model, to: model)
      #expect(difference.isEmpty, "seed \(seed): \(difference.changes)")
    }
  }

  @Test func modelsThatAreNotEqualDiffer() throws {
    for seed in UInt64(1)...100 {
      var first = ModelGenerator(seed: seed)
      var second = ModelGenerator(seed: seed + 10_000)
      let (old, new) = (first.model(), second.model())
      let difference = try ModelDifference(from: old, to: new)
      #expect(difference.isEmpty == (old.entities == new.entities), "seed \(seed)")
    }
  }

  @Test func whatIsDifferentIsSaidInWords() throws {
    let changes = try changes { entities in
      for index in entities.indices where entities[index].name == "Person" {
        entities[index].changeAttribute("age") {
          $0.type = .string
          $0.defaultValue = .string("5")
        }
        entities[index].changeRelationship("address") {
          $0.deleteRule = .cascade
          $0.maxCount = 0
          $0.isOrdered = true
        }
        entities[index].uniquenessConstraints = [["name"]]
        entities[index].attributes.append(AttributeDescription(name: "x", type: .string))
      }
      entities.removeAll { $0.name == "Pet" }
      entities.append(EntityDescription(name: "Car"))
    }
    #expect(
      changes == [
        "Car: added",
        "Person: uniqueness: name added",
        "Person.address: count: to-one, now to-many",
        "Person.address: ordered: no, now yes",
        "Person.address: delete rule: Nullify, now Cascade",
        "Person.age: type: Integer 16, now String",
        "Person.age: default: none, now '5'",
        "Person.x: added",
        "Pet: removed",
      ])
  }

  @Test func formsOfOneThingAreNoDifferences() throws {
    func model(_ change: (inout EntityDescription) -> Void) -> ManagedObjectModel {
      var entity = EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription(name: "age", type: .integer16),
          AttributeDescription(name: "isOld", type: .boolean),
        ])
      change(&entity)
      return MappingSamples.model([entity])
    }
    let index = { (name: Name, properties: [String]) in
      FetchIndexDescription(name: name, elements: properties.map { .init(propertyName: Name($0)) })
    }
    let source = model { entity in
      entity.changeAttribute("age") { $0.isIndexed = true }
      entity.changeAttribute("isOld") { $0.defaultValue = .bool(false) }
      entity.compoundIndexes = [["age", "isOld"]]
    }
    let store = model { entity in
      entity.changeAttribute("isOld") { $0.defaultValue = .integer(0) }
      entity.fetchIndexes = [index("age", ["age"]), index("age_isOld", ["age", "isOld"])]
    }
    #expect(try ModelDifference(from: store, to: source).changes == [])
    #expect(try ModelDifference(from: source, to: store).changes == [])
    let other = model { entity in
      entity.changeAttribute("isOld") { $0.defaultValue = .bool(true) }
      entity.fetchIndexes = [index("age", ["age"])]
    }
    #expect(
      try ModelDifference(from: source, to: other).changes.map(\.description) == [
        "Person: compound index: age, isOld removed", "Person.isOld: default: false, now true",
      ])
  }

  @Test func renamingsAreSeen() throws {
    let changes = try changes { entities in
      for index in entities.indices where entities[index].name == "Address" {
        entities[index].name = "Place"
        entities[index].renamingIdentifier = "Address"
        entities[index].changeAttribute("street") {
          $0.name = "road"
          $0.renamingIdentifier = "street"
        }
      }
      for index in entities.indices {
        entities[index].changeRelationship("address") { $0.destinationName = "Place" }
      }
    }
    #expect(
      changes == [
        "Place: name: Address, now Place",
        "Place: renaming identifier: none, now Address",
        "Place.road: name: street, now road",
        "Place.road: renaming identifier: none, now street",
      ])
  }
}
