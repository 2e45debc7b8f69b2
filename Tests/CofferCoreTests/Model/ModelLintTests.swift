internal import CoreDataModel
internal import LibrarySupport
internal import Testing

@testable internal import CofferCore

/// For each rule, a model in which only this rule reports something.
@Suite struct ModelLintTests {
  /// A model made from the sound one: a change of its entities by name.
  private static func changed(
    _ change: (inout [Name: EntityDescription]) -> Void
  ) -> ManagedObjectModel {
    var entities = Dictionary(
      uniqueKeysWithValues: ModelSamples.sound.entities.map { ($0.name, $0) })
    change(&entities)
    return ManagedObjectModel(entities: Array(entities.values), source: .file)
  }

  private static let samples: [(code: String, place: String, model: ManagedObjectModel)] = [
    (
      "missing-inverse", "Trip.next",
      changed {
        $0["Trip"]?.relationships.append(
          RelationshipDescription(name: "next", destinationName: "Trip"))
      }
    ),
    (
      "required-one-to-one", "Leg.trip",
      changed {
        $0["Trip"]?.relationships[0].maxCount = 1
        $0["Trip"]?.relationships[0].isOptional = false
        $0["Leg"]?.relationships[0].isOptional = false
      }
    ),
    ("deny-delete-rule", "Trip.legs", changed { $0["Trip"]?.relationships[0].deleteRule = .deny }),
    (
      "no-action-delete-rule", "Leg.trip",
      changed { $0["Leg"]?.relationships[0].deleteRule = .noAction }
    ),
    (
      "sparse-table", "Base",
      changed { entities in
        entities["Base"] = EntityDescription(name: "Base", isAbstract: true)
        for number in 0..<4 {
          entities["Part\(number)"] = EntityDescription(
            name: "Part\(number)", superentityName: "Base",
            attributes: (0..<6).map { AttributeDescription(name: "p\(number)_\($0)", type: .date) })
        }
      }
    ),
    (
      "binary-without-external-storage", "Leg.photo",
      changed { $0["Leg"]?.attributes[0].allowsExternalBinaryDataStorage = false }
    ),
    (
      "homemade-order", "Trip.legs",
      changed {
        $0["Leg"]?.attributes.append(AttributeDescription(name: "sort_index", type: .integer32))
      }
    ),
  ]

  private static let cloudSamples: [(code: String, place: String, model: ManagedObjectModel)] = [
    ("cloudkit-missing-inverse", "Trip.next", samples[0].model),
    (
      "cloudkit-required-relationship", "Leg.trip",
      changed { $0["Leg"]?.relationships[0].isOptional = false }
    ),
    ("cloudkit-deny-delete-rule", "Trip.legs", samples[2].model),
    (
      "cloudkit-ordered-relationship", "Trip.legs",
      changed { $0["Trip"]?.relationships[0].isOrdered = true }
    ),
    (
      "cloudkit-uniqueness-constraint", "Trip",
      changed { $0["Trip"]?.uniquenessConstraints = [["name"]] }
    ),
    (
      "cloudkit-required-attribute", "Trip.name",
      changed { $0["Trip"]?.attributes[0].isOptional = false }
    ),
    (
      "cloudkit-attribute-type", "Trip.name",
      changed { $0["Trip"]?.attributes[0].type = .objectID }
    ),
  ]

  @Test func nothingIsNamedInASoundModel() {
    #expect(ModelLint(mirrorsToCloudKit: true).problems(in: ModelSamples.sound) == [])
  }

  @Test func everyRuleNamesItsModelAndNoOther() {
    for sample in Self.samples {
      let problems = ModelLint().problems(in: sample.model)
      #expect(problems.map(\.code.text) == [sample.code])
      #expect(problems.map(\.place) == [sample.place])
      #expect(problems.allSatisfy { $0.code.severity == .warning })
    }
    for sample in Self.cloudSamples {
      let problems = ModelLint(mirrorsToCloudKit: true).problems(in: sample.model)
      #expect(problems.map(\.code.text) == [sample.code])
      #expect(problems.map(\.place) == [sample.place])
      #expect(problems.allSatisfy { $0.code.severity == .error })
    }
  }

  @Test func everyRuleHasASample() {
    let samples = (Self.samples + Self.cloudSamples).map(\.code)
    #expect(ModelRuleCode.allCases.map(\.text) == samples)
  }

  @Test func whatIsTransientIsNoProblem() {
    let model = Self.changed {
      $0["Trip"]?.relationships.append(
        RelationshipDescription(name: "next", destinationName: "Trip", isTransient: true))
      $0["Leg"]?.attributes.append(
        AttributeDescription(name: "cache", type: .undefined, isOptional: false, isTransient: true))
    }
    #expect(ModelLint(mirrorsToCloudKit: true).problems(in: model) == [])
  }

  @Test func elementsOfCompositesAreLookedAt() {
    let model = Self.changed {
      $0["Trip"]?.attributes.append(
        AttributeDescription(
          name: "place", type: .composite,
          elements: [AttributeDescription(name: "x", type: .double, isOptional: false)]))
    }
    #expect(ModelLint(mirrorsToCloudKit: true).problems(in: model).map(\.place) == ["Trip.place.x"])
  }

  @Test func problemsAreInTheOrderOfTheModel() {
    let model = ModelSamples.made(30)
    let problems = ModelLint(mirrorsToCloudKit: true).problems(in: model)
    let places = problems.map(\.entityName)
    #expect(places == places.sorted { $0 < $1 })
    #expect(!problems.isEmpty)
  }
}
