internal import CoreDataModel
internal import Testing

@Suite struct ModelFormatTests {
  private static let age = ModelExpression.keyPath(operand: nil, "owner.age")

  static let predicates: [(ModelPredicate, String)] = [
    (.comparison(age, .init(rawValue: 3), .constant(.integer(5))), "owner.age >= 5"),
    (.comparison(.evaluatedObject, .init(rawValue: 5), .constant(nil)), "SELF != NULL"),
    (
      .comparison(
        .keyPath(operand: .variable("x"), "a"), .init(rawValue: 99, modifier: 0, options: 3),
        .constant(.string("it's"))), "$x.a CONTAINS[cd] \"it's\""
    ),
    (
      .not(.or([.comparison(age, .init(rawValue: 77), .variable("v")), .and([])])),
      "NOT ((owner.age 77 $v OR ()))"
    ),
    (
      .comparison(
        .function(operand: nil, name: "count:", arguments: [age, .constant(.bool(true))]),
        .init(rawValue: 10), .aggregate([.constant(.real(1)), .constant(.string("a\n"))])),
      "count:(owner.age, True) IN {1.0, 'a\\n'}"
    ),
    (.other(.object(className: "NSTruePredicate", fields: [:])), "<NSTruePredicate>"),
  ]

  @Test(arguments: predicates)
  func predicatesHaveATextForm(_ predicate: ModelPredicate, _ text: String) {
    #expect(predicate.formatDescription == text)
  }

  @Test func operatorsDifferByModifierAndOptions() {
    let plain = ModelPredicate.Operator(rawValue: 4)
    #expect(plain == .init(rawValue: 4, modifier: 0, options: 0))
    #expect(plain != .init(rawValue: 4, modifier: 1))
    #expect(plain != .init(rawValue: 4, modifier: 0, options: 1))
    #expect(plain.hashValue == ModelPredicate.Operator(rawValue: 4).hashValue)
  }

  @Test func notANumberEqualsItselfInAModel() {
    #expect(ModelValue.real(.nan) == .real(.nan))
    #expect(ModelValue.array([.date(.nan)]) == .array([.date(.nan)]))
    #expect(ModelValue.real(1) != .integer(1))
  }

  @Test func fetchedPropertiesCanBeGivenByName() {
    let entity = EntityDescription(
      name: "A", fetchedPropertyNames: ["c", "a", "b"],
      fetchedProperties: [FetchedPropertyDescription(name: "b", fetchLimit: 3)])
    #expect(entity.fetchedPropertyNames == ["a", "b", "c"])
    #expect(entity.fetchedProperties[1].fetchLimit == 3)
  }
}
