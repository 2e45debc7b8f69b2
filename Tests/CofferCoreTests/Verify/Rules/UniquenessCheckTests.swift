internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// What must be unique, in models with inheritance, composite attributes and relationships.
@Suite struct UniquenessCheckTests {
  @Test func aConstraintHoldsAcrossSubentities() throws {
    let entities = [
      EntityDescription(
        name: "Base", attributes: [.init(name: "code", type: .string)],
        uniquenessConstraints: [["code"]]),
      // Listed again, as some models do: still one finding for each object.
      EntityDescription(name: "Left", superentityName: "Base", uniquenessConstraints: [["code"]]),
      EntityDescription(name: "Right", superentityName: "Base"),
    ]
    try RuleStore(
      entities,
      rows: [
        ("Left", ["code": "a"]), ("Left", ["code": "A"]), ("Right", ["code": "a"]), ("Base", [:]),
        ("Left", ["code": "a"]), ("Right", [:]), ("Right", ["code": "a "]),
      ]
    ).expect(
      [
        "error duplicate-unique-value Right/p3.code", "error duplicate-unique-value Left/p5.code",
      ], of: .uniqueness)
  }

  @Test func aConstraintOfASubentityHoldsForItAlone() throws {
    let entities = [
      EntityDescription(name: "Base", attributes: [.init(name: "code", type: .string)]),
      EntityDescription(name: "Left", superentityName: "Base", uniquenessConstraints: [["code"]]),
      EntityDescription(name: "Right", superentityName: "Base"),
    ]
    try RuleStore(
      entities,
      rows: [
        ("Left", ["code": "a"]), ("Right", ["code": "a"]), ("Right", ["code": "a"]),
        ("Left", ["code": "a"]),
      ]
    ).expect(["error duplicate-unique-value Left/p4.code"], of: .uniqueness)
  }

  @Test func aConstraintMayNameRelationshipsAndElements() throws {
    let place = AttributeDescription(
      name: "place", type: .composite, elements: [.init(name: "city", type: .string)])
    let entities = [
      EntityDescription(
        name: "Shop", attributes: [place],
        relationships: [
          .init(name: "owner", destinationName: "Owner", deleteRule: .nullify)
        ],
        uniquenessConstraints: [["owner", "place.city"]]),
      EntityDescription(name: "Owner"),
    ]
    try RuleStore(
      entities,
      rows: [
        ("Owner", [:]), ("Owner", [:]),
        ("Shop", ["owner": 1, "place.city": "a"]), ("Shop", ["owner": 2, "place.city": "a"]),
        ("Shop", ["owner": 1]), ("Shop", ["owner": 1, "place.city": "a"]), ("Shop", ["owner": 1]),
      ]
    ).expect(["error duplicate-unique-value Shop/p4.owner, place.city"], of: .uniqueness)
  }

  @Test func numbersAreTheSameWhateverTheirStorageClass() throws {
    let entities = [
      EntityDescription(
        name: "Shop", attributes: [.init(name: "since", type: .date)],
        uniquenessConstraints: [["since"]])
    ]
    try RuleStore(
      entities,
      rows: [("Shop", ["since": 5]), ("Shop", ["since": .real(5)]), ("Shop", ["since": 5.5])]
    ).expect(["error duplicate-unique-value Shop/p2.since"], of: .uniqueness)
  }

  @Test func aValueThatIsTooLargeIsNotPassedOverInSilence() throws {
    let entities = [
      EntityDescription(
        name: "Shop", attributes: [.init(name: "plan", type: .binary)],
        uniquenessConstraints: [["plan"]])
    ]
    let large = StoreValue.blob([UInt8](repeating: 1, count: 70_000))
    // The lines of an archive withBytes larger values.
    try RuleStore(entities, rows: [("Shop", ["plan": large]), ("Shop", ["plan": large])]).expect(
      ["warning check-not-run"], inArchive: ["error duplicate-unique-value Shop/p2.plan"],
      of: .uniqueness)
  }

  @Test func aConstraintWithoutColumnIsNotPassedOverInSilence() throws {
    let entities = [
      EntityDescription(
        name: "Shop", attributes: [.init(name: "code", type: .string)],
        uniquenessConstraints: [["code", "other"], ["code"]])
    ]
    try RuleStore(entities, rows: [("Shop", ["code": "a"]), ("Shop", ["code": "a"])]).expect(
      ["warning check-not-run", "error duplicate-unique-value Shop/p2.code"], of: .uniqueness)
  }
}
