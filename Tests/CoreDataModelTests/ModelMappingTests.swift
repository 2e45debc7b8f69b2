internal import CoreDataModel
internal import Testing

/// What is inferred for each change that lightweight migration allows, alone.
struct ModelMappingTests {
  @Test func aModelMapsToItselfUnchanged() throws {
    for seed in UInt64(1)...200 {
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let mapping = try ModelMapping.infer(from: model, to: model)
      let inverses = mapping.problems.filter { $0.code != .incompleteModel }
      #expect(inverses.isEmpty, "seed \(seed): \(inverses)")
      #expect(mapping.isIdentity, "seed \(seed)")
      #expect(
        mapping.entities.allSatisfy { $0.sourceName == $0.destinationName }, "seed \(seed)")
    }
  }

  @Test func everyEntityOfBothModelsHasOneMapping() throws {
    for seed in UInt64(1)...200 {
      var first = ModelGenerator(seed: seed)
      var second = ModelGenerator(seed: seed + 1_000)
      let (old, new) = (first.model(), second.model())
      let mapping = try ModelMapping.infer(from: old, to: new)
      let sources = mapping.entities.compactMap(\.sourceName)
      let destinations = mapping.entities.compactMap(\.destinationName)
      #expect(Set(sources) == Set(old.entities.map(\.name)), "seed \(seed)")
      #expect(Set(destinations) == Set(new.entities.map(\.name)), "seed \(seed)")
      #expect(
        sources.count == old.entities.count && destinations.count == new.entities.count,
        "seed \(seed)")
      for entity in mapping.entities {
        let taken = entity.properties.compactMap(\.source)
        #expect(Set(taken).count == taken.count, "seed \(seed): \(entity.name)")
      }
    }
  }

  @Test func theSampleMapsToItself() throws {
    let mapping = try MappingSamples.mapping { _ in }
    #expect(mapping.isPossible && mapping.isIdentity && mapping.conditions.isEmpty)
  }

  @Test func attributesCanBeAddedAndRemoved() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.removeAll { $0.name == "age" }
      person.attributes.append(AttributeDescription(name: "note", type: .string))
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Person", "note")?.isAdded == true)
    let removed = mapping.mapping(to: "Person")?.properties.filter(\.isRemoved)
    #expect(removed?.map(\.source) == [PropertyReference(entity: "Person", property: "age")])
    #expect(mapping.mapping(to: "Person")?.kind == .transformed)
    #expect(mapping.mapping(to: "Address")?.kind == .copied)
  }

  @Test func aRenamingIdentifierCarriesAnAttribute() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.changeAttribute("name") {
        $0.name = "title"
        $0.renamingIdentifier = "name"
      }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Person", "title")?.source?.property == "name")
    #expect(mapping.property("Person", "title")?.changes == [.renamed])
  }

  @Test func renamingIdentifiersReachAcrossVersions() throws {
    func model(_ name: Name, _ identifier: Name?) -> ManagedObjectModel {
      MappingSamples.model([
        EntityDescription(
          name: "Car",
          attributes: [
            AttributeDescription(name: name, type: .string, renamingIdentifier: identifier)
          ])
      ])
    }
    let chain = [
      model("color", nil), model("paint", "color"), model("tint", "color"), model("hue", "tint"),
    ]
    for (old, new) in [(0, 1), (1, 2), (0, 2), (2, 3)] {
      let mapping = try ModelMapping.infer(from: chain[old], to: chain[new])
      let name = chain[new].entities[0].attributes[0].name
      #expect(
        mapping.property("Car", name)?.source?.property
          == chain[old].entities[0].attributes[0].name, "\(old) to \(new)")
    }
  }

  @Test func twoNamesCanBeSwapped() throws {
    let mapping = try MappingSamples.mapping { entities in
      entities = [
        EntityDescription(name: "Address", renamingIdentifier: "Person"),
        EntityDescription(name: "Person", renamingIdentifier: "Address"),
      ]
    }
    #expect(mapping.mapping(to: "Address")?.sourceName == "Person")
    #expect(mapping.mapping(to: "Person")?.sourceName == "Address")
  }

  @Test func anEntityCanBeRenamedAddedAndRemoved() throws {
    let mapping = try MappingSamples.mapping { entities in
      entities.removeAll { $0.name == "Pet" }
      entities.append(EntityDescription(name: "Car"))
      for index in entities.indices where entities[index].name == "Address" {
        entities[index].name = "Place"
        entities[index].renamingIdentifier = "Address"
      }
      for index in entities.indices {
        entities[index].changeRelationship("address") { $0.destinationName = "Place" }
      }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.mapping(to: "Place")?.sourceName == "Address")
    #expect(mapping.mapping(to: "Car")?.kind == .added)
    #expect(mapping.mapping(from: "Pet")?.kind == .removed)
    #expect(mapping.property("Person", "address")?.changes == [])
  }

  @Test func anAttributeCanBecomeOptional() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.changeAttribute("size") { $0.isOptional = true }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Person", "size")?.changes == [.madeOptional])
  }

  @Test func anAttributeWithADefaultCanBecomeRequired() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.changeAttribute("name") {
        $0.isOptional = false
        $0.defaultValue = .string("")
      }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Person", "name")?.changes == [.madeRequired])
  }

  @Test(arguments: [
    (AttributeType.integer16, AttributeType.integer64, false), (.integer64, .integer16, true),
    (.integer32, .integer16, true), (.integer16, .integer32, false), (.float, .double, false),
    (.boolean, .integer32, false), (.integer16, .boolean, true), (.integer64, .double, true),
    (.integer32, .double, false), (.integer32, .float, true), (.boolean, .decimal, false),
  ])
  func typesThatHoldTheSameValuesConvert(
    _ old: AttributeType, _ new: AttributeType, _ isConditional: Bool
  ) throws {
    func model(_ type: AttributeType) -> ManagedObjectModel {
      MappingSamples.model([
        EntityDescription(name: "A", attributes: [AttributeDescription(name: "x", type: type)])
      ])
    }
    let mapping = try ModelMapping.infer(from: model(old), to: model(new))
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("A", "x")?.changes == [.converted(from: old, to: new)])
    #expect(mapping.conditions.isEmpty == !isConditional)
  }

  @Test func aToOneCanBecomeToMany() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.changeRelationship("address") { $0.maxCount = 0 }
    }
    #expect(mapping.problemList.isEmpty && mapping.conditions.isEmpty)
    #expect(mapping.property("Person", "address")?.changes == [.madeToMany])
  }

  @Test func aToManyCanBecomeToOneWhereNobodyHasTwo() throws {
    let mapping = try MappingSamples.mapping(changing: "Address") { address in
      address.changeRelationship("people") { $0.maxCount = 1 }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Address", "people")?.changes == [.madeToOne])
    #expect(
      mapping.conditions == [
        MappingCondition(
          .destinationCount(DestinationCount(minimum: 0, maximum: 1, mayBeEmpty: true)),
          entity: "Address", property: "people")
      ])
  }

  @Test func anOrderComesAndGoes() throws {
    func model(_ isOrdered: Bool) -> ManagedObjectModel {
      MappingSamples.model([
        EntityDescription(
          name: "A",
          relationships: [
            RelationshipDescription(
              name: "many", destinationName: "A", inverseName: "one", maxCount: 0,
              isOrdered: isOrdered),
            RelationshipDescription(name: "one", destinationName: "A", inverseName: "many"),
          ])
      ])
    }
    let ordered = try ModelMapping.infer(from: model(false), to: model(true))
    #expect(ordered.property("A", "many")?.changes == [.madeOrdered])
    let unordered = try ModelMapping.infer(from: model(true), to: model(false))
    #expect(unordered.property("A", "many")?.changes == [.madeUnordered])
    #expect(ordered.isPossible && unordered.isPossible)
  }

  @Test func anInverseCanBeAddedAndRemoved() throws {
    func model(_ hasInverse: Bool) -> ManagedObjectModel {
      MappingSamples.model([
        EntityDescription(
          name: "A",
          relationships: [
            RelationshipDescription(
              name: "b", destinationName: "B", inverseName: hasInverse ? "a" : nil)
          ]),
        EntityDescription(
          name: "B",
          relationships: hasInverse
            ? [
              RelationshipDescription(
                name: "a", destinationName: "A", inverseName: "b", maxCount: 0)
            ] : []),
      ])
    }
    let added = try ModelMapping.infer(from: model(false), to: model(true))
    #expect(added.problemList.isEmpty && added.conditions.isEmpty)
    #expect(added.property("A", "b")?.changes == [.changedInverse(from: nil, to: "a")])
    let removed = try ModelMapping.infer(from: model(true), to: model(false))
    #expect(removed.problemList.isEmpty)
  }

  @Test func propertiesMoveUpAndDownTheHierarchy() throws {
    let mapping = try MappingSamples.mapping { entities in
      for index in entities.indices where entities[index].name == "Person" {
        entities[index].attributes.removeAll { $0.name == "name" }
      }
      for index in entities.indices where entities[index].name == "Being" {
        entities[index].attributes = [AttributeDescription(name: "name", type: .string)]
      }
      for index in entities.indices where entities[index].name == "Pet" {
        entities[index].attributes = [AttributeDescription(name: "born", type: .date)]
      }
    }
    #expect(mapping.problemList.isEmpty)
    #expect(mapping.property("Person", "name")?.changes == [.moved])
    #expect(mapping.property("Pet", "born")?.changes == [.moved])
    #expect(mapping.property("Pet", "name")?.isAdded == true)
  }

  @Test func aParentCanBeAddedAndRemoved() throws {
    let added = try MappingSamples.mapping { entities in
      entities.append(EntityDescription(name: "Thing", isAbstract: true))
      for index in entities.indices where entities[index].name == "Address" {
        entities[index].superentityName = "Thing"
      }
    }
    #expect(added.problemList.isEmpty)
    let removed = try MappingSamples.mapping { entities in
      entities.removeAll { $0.name == "Being" }
      for index in entities.indices { entities[index].superentityName = nil }
    }
    #expect(removed.problemList.isEmpty)
    #expect(removed.mapping(from: "Being")?.kind == .removed)
  }
}
