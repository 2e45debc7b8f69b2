internal import CoreDataModel
internal import Testing

/// Two models that look the same are not, where an accent is composed differently: they have other
/// version hashes, and other columns.
@Suite struct ExactModelTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  /// A model with one entity and a text in one place.
  private static func model(_ place: Int, _ accented: String) -> ManagedObjectModel {
    func text(_ here: Int) -> String { here == place ? accented : "a" }
    var attribute = AttributeDescription(name: Name(text(0)), type: .string)
    attribute.renamingIdentifier = Name(text(1))
    attribute.defaultValue = .string(text(2))
    attribute.valueTransformerName = Name(text(3))
    attribute.derivation = Derivation(
      expression: .keyPath(operand: .variable(text(4)), text(5)), filteringPredicate: nil)
    var relationship = RelationshipDescription(name: "r", destinationName: Name(text(6)))
    relationship.inverseName = Name(text(7))
    var entity = EntityDescription(
      name: Name(text(8)), attributes: [attribute], relationships: [relationship])
    entity.uniquenessConstraints = [[Name(text(9))]]
    entity.versionHashModifier = Name(text(10))
    entity.userInfo = ["a": .object(className: text(11), fields: [:])]
    return ManagedObjectModel(
      entities: [entity], versionIdentifiers: [Name(text(12))],
      configurations: ["a": [Name(text(13))]], source: .file)
  }

  @Test(arguments: 0..<14) func modelsDifferWhereTheirBytesDo(_ place: Int) {
    #expect(Self.composed == Self.decomposed)
    let model = Self.model(place, Self.composed)
    #expect(model == Self.model(place, Self.composed))
    #expect(model != Self.model(place, Self.decomposed))
    #expect(model.entities != Self.model(place, Self.decomposed).entities || place > 11)
  }
}
