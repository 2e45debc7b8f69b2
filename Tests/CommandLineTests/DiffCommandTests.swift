internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct DiffCommandTests {
  /// A sandbox with a copy of the store in which a few things are different.
  private func changed() throws -> Sandbox {
    let sandbox = try Sandbox()
    let copy = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Copy.sqlite"))
    let database = try GeneratorDatabase(path: copy)
    try database.registerCoreDataFunctions()
    try database.run(
      """
      UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1;
      DELETE FROM ZVISITENTITY WHERE Z_PK = 4;
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) SELECT 90, Z_ENT, 1, 'new', 1
      FROM ZTAGENTITY WHERE Z_PK = 1;
      """)
    return sandbox
  }

  @Test func differencesAreCountedAndShown() throws {
    let result = try changed().coffer("diff", "Todo.sqlite", "Copy.sqlite")
    #expect(result.status == 3)
    #expect(result.errorOutput == "")
    #expect(
      result.output == """
        Todo.sqlite and Copy.sqlite differ
          TagEntity    1 added, 1 changed; matched by name
          VisitEntity  1 removed

        ~ TagEntity/p1: name
        + TagEntity/p90
        - VisitEntity/p4

        """)
  }

  @Test func valuesAreShownOnlyWhenAskedFor() throws {
    let sandbox = try changed()
    let closed = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--all")
    #expect(!closed.output.contains("other"))
    let open = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--all", "--values")
    #expect(open.output.contains("    name: \"home\" → \"other\"\n"))
  }

  @Test func linesOfJSONHoldEveryDifference() throws {
    let result = try changed().coffer("diff", "Todo.sqlite", "Copy.sqlite", "--json")
    let types = try result.output.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require((value as? [String: Any])?["type"] as? String)
    }
    #expect(
      types.filter { $0 != "matching" } == [
        "difference", "difference", "difference", "entity", "entity", "summary",
      ])
    #expect(types.count { $0 == "matching" } == 10)
    #expect(
      result.output.contains(
        #"{"type":"matching","entity":"TagEntity","rule":"uniqueness-constraint","properties":["name"]}"#
      ))
    #expect(result.status == 3)
  }

  @Test func archivesStandForTheirStores() throws {
    let sandbox = try changed()
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a && coffer export -q Copy.sqlite b || exit 99
      coffer diff a Todo.sqlite && coffer diff a Copy.sqlite; coffer diff a b
      """)
    #expect(result.status == 3)
    #expect(result.output.hasPrefix("a and Todo.sqlite are the same: 37 objects\n"))
    #expect(result.output.contains("a and Copy.sqlite differ\n"))
    #expect(result.output.contains("a and b differ\n"))
  }

  @Test func manyDifferencesAreShownByExamples() throws {
    let sandbox = try changed()
    let database = try GeneratorDatabase(path: sandbox.file("Copy.sqlite"))
    try database.run("UPDATE ZTAGENTITY SET Z_OPT = Z_OPT + 1")
    let result = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite")
    #expect(result.output.contains("~ TagEntity/p5: version\n"))
    #expect(!result.output.contains("~ TagEntity/p6"))
    #expect(result.output.hasSuffix("… and 2 more; --all shows them\n"))
    let all = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--all")
    #expect(all.output.contains("~ TagEntity/p7: version\n"))
  }

  @Test func optionsThatMeanNothingAreWrongUsage() throws {
    let sandbox = try Sandbox()
    func message(_ arguments: String...) throws -> String {
      let result = try sandbox.run(["diff", "Todo.sqlite", "Todo.sqlite"] + arguments)
      #expect(result.status == 64)
      return result.errorOutput
    }
    #expect(
      try message("--ignore", "history,uuids").contains(
        "'uuids' cannot be ignored. Did you mean 'uuid'? Available: history, metadata, counters, uuid"
      ))
    #expect(try message("--match", "TagEntity").contains("such as Person=name,address.city"))
    #expect(
      try message("--match", "TagEntity=name,,x").contains("is not an entity with properties"))
    #expect(
      try message("--match", "TagEntity=name", "--match", "TagEntity=color").contains("twice"))
    #expect(
      try message("--match", "TagEntity=name", "--match-by-object-id").contains(
        "cannot be combined"))
    #expect(try message("--html", "-", "--json").contains("cannot be combined"))
    #expect(try message("--html", "-", "--all").contains("omit '--all'"))
    #expect(try message("--match", "TagEntity=nam").contains("Did you mean 'name'?"))
    let entity = try sandbox.coffer("diff", "Todo.sqlite", "Todo.sqlite", "--entity", "TagEntiti")
    #expect(entity.status == 10)
    #expect(entity.errorOutput.contains("Did you mean 'TagEntity'?"))
  }

  @Test func objectsThatMatchNothingAreListed() throws {
    let sandbox = try changed()
    let database = try GeneratorDatabase(path: sandbox.file("Copy.sqlite"))
    try database.run("UPDATE ZTAGENTITY SET ZCOLOR = NULL WHERE Z_PK = 90")
    let result = try sandbox.coffer(
      "diff", "Todo.sqlite", "Copy.sqlite", "--match", "TagEntity=color", "--entity", "TagEntity")
    #expect(result.status == 3)
    #expect(result.output.contains("; matched by color\n"))
    #expect(
      result.output.contains("TagEntity in Copy.sqlite: 1 without a value in color"))
    #expect(result.output.contains("TagEntity/p90"))
  }

  @Test func equalKeysOfDifferentStoresAreDoubtful() throws {
    let sandbox = try changed()
    let database = try GeneratorDatabase(path: sandbox.file("Copy.sqlite"))
    try database.run("UPDATE Z_METADATA SET Z_UUID = 'B0000000-0000-4000-8000-000000000000'")
    let result = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite")
    #expect(
      result.errorOutput.contains("Warning: The stores have different UUIDs, and VisitEntity"))
    #expect(!result.errorOutput.contains("TagEntity"))
    let forced = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--match-by-object-id")
    #expect(forced.errorOutput == "")
    #expect(forced.output.contains("~ TagEntity/p1: name\n"))
  }

  @Test func aPageIsPrintedAsHTML() throws {
    let result = try changed().coffer("diff", "Todo.sqlite", "Copy.sqlite", "--html", "-")
    #expect(result.status == 3)
    #expect(result.errorOutput == "")
    #expect(result.output.hasPrefix("<!DOCTYPE html>\n"))
    #expect(result.output.hasSuffix("</html>\n"))
    #expect(result.output.contains("<del>home</del>"))
  }

  @Test func aPageIsWrittenToAFile() throws {
    let sandbox = try changed()
    let result = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--html", "Page.html")
    #expect(result.status == 3)
    #expect(!result.output.isEmpty && !result.output.contains("<html"))
    let page = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--html", "-")
    #expect(sandbox.bytes("Page.html") == Data(page.outputBytes))
    let taken = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "--html", "Page.html")
    #expect(taken.status == 14)
  }
}
