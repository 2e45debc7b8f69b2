internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What `coffer repair` does as a person decides: `--set` and `--delete`.
@Suite struct RepairDecisionTests {
  private func rows(_ sandbox: Sandbox, _ query: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite")).rows(query)
  }

  /// A store with a visit that lacks its required arrival.
  private func lacking() throws -> Sandbox {
    let sandbox = try Sandbox()
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
      .run("UPDATE ZVISITENTITY SET ZARRIVAL = NULL WHERE Z_PK = 2")
    return sandbox
  }

  @Test func aMissingValueIsSetWhereItIsMissingAndUndone() throws {
    let sandbox = try lacking()
    let before = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Before.sqlite"))
    #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 3)
    let open = try sandbox.coffer("repair", "Todo.sqlite").output
    #expect(open.hasPrefix("Todo.sqlite: no repair without a decision\n"))
    #expect(open.contains("choice: coffer repair Todo.sqlite --set ENTITY.ATTRIBUTE=VALUE\n"))
    let value = "VisitEntity.arrival=2025-01-01T09:00:00Z"
    let plan = try sandbox.coffer("repair", "Todo.sqlite", "--set", value)
    #expect(plan.status == 3)
    #expect(
      plan.output.hasPrefix(
        """
        Todo.sqlite: 1 repair planned; --apply makes it

        set VisitEntity.arrival to 2025-01-01T09:00:00Z (1)
          VisitEntity/p2

        """))
    let applied = try sandbox.coffer(
      "repair", "Todo.sqlite", "--set", value, "--apply", "--undo", "Undo.tar.gz")
    #expect(applied.status == 0, "\(applied.output)\(applied.errorOutput)")
    #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 0)
    #expect(
      try rows(sandbox, "SELECT COUNT(DISTINCT ZARRIVAL) FROM ZVISITENTITY WHERE Z_PK < 3") == [[1]]
    )
    let again = try sandbox.coffer("repair", "Todo.sqlite", "--set", value)
    #expect(again.output == "Todo.sqlite: nothing to repair\n")
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Undo.tar.gz").status != 15)
    #expect(try StoreComparer.differences(sandbox.file("Todo.sqlite"), before) == [])
  }

  @Test func aPlanContainsTheDecision() throws {
    let sandbox = try lacking()
    let written = try sandbox.coffer(
      "repair", "Todo.sqlite", "--set", "VisitEntity.arrival=2025-01-01", "-o", "Plan.tar.gz")
    #expect(written.status == 3)
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Plan.tar.gz").status == 0)
    #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 0)
  }

  @Test func aDecisionWinsOverTheRules() throws {
    let sandbox = try Sandbox()
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
      .run("UPDATE ZITEMENTITY SET ZPRIORITY = 9 WHERE Z_PK = 1")
    let result = try sandbox.coffer(
      "repair", "Todo.sqlite", "--fix", "invalid-value", "--set", "TodoEntity.priority=4",
      "--apply")
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(try rows(sandbox, "SELECT ZPRIORITY FROM ZITEMENTITY WHERE Z_PK = 1") == [[4]])
  }

  @Test func aPredicateChoosesTheObjects() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer(
      "repair", "Todo.sqlite", "--set", "TodoEntity.priority=5", "--where", "priority == 3",
      "--apply", "--json")
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.contains(
        #""objects":["TodoEntity/p1","RecurringTodoEntity/p4","TodoEntity/p5"],"count":3"#))
    #expect(
      try rows(sandbox, "SELECT ZPRIORITY FROM ZITEMENTITY WHERE Z_PK < 6 ORDER BY Z_PK")
        == [[5], [5], [0], [5], [5]])
  }

  @Test func nilRemovesAValueAndQuotesMakeItAText() throws {
    let sandbox = try Sandbox()
    for (value, stored) in [
      ("nil", StoreValue.null), ("'nil'", "nil"), ("NULL", .null), ("\"Null\"", "Null"),
      ("'", "'"), ("' '", " "), ("\"'quoted'\"", "'quoted'"), ("null ", "null "),
    ] {
      let result = try sandbox.coffer(
        "repair", "Todo.sqlite", "--set", "PersonEntity.email=\(value)", "--where", "SELF == 1",
        "--apply")
      #expect(result.status == 0, "\(value): \(result.errorOutput)")
      #expect(try rows(sandbox, "SELECT ZEMAIL FROM ZPERSONENTITY WHERE Z_PK = 1") == [[stored]])
    }
  }

  @Test(arguments: [
    ("TagEntity.name=", "the value is invalid"),
    ("VisitEntity.arrival=nil", "the attribute requires a value"),
    ("TodoEntity.priority=9", "the value is invalid"),
    ("TodoEntity.priority=high", "the value is not of the type Integer 16"),
    ("VisitEntity.arrival=someday", "the value is not of the type Date"),
    ("TodoEntity.locationName=Home", "only Core Data computes a derived attribute"),
    ("LocationEntity.place=nil", "a composite attribute is set by its elements"),
    ("TodoEntity.nothing=1", "no such attribute"),
  ])
  func aValueThatTheAppCouldNotSaveIsRefused(_ setting: String, _ reason: String) throws {
    let sandbox = try lacking()
    let result = try sandbox.coffer("repair", "Todo.sqlite", "--set", setting, "--apply")
    #expect(result.status == 15 || result.status == 64, "\(result.status)")
    #expect(result.errorOutput.contains(reason), "\(result.errorOutput)")
    #expect(try rows(sandbox, "SELECT ZARRIVAL FROM ZVISITENTITY WHERE Z_PK = 2") == [[.null]])
  }

  @Test func aDeletionTakesAlongWhatTheRulesSay() throws {
    let sandbox = try Sandbox()
    let plan = try sandbox.coffer(
      "repair", "Todo.sqlite", "--delete", "TodoEntity", "--where", "SELF == 3")
    #expect(plan.status == 3, "\(plan.errorOutput)")
    #expect(
      plan.output.contains(
        """
        delete TodoEntity (1), and 2 by delete rules
          TodoEntity/p3
          RecurringTodoEntity/p4: by a delete rule
          TodoEntity/p5: by a delete rule

        """), "\(plan.output)")
    let before = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Before.sqlite"))
    let done = try sandbox.coffer(
      "repair", "Todo.sqlite", "--delete", "TodoEntity", "--where", "SELF == 3", "--apply",
      "--undo", "Undo.tar.gz")
    #expect(done.status == 0, "\(done.output)\(done.errorOutput)")
    #expect(try rows(sandbox, "SELECT Z_PK FROM ZITEMENTITY WHERE Z_PK IN (3, 4, 5)") == [])
    #expect(try sandbox.coffer("verify", "Todo.sqlite").status == 0)
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Undo.tar.gz").status == 0)
    #expect(try StoreComparer.differences(sandbox.file("Todo.sqlite"), before) == [])
  }

  @Test func aDeletionThatARuleDeniesIsRefused() throws {
    let sandbox = try Sandbox()
    let bytes = sandbox.bytes("Todo.sqlite")
    let result = try sandbox.coffer(
      "repair", "Todo.sqlite", "--delete", "LocationEntity", "--where", "name == 'Home'", "--apply")
    #expect(result.status == 15)
    #expect(
      result.errorOutput.contains(
        "Todo.sqlite, LocationEntity/p1: refused: the relationship todos denies its deletion"),
      "\(result.errorOutput)")
    #expect(sandbox.bytes("Todo.sqlite") == bytes)
    let empty = try sandbox.coffer(
      "repair", "Todo.sqlite", "--delete", "LocationEntity", "--where", "todos.@count == 0",
      "--apply")
    #expect(empty.status == 0, "\(empty.errorOutput)")
    #expect(try rows(sandbox, "SELECT COUNT(*) FROM ZLOCATIONENTITY") == [[2]])
  }

  @Test(arguments: [
    ["--delete", "TodoEntity"], ["--where", "priority == 3"], ["--set", "TodoEntity"],
    ["--set", "TodoEntity=1"], ["--set", "TodoEntity.priority=1", "--from", "a", "-o", "b"],
  ])
  func halfADecisionIsRefused(_ arguments: [String]) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(["repair", "Todo.sqlite"] + arguments).status == 64)
  }
}
