internal import Foundation
internal import TestSupport
internal import Testing

/// Files of changes as commands write, read and apply them.
@Suite struct ChangesCommandTests {
  /// A sandbox with a copy of the store in which a few things are different, and the changes.
  private func changed() throws -> Sandbox {
    let sandbox = try Sandbox()
    let copy = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Copy.sqlite"))
    let database = try GeneratorDatabase(path: copy)
    try database.registerCoreDataFunctions()
    try database.run(
      """
      UPDATE ZTAGENTITY SET ZNAME = 'other', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
      DELETE FROM ZVISITENTITY WHERE Z_PK = 4;
      DELETE FROM Z_4TAGS WHERE rowid = 1;
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLOR) SELECT 90, Z_ENT, 1, 'new', 1
      FROM ZTAGENTITY WHERE Z_PK = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 90 WHERE Z_NAME = 'TagEntity';
      """)
    let result = try sandbox.coffer("diff", "Todo.sqlite", "Copy.sqlite", "-o", "Day.tar.gz")
    #expect(result.status == 3, "\(result.errorOutput)")
    return sandbox
  }

  /// Dangling references, and members of a list at one position.
  @Test(arguments: ["Z6VISITS = 99", "Z6VISITS = 1, Z_FOK_6VISITS = 2048"])
  func aMergeWithACopyOfADefectiveStoreChangesNothing(_ defect: String) throws {
    let result = try Sandbox().shell(
      """
      sqlite3 Todo.sqlite "UPDATE ZVISITENTITY SET \(defect)"
      sqlite3 Todo.sqlite 'PRAGMA wal_checkpoint(TRUNCATE)' > log
      mkdir copy; cp -R Todo.sqlite .Todo_SUPPORT copy
      coffer merge Todo.sqlite copy/Todo.sqlite --match-by-object-id; echo $?; cmp Todo.sqlite copy/Todo.sqlite
      """)
    #expect(
      result.output == "Merged copy/Todo.sqlite into Todo.sqlite\n  nothing to change\n0\n",
      "\(result.output)\(result.errorOutput)")
  }

  /// A dry run prints, letter by letter, the output of diff for the store before and after.
  @Test(
    arguments: [
      (["apply", "Todo.sqlite", "Day.tar.gz"], ["--all", "--values"]),
      (["apply", "Todo.sqlite", "Day.tar.gz"], ["--json", "--values"]),
      (["apply", "Todo.sqlite", "Day.tar.gz"], []),
      (["merge", "Todo.sqlite", "Copy.sqlite", "--base", "Base.sqlite"], ["--all", "--values"]),
      (["dedupe", "Todo.sqlite", "--match", "TagEntity=color"], ["--json", "--values"]),
    ])
  func aDryRunSaysWhatDiffSays(_ command: [String], _ options: [String]) throws {
    let sandbox = try changed()
    _ = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Base.sqlite"))
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite")).run(
      command[0] == "dedupe" ? "UPDATE ZTAGENTITY SET ZCOLOR = 7 WHERE Z_PK < 3" : "")
    let dry = try sandbox.run(command + ["--dry-run"] + options)
    let done = try sandbox.run(command + ["-o", "New.sqlite"])
    #expect(done.status == 0, "\(done.errorOutput)")
    let diff = try sandbox.run(["diff", "Todo.sqlite", "New.sqlite"] + options)
    #expect(dry.status == 3)
    #expect(diff.status == 3)
    let means = ["apply": "Day.tar.gz", "merge": "Copy.sqlite"][command[0]].map { " with \($0)" }
    let said = dry.output
      .replacing("Todo.sqlite\(means ?? " without duplicates")", with: "New.sqlite")
      .replacing("\"command\":\"\(command[0])\"", with: #""command":"diff""#)
    // Whose object is which is the rule of the command.
    #expect(said == diff.output.replacing(/; matched by .*/, with: ""))
    #expect(said.contains("TagEntity"))
  }

  @Test func aConflictSaysWhetherItIsSettled() throws {
    let sandbox = try changed()
    _ = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Base.sqlite"))
    do {
      let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
      try database.registerCoreDataFunctions()
      try database.run("UPDATE ZTAGENTITY SET ZNAME = 'ours' WHERE Z_PK = 1")
    }
    let merge = [
      "merge", "Todo.sqlite", "Copy.sqlite", "--base", "Base.sqlite", "-o", "New.sqlite",
    ]
    let text = "TagEntity/p1.name: the stores have different values\n"
    let open = try sandbox.run(merge)
    #expect(open.status == 3)
    #expect(open.errorOutput.hasPrefix("conflict: \(text)"))
    let settled = try sandbox.run(merge + ["--policy", "overwrite"])
    #expect(settled.status == 0)
    #expect(settled.errorOutput.hasPrefix("conflict, settled for Copy.sqlite: \(text)"))
    #expect(settled.errorOutput.contains("  ours    \"ours\"\n"))
    let theirs = try sandbox.run(merge + ["--force", "--prefer", "theirs"])
    #expect(theirs.errorOutput == settled.errorOutput)
    let dry = try sandbox.run(
      ["merge", "Todo.sqlite", "Copy.sqlite", "--base", "Base.sqlite", "--dry-run"])
    #expect(dry.status == 3)
    #expect(dry.errorOutput.hasPrefix("conflict: \(text)"))
    let lines = try sandbox.run(
      ["merge", "Todo.sqlite", "Copy.sqlite", "--base", "Base.sqlite", "--dry-run", "--json"])
    #expect(lines.output.contains(#""status":3,"#) && lines.output.contains(#""conflicts":1"#))
    #expect(try sandbox.run(merge + ["--match-by-object-id"]).status == 64)
    let both = try sandbox.run(
      merge + ["--force", "--policy", "overwrite", "--policy", "rollback"])
    #expect(both.status == 64)
  }

  @Test func otherCommandsTakeAFileOfChanges() throws {
    let sandbox = try changed()
    let inspected = try sandbox.coffer("inspect", "Day.tar.gz")
    #expect(inspected.status == 0, "\(inspected.errorOutput)")
    #expect(inspected.output.hasPrefix("Day.tar.gz: changes\n"))
    #expect(inspected.output.contains("  TagEntity"))
    #expect(inspected.output.contains("content before"))
    let shown = try sandbox.coffer("show", "Day.tar.gz", "TagEntity/p1")
    #expect(shown.status == 0, "\(shown.errorOutput)")
    #expect(shown.output.hasPrefix("~ TagEntity/p1: "))
    #expect(shown.output.contains("    name: \"home\" → \"other\"\n"))
    #expect(!shown.output.contains("p90"))
    let refused = try sandbox.coffer("show", "Day.tar.gz", "TagEntity", "--where", "name == 'a'")
    #expect(refused.status == 15)
    let verified = try sandbox.coffer("verify", "Day.tar.gz")
    #expect(verified.status == 0, "\(verified.errorOutput)")
    #expect(verified.output.contains("Day.tar.gz: changes\n"))
    #expect(verified.output.hasSuffix("Day.tar.gz: no findings\n"))
    let piped = try sandbox.shell("coffer verify - < Day.tar.gz")
    #expect(piped.status == 10)
    #expect(piped.errorOutput.contains("Pass the path of the change file."))
  }

  @Test func aDamagedFileOfChangesIsNotVerified() throws {
    let sandbox = try changed()
    let whole = try #require(sandbox.bytes("Day.tar.gz"))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: sandbox.file("Half.tar.gz")))
    let result = try sandbox.coffer("verify", "Half.tar.gz")
    #expect(result.status == 12, "\(result.output)\(result.errorOutput)")
  }

  @Test func changesAreReversedAndJoined() throws {
    let sandbox = try changed()
    let back = try sandbox.coffer("changes", "reverse", "Day.tar.gz", "-o", "Back.tar.gz")
    #expect(back.status == 0, "\(back.errorOutput)")
    let nothing = try sandbox.coffer(
      "changes", "concat", "Day.tar.gz", "Back.tar.gz", "-o", "Nothing.tar.gz", "--json")
    #expect(nothing.status == 0, "\(nothing.errorOutput)")
    #expect(nothing.output.contains(#""equal":true"#))
    let inspected = try sandbox.coffer("changes", "inspect", "Nothing.tar.gz")
    #expect(inspected.status == 0)
    let wrong = try sandbox.coffer(
      "changes", "concat", "Day.tar.gz", "Day.tar.gz", "-o", "Wrong.tar.gz")
    #expect(wrong.status == 15)
    #expect(sandbox.bytes("Wrong.tar.gz") == nil)
  }

  /// A vault's changes have the new rows alone, of which nobody knows which values are new.
  @Test func changesOfAVaultShowNewValuesAlone() throws {
    let result = try Sandbox().shell(
      """
      coffer backup -q Todo.sqlite --vault V
      coffer repair -q Todo.sqlite --set PersonEntity.name=Ada --where 'name != nil' --apply
      coffer backup -q Todo.sqlite --vault V
      coffer changes inspect V/*/*-changes-* --all --values
      """)
    #expect(result.output.contains("    name: \"Ada\"\n"), "\(result.output)")
    #expect(!result.output.contains(" → "), "\(result.output)")
  }
}
