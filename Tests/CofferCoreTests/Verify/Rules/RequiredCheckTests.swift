internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// What must have a value, in models with inheritance and composite attributes.
@Suite struct RequiredCheckTests {
  @Test func anElementIsNotRequiredWhereItsOptionalCompositeHasNoValue() throws {
    let place = composite("place", [.init(name: "city", type: .string, isOptional: false), zip])
    try expect(
      [
        "error missing-value Shop/p3.place.city"
      ],
      attributes: [place],
      rows: [[:], ["place.city": "Rome"], ["place.zip": 5], ["place.city": "", "place.zip": 1]])
  }

  @Test func anElementOfARequiredCompositeIsRequired() throws {
    let place = composite(
      "place", isOptional: false, [.init(name: "city", type: .string, isOptional: false), zip])
    try expect(
      ["error missing-value Shop/p1.place.city", "error missing-value Shop/p3.place.city"],
      attributes: [place], rows: [[:], ["place.city": "Rome"], ["place.zip": 5]])
  }

  @Test func aCompositeWithinACompositeMayHaveNoValueByItself() throws {
    let inner = composite(
      "inner", isOptional: false,
      [.init(name: "a", type: .integer16, isOptional: false, defaultValue: .integer(1))])
    let outer = composite("outer", [inner, zip])
    try expect(
      ["info missing-value-with-default Shop/p2.outer.inner.a"], attributes: [outer],
      rows: [[:], ["outer.zip": 5], ["outer.inner.a": 1]])
  }

  @Test func theNullDefaultIsNone() throws {
    try expect(
      ["error missing-value Shop/p1.a"],
      attributes: [.init(name: "a", type: .string, isOptional: false, defaultValue: .null)],
      rows: [[:]])
  }

  @Test func aDerivedAttributeIsNotRequired() throws {
    let derivation = Derivation(expression: .keyPath(operand: nil, "a"))
    try expect(
      [],
      attributes: [
        .init(name: "a", type: .string),
        .init(name: "b", type: .string, isOptional: false, derivation: derivation),
      ],
      rows: [[:]])
  }

  @Test func valuesOfOtherEntitiesInARowMeanNothing() throws {
    let entities = [
      EntityDescription(name: "Base"),
      EntityDescription(
        name: "Left", superentityName: "Base",
        attributes: [.init(name: "left", type: .integer16, isOptional: false)]),
      EntityDescription(
        name: "Right", superentityName: "Base",
        attributes: [.init(name: "right", type: .string, isOptional: false)]),
    ]
    try RuleStore(
      entities,
      rows: [("Left", ["left": 1]), ("Right", ["right": ""]), ("Left", [:]), ("Base", [:])]
    ).expect(["error missing-value Left/p3.left"], of: .required)
  }

  private let zip = AttributeDescription(name: "zip", type: .integer32)

  private func composite(
    _ name: Name, isOptional: Bool = true, _ elements: [AttributeDescription]
  ) -> AttributeDescription {
    .init(name: name, type: .composite, isOptional: isOptional, elements: elements)
  }

  private func expect(
    _ findings: [String], attributes: [AttributeDescription], rows: [[Name: StoreValue]]
  ) throws {
    let entity = EntityDescription(name: "Shop", attributes: attributes)
    try RuleStore([entity], rows: rows.map { ("Shop", $0) }).expect(findings, of: .required)
  }
}
