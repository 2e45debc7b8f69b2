internal import CoreDataModel
internal import Testing

@testable internal import CofferCore

/// The validations that cannot be evaluated, together with others or alone.
@Suite struct ValidationRulesTests {
  @Test(
    arguments: [
      (AttributeType.string, compare(.evaluatedObject, 6, .constant(.string("a+")))),
      (.string, compare(.evaluatedObject, 7, .constant(.string("a*")))),
      (.string, compare(.evaluatedObject, 0, .constant(.string("a")))),
      (.string, compare(.evaluatedObject, 99, .constant(.string("é")))),
      (.string, compare(.evaluatedObject, 99, .constant(.string("K")))),
      (.string, compare(.evaluatedObject, 99, .constant(.string("")))),
      (.string, compare(.evaluatedObject, 10, .constant(.string("abc")))),
      (
        .string,
        .comparison(
          .evaluatedObject, .init(rawValue: 4, modifier: 0, options: 1), .constant(.string("a")))
      ),
      (.string, compare(.keyPath(operand: nil, "uppercaseString"), 4, .constant(.string("A")))),
      (.string, compare(.evaluatedObject, 3, .constant(.integer(1)))),
      (.integer16, compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(1)))),
      (.integer16, compare(.evaluatedObject, 3, .constant(.string("1")))),
      (.integer16, compare(.evaluatedObject, 3, .variable("x"))),
      (.integer16, compare(.evaluatedObject, 3, .constant(nil))),
      (.integer16, compare(.evaluatedObject, 100, .constant(.array([.integer(1)])))),
      (.integer16, compare(.evaluatedObject, 1234, .constant(.integer(1)))),
      (
        .integer16,
        .comparison(.evaluatedObject, .init(rawValue: 4, modifier: 2), .constant(.integer(1)))
      ),
      (.date, compare(.evaluatedObject, 3, .constant(.integer(1)))),
      (.uuid, compare(.evaluatedObject, 4, .constant(.uuid("A")))),
      (.uri, compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(1)))),
      (.integer16, .other(.object(className: "NSTruePredicate", fields: [:]))),
    ] as [(AttributeType, ModelPredicate)])
  func otherFormsAreNotEvaluated(_ type: AttributeType, _ predicate: ModelPredicate) {
    for form in [predicate, .not(predicate), .or([atLeast(0), predicate])] {
      let rules = ValidationRules(AttributeDescription(validatedBy: [form]), type)
      #expect(rules.conditions.isEmpty)
      #expect(rules.notEvaluated == [form])
    }
  }

  @Test func ofConditionsThatAllMustHoldSomeCanBeEvaluated() {
    let pattern = compare(.evaluatedObject, 6, .constant(.string("a+")))
    let length = compare(.keyPath(operand: nil, "length"), 3, .constant(.integer(2)))
    let rules = ValidationRules(
      AttributeDescription(validatedBy: [.and([pattern, .and([length])])]), .string)
    #expect(rules.notEvaluated == [pattern])
    #expect(rules.conditions.map(\.predicate) == [length])
  }
}
