internal import CoreDataModel
internal import Testing

@testable internal import CoreDataModel

/// The texts of predicates, read and written.
@Suite struct PredicateParserTests {
  @Test(arguments: [
    "a == 1", "a != NULL", "(a == 1 AND b <= 2.5)", "(a == 1 OR b == -1 OR c == 'x')",
    "NOT (a == 1)", "SELF >= 0", "SELF CONTAINS 'title'", "name CONTAINS[cd] 'é'",
    "length >= 3", "a.b.c == $limit", "a IN {1, 2, 3}", "count:(pages) > 3", "name LIKE 'a*'",
    "a BETWEEN {1, 2}", "name MATCHES '[a-z]+'", "flag == True", "items.@count == 0",
    "((a == 1 AND b == 2) OR c == 3)",
  ])
  func whatIsWrittenIsReadBack(_ text: String) throws {
    #expect(try PredicateParser.predicate(text).formatDescription == text)
  }

  @Test(arguments: [
    ("a = 1 && b => 2 || !(c <> 3)", "((a == 1 AND b >= 2) OR NOT (c != 3))"),
    ("(a) == (1)", "a == 1"), ("a == nil", "a == NULL"), ("SELF.name == \"x\"", "name == 'x'"),
    ("not a beginswith 'x'", "NOT (a BEGINSWITH 'x')"),
    ("((((a == 1))))", "a == 1"), ("NONE x.y == 1", "NOT (ANY x.y == 1)"),
  ])
  func otherSpellingsMeanTheSame(_ text: String, _ canonical: String) throws {
    #expect(try PredicateParser.predicate(text).formatDescription == canonical)
  }

  @Test(arguments: [
    ("items.@count", ModelExpression.keyPath(operand: nil, "items.@count")),
    ("now()", .function(operand: nil, name: "now", arguments: [])),
    (
      "canonical:(title)",
      .function(
        operand: nil, name: "canonical:", arguments: [.keyPath(operand: nil, "title")])
    ),
    (
      "a + 2",
      .function(
        operand: nil, name: "add:to:",
        arguments: [.keyPath(operand: nil, "a"), .constant(.integer(2))])
    ),
    ("'it\\'s'", .constant(.string("it's"))), ("SELF", .evaluatedObject),
  ])
  func expressionsAreRead(_ text: String, _ expression: ModelExpression) throws {
    #expect(try PredicateParser.expression(text) == expression)
  }

  @Test(arguments: [
    "", "a", "a ==", "== 1", "a == 1 AND", "a == 1 b", "(a == 1", "a == 'x", "a == {1", "f(1",
    "a == 1)", "a ? b", "a. == 1", "a == [1", "NOT", "a CONTAINS[ 'x'", "%K == 1",
  ])
  func aTextThatIsNoPredicateIsDamaged(_ text: String) {
    do {
      _ = try PredicateParser.predicate(text)
      Issue.record("it was read")
    } catch {
      #expect(error.code == .damagedModel)
    }
  }

  @Test(arguments: ["(", "NOT ", "!", "-(", "{", "f(", "a + ("])
  func deepNestingEndsInAnError(_ part: String) {
    let text = String(repeating: part, count: 20_000) + "a == 1"
    #expect(throws: CofferError.self) { try PredicateParser.predicate(text) }
  }
}
