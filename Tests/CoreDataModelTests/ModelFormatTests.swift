internal import Testing

@testable internal import CoreDataModel

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
      "NOT ((owner.age 77 $v OR TRUEPREDICATE))"
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

  static let values: [(ModelValue, String)] = [
    (.date(0), "2001-01-01T00:00:00Z"), (.date(-946_688_700.25), "1971-01-01T22:54:59.75Z"),
    (.date(730_488_120.1), "2024-02-24T17:22:00.1Z"), (.date(-1e-9), "2001-01-01T00:00:00Z"),
    (.date(252_423_993_599), "9999-12-31T23:59:59Z"),
    (.date(1e15), "1000000000000000.0 seconds since 2001"),
    (.date(.nan), "nan seconds since 2001"),
    (.uuid("00112233-4455-6677-8899-AABBCCDDEEFF"), "00112233-4455-6677-8899-AABBCCDDEEFF"),
    (.url("https://example.org/?a=b"), "https://example.org/?a=b"),
    (.data([]), "<>"), (.data([0, 1, 255]), "<0001ff>"),
    (.data([UInt8](repeating: 7, count: 17)), "<17 bytes>"),
    (DecimalNumber(parsing: "-12.50").archived, "-12.50"),
    (
      .object(
        className: "Cover",
        fields: ["text": .string("none"), "color": .object(className: "NSColor", fields: [:])]),
      "<Cover: text = 'none'>"
    ),
    (.object(className: "NSColor", fields: ["parts": .array([.integer(1)])]), "<NSColor>"),
    (.dictionary(["b": .date(0), "a": .null]), "{'a': NULL, 'b': 2001-01-01T00:00:00Z}"),
  ]

  @Test(arguments: values)
  func valuesReadAsPeopleWriteThem(_ value: ModelValue, _ text: String) {
    #expect(value.formatDescription == text)
  }

  @Test(
    arguments: [
      (.boolean, .integer(0), "false"), (.boolean, .bool(true), "true"),
      (.boolean, .integer(2), "2"), (.integer16, .integer(1), "1"),
      (.uuid, .string("EMPY"), "'EMPY', which is not a UUID"), (.string, .string("EMPY"), "'EMPY'"),
      (.date, .date(0), "2001-01-01T00:00:00Z"), (.string, nil, nil),
    ] as [(AttributeType, ModelValue?, String?)])
  func aDefaultReadsByTheTypeOfItsAttribute(
    _ type: AttributeType, _ value: ModelValue?, _ text: String?
  ) {
    let attribute = AttributeDescription(name: "a", type: type, defaultValue: value)
    #expect(attribute.defaultText == text)
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
