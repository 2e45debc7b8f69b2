internal import Foundation
internal import TestSupport
internal import Testing

/// What leads to a verdict of Core Data on macOS works, with a stand-in for Core Data.
@Suite(
  .enabled(
    if: ["python3", "sqlite3", "bash"].allSatisfy { ProcessRunner.find($0) != nil },
    "python3, sqlite3 or bash is not installed"))
struct JudgeTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("AppleFrameworks").path
  private static let standIn = "\(folder)/stand-in.py"

  /// Judges the sample store; the stand-in reads another one if a name is given.
  private func judge(
    _ sandbox: Sandbox, by judge: String = standIn, reading store: String? = nil
  ) throws -> ProcessResult {
    var environment = ProcessInfo.processInfo.environment
    environment["STAND_IN_STORE"] = store.map(sandbox.file)
    let python = try #require(ProcessRunner.find("python3"))
    return try ProcessRunner(python, environment: environment).run([
      "\(Self.folder)/judge-store.py", try BuiltProgram.path(), judge, sandbox.file("Todo.sqlite"),
    ])
  }

  @Test func everyStoreThatTheScriptMakesIsAccepted() throws {
    var environment = ProcessInfo.processInfo.environment
    environment["COFFER"] = try BuiltProgram.path()
    environment["JUDGE"] = Self.standIn
    let script = Self.folder + "/../../scripts/judge-stores"
    let result = try ProcessRunner(script, environment: environment).run()
    #expect(result.status == 0, "\(result.errorOutput)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 13)
    #expect(lines.allSatisfy { $0.hasPrefix("ok ") }, "\(result.output)")
  }

  @Test(arguments: [
    (
      "sqlite3 Other.sqlite \"UPDATE ZPERSONENTITY SET ZNAME = 'Eve' WHERE Z_PK = 1\"",
      ["PersonEntity/p1.name: 'Ada Lovelace', and the judge has 'Eve'"]
    ),
    (
      "sqlite3 Other.sqlite 'UPDATE ZPERSONENTITY SET ZBIRTHDAY = ZBIRTHDAY + 1e-6 WHERE Z_PK = 2'",
      ["PersonEntity/p2.birthday: -0.001, and the judge has -0.000999"]
    ),
    (
      "sqlite3 Other.sqlite 'DELETE FROM ZVISITENTITY WHERE Z_PK = 4'",
      ["VisitEntity/p4: the judge does not find it"]
    ),
    (
      "sqlite3 Other.sqlite 'UPDATE ZITEMENTITY SET ZAUTHOR = 2 WHERE Z_PK = 6'",
      ["NoteEntity/p6.author: PersonEntity/p1, and the judge has PersonEntity/p2"]
    ),
    (
      "sqlite3 Other.sqlite 'UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 5120 - Z_FOK_ITEM WHERE ZITEM = 1'",
      [
        "TodoEntity/p1.attachments: ['AttachmentEntity/p2', 'AttachmentEntity/p4', 'AttachmentEntity/p1'], and "
          + "the judge has another order: ['AttachmentEntity/p1', 'AttachmentEntity/p4', 'AttachmentEntity/p2']"
      ]
    ),
    (
      "rm .Other_SUPPORT/_EXTERNAL_DATA/0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1",
      ["AttachmentEntity-p4.content: other bytes: 20000 bytes, and the judge has none"]
    ),
    (
      "printf x | dd of=.Other_SUPPORT/_EXTERNAL_DATA/A1B2C3D4-E5F6-4A7B-8C9D-0E1F2A3B4C5D conv=notrunc",
      ["AttachmentEntity-p5.content: other bytes: 3 bytes, and the judge has 3 bytes"]
    ),
  ])
  func aDifferenceIsNamedByObjectAndProperty(_ damage: String, _ expected: [String]) throws {
    let sandbox = try Sandbox()
    let copy =
      "cp Todo.sqlite Other.sqlite && cp -R .Todo_SUPPORT .Other_SUPPORT && { \(damage); } > log 2>&1"
    #expect(try sandbox.shell(copy).status == 0)
    let result = try judge(sandbox, reading: "Other.sqlite")
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("FAILED Todo.sqlite: 37 objects, nothing saved\n"))
    for line in expected { #expect(result.output.contains("\n  \(line)"), "\(result.output)") }
  }

  /// A judge that reports wrong results, and a judge that leaves an invalid store.
  @Test(arguments: [
    (
      "echo inserted TagEntity/p10; echo changed TagEntity/p1 color",
      [
        "after inserting TagEntity/p10, there are other objects than expected",
        "TagEntity/p1.color: the change is not there",
      ]
    ),
    (
      "sqlite3 \"$2\" 'INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, 999)';"
        + " echo inserted -; echo changed -",
      ["after saving: "]
    ),
    (
      "echo 'the store was opened read-only' >&2; exit 1",
      ["judge save ended with 1: the store was"]
    ),
  ])
  func whatSavingLeavesIsLookedAt(_ saving: String, _ expected: [String]) throws {
    let sandbox = try Sandbox()
    let script = "#!/bin/sh\nif [ $1 = dump ]; then exec \(Self.standIn) \"$@\"; fi\n\(saving)\n"
    try script.write(toFile: sandbox.file("judge"), atomically: true, encoding: .utf8)
    #expect(try sandbox.shell("chmod +x judge").status == 0)
    let result = try judge(sandbox, by: sandbox.file("judge"))
    #expect(result.status == 3, "\(result.errorOutput)")
    for line in expected { #expect(result.output.contains("\n  \(line)"), "\(result.output)") }
  }

  @Test(
    .enabled(
      if: ProcessRunner.find("clang") != nil, "clang is not installed: judge.m is not checked"))
  func theJudgeIsValidWithAndWithoutReferenceCounting() throws {
    let clang = try #require(ProcessRunner.find("clang"))
    for options in [["-fobjc-arc"], []] {
      let result = try ProcessRunner(clang).run(
        options + [
          "-fsyntax-only", "-fobjc-runtime=macosx-15", "-fobjc-exceptions", "-Wall", "-Wextra",
          "-Werror",
          "-I", "\(Self.folder)/Stubs", "\(Self.folder)/judge.m", "\(Self.folder)/name-choices.m",
        ])
      #expect(result.status == 0, "\(result.errorOutput)")
    }
  }
}
