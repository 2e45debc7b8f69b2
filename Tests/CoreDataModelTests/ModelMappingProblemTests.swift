internal import CoreDataModel
internal import Testing

/// What cannot be inferred: each change alone gives its problem and no other.
struct ModelMappingProblemTests {
  @Test func aRequiredAttributeNeedsADefault() throws {
    let added = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.append(
        AttributeDescription(name: "note", type: .string, isOptional: false))
    }
    #expect(added.problemList == ["Person.note missing-default"])
    let changed = try MappingSamples.mapping(changing: "Person") { person in
      person.changeAttribute("name") { $0.isOptional = false }
    }
    #expect(changed.problemList == ["Person.name missing-default"])
  }

  @Test(
    arguments: [
      (.integer16, 99_999), (.integer16, -32_769), (.integer32, 4_294_967_296), (.boolean, 2),
    ] as [(AttributeType, Int64)])
  func aDefaultOutOfRangeIsNoDefault(_ type: AttributeType, _ value: Int64) throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.append(
        AttributeDescription(
          name: "height", type: type, isOptional: false, defaultValue: .integer(value)))
    }
    #expect(mapping.problemList == ["Person.height missing-default"])
  }

  @Test func aDefaultOfTheAppsClassesIsNoDefault() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.append(
        AttributeDescription(
          name: "cover", type: .transformable, isOptional: false,
          defaultValue: .object(className: "Cover", fields: [:])))
    }
    #expect(mapping.problemList == ["Person.cover missing-default"])
  }

  @Test func typesThatHoldOtherValuesDoNotConvert() throws {
    let types: [AttributeType] = [
      .integer16, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable,
    ]
    for old in types {
      for new in types where old != new && !(old == .float && new == .double) {
        // Whole numbers become others, as long as each is the same.
        if [.integer16, .boolean].contains(old),
          [.integer16, .boolean, .float, .double, .decimal].contains(new)
        {
          continue
        }
        func model(_ type: AttributeType) -> ManagedObjectModel {
          MappingSamples.model([
            EntityDescription(name: "A", attributes: [AttributeDescription(name: "x", type: type)])
          ])
        }
        let mapping = try ModelMapping.infer(from: model(old), to: model(new))
        #expect(mapping.problemList == ["A.x changed-type"], "\(old.name) to \(new.name)")
      }
    }
  }

  @Test func anAttributeDoesNotBecomeARelationship() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.removeAll { $0.name == "name" }
      person.relationships.append(
        RelationshipDescription(name: "name", destinationName: "Address"))
    }
    #expect(mapping.problemList == ["Person.name changed-kind"])
  }

  @Test func hierarchiesAreNotMerged() throws {
    let mapping = try MappingSamples.mapping(changing: "Address") { address in
      address.superentityName = "Being"
    }
    #expect(mapping.problemList == ["Address merged-hierarchies"])
  }

  @Test func oneOldPropertyHasOneNewName() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.append(
        AttributeDescription(name: "title", type: .string, renamingIdentifier: "name"))
    }
    #expect(mapping.problemList == ["Person.title ambiguous-renaming"])
  }

  @Test func oneOldEntityHasOneNewName() throws {
    let mapping = try MappingSamples.mapping { entities in
      entities.append(EntityDescription(name: "Place", renamingIdentifier: "Address"))
    }
    #expect(mapping.problemList == ["Place ambiguous-renaming"])
  }

  @Test func aRelationshipDoesNotLeadElsewhere() throws {
    let mapping = try MappingSamples.mapping { entities in
      entities.append(EntityDescription(name: "Planet"))
      for index in entities.indices {
        entities[index].changeRelationship("address") {
          $0.destinationName = "Planet"
          $0.inverseName = nil
        }
        entities[index].relationships.removeAll { $0.name == "people" }
      }
    }
    #expect(mapping.problemList == ["Person.address changed-destination"])
  }

  @Test func twoRelationshipsWithValuesDoNotBecomeInverses() throws {
    func model(_ areInverses: Bool) -> ManagedObjectModel {
      MappingSamples.model([
        EntityDescription(
          name: "A",
          relationships: [
            RelationshipDescription(
              name: "b", destinationName: "B", inverseName: areInverses ? "a" : nil)
          ]),
        EntityDescription(
          name: "B",
          relationships: [
            RelationshipDescription(
              name: "a", destinationName: "A", inverseName: areInverses ? "b" : nil)
          ]),
      ])
    }
    let mapping = try ModelMapping.infer(from: model(false), to: model(true))
    #expect(mapping.problemList == ["A.b changed-inverse", "B.a changed-inverse"])
  }

  @Test func aDerivedAttributeIsNotComputed() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.attributes.append(
        AttributeDescription(
          name: "count", type: .integer32,
          derivation: Derivation(
            expression: .function(
              operand: nil, name: "count:", arguments: [.keyPath(operand: nil, "friends")]))))
    }
    #expect(mapping.problemList == ["Person.count changed-derivation"])
  }

  @Test func aModelThatLacksADestinationIsToldSo() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.relationships.append(RelationshipDescription(name: "x", destinationName: "Nowhere"))
    }
    #expect(mapping.problemList == ["Person.x incomplete-model"])
  }

  @Test func everyProblemSaysWhatWouldHelp() throws {
    let mapping = try MappingSamples.mapping { entities in
      entities = entities.map { entity in
        var changed = entity
        changed.attributes = entity.attributes.map {
          AttributeDescription(name: $0.name, type: .transformable, isOptional: false)
        }
        return changed
      }
    }
    #expect(!mapping.problems.isEmpty)
    for problem in mapping.problems {
      #expect(!problem.sentence.isEmpty && !problem.sentence.hasSuffix("."))
      #expect(problem.remedy.description.hasSuffix("."))
    }
  }

  // MARK: Conditions

  @Test func anEntityThatBecomesAbstractMayHaveNoObjects() throws {
    let mapping = try MappingSamples.mapping(changing: "Pet") { $0.isAbstract = true }
    #expect(mapping.isPossible)
    #expect(mapping.conditions == [MappingCondition(.noObjects, entity: "Pet")])
  }

  @Test func aNewConstraintIsACondition() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") {
      $0.uniquenessConstraints = [["name"]]
    }
    #expect(mapping.conditions == [MappingCondition(.unique(["name"]), entity: "Person")])
  }

  @Test func aRelationshipThatBecomesRequiredIsACondition() throws {
    let mapping = try MappingSamples.mapping(changing: "Person") { person in
      person.changeRelationship("address") { $0.isOptional = false }
    }
    #expect(
      mapping.conditions == [
        MappingCondition(
          .destinationCount(DestinationCount(minimum: 1, maximum: 1, mayBeEmpty: false)),
          entity: "Person", property: "address")
      ])
  }

  // MARK: Hostile models

  @Test func anInheritanceThatEndsNowhereIsAnError() {
    let circle = MappingSamples.model([
      EntityDescription(name: "A", superentityName: "B"),
      EntityDescription(name: "B", superentityName: "A"),
    ])
    let small = MappingSamples.model([EntityDescription(name: "A")])
    #expect(throws: CofferError.self) { try ModelMapping.infer(from: circle, to: small) }
    #expect(throws: CofferError.self) { try ModelMapping.infer(from: small, to: circle) }
  }

  @Test func aModelThatMultipliesPropertiesEndsInAnError() {
    var entities = [
      EntityDescription(
        name: "Root",
        attributes: (0..<2000).map { AttributeDescription(name: "a\($0)", type: .string) })
    ]
    for number in 0..<2000 {
      entities.append(EntityDescription(name: "E\(number)", superentityName: "Root"))
    }
    let model = MappingSamples.model(entities)
    #expect(throws: CofferError.self) { try ModelMapping.infer(from: model, to: model) }
  }
}
