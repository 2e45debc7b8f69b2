internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct VerifyCommandTests {
  /// The objects of the lines of JSON.
  private func lines(_ result: ProcessResult) throws -> [[String: Any]] {
    try result.output.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  @Test func aSoundStoreAndItsArchiveEndWith0() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    for (file, kind) in [("Todo.sqlite", "store"), ("a", "archive")] {
      let result = try sandbox.coffer("verify", file)
      #expect(result.status == 0)
      #expect(result.errorOutput == "")
      #expect(result.output.hasPrefix("\(file): \(kind)\n  store UUID"))
      #expect(result.output.contains(/\n  objects +37\n/))
      #expect(result.output.contains(/\n  content digest +[0-9a-f]{64}\n/) == (kind == "archive"))
      #expect(result.output.hasSuffix("\n\(file): no findings\n"))
    }
    let piped = try sandbox.shell("coffer verify - < a")
    #expect(piped.status == 0)
    #expect(piped.output.hasSuffix("\nstandard input: no findings\n"))
    #expect(try sandbox.added() == ["a"])
  }

  @Test func errorsEndWith3() throws {
    let sandbox = try Sandbox(.abstractEntity)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "-q", "a").status == 0)
    for file in ["Todo.sqlite", "a", "- < a"] {
      let result = try sandbox.shell("coffer verify \(file)")
      #expect(result.status == 3)
      #expect(result.errorOutput == "")
      #expect(result.output.hasPrefix("Errors\n  the object belongs to an abstract entity"))
      #expect(result.output.contains(" 1 (abstract-entity)\n    ItemEntity/p"))
      #expect(result.output.hasSuffix(": 1 error\n"))
    }
  }

  @Test func findingsAreLinesOfJSON() throws {
    let sandbox = try Sandbox(.abstractEntity)
    for option in ["--json", "--format=json"] {
      let all = try lines(sandbox.coffer("verify", "Todo.sqlite", option))
      let finding = try #require(all.first)
      #expect(finding["type"] as? String == "finding")
      #expect(finding["severity"] as? String == "error")
      #expect(finding["code"] as? String == "abstract-entity")
      #expect(finding["check"] as? String == "entities")
      #expect(finding["entity"] as? String == "ItemEntity")
      #expect((finding["object"] as? String)?.hasPrefix("ItemEntity/p") == true)
      let summary = try #require(all.last)
      #expect(summary["type"] as? String == "summary" && summary["command"] as? String == "verify")
      #expect(summary["status"] as? Int == 3 && summary["errors"] as? Int == 1)
      #expect(summary["warnings"] as? Int == 0 && summary["infos"] as? Int == 0)
      #expect(summary["objects"] as? Int == 37 && summary["kind"] as? String == "store")
      #expect((summary["checks"] as? Int ?? 0) >= 1)
      #expect(summary["checksNotRun"] as? [String] == [])
      #expect(all.count == 2)
    }
  }

  @Test func checksAreChosenAndCodesLeftOut() throws {
    let sandbox = try Sandbox(.abstractEntity)
    func verify(_ options: String) throws -> ProcessResult {
      try sandbox.shell("coffer verify Todo.sqlite --json \(options)")
    }
    #expect(try verify("--check entities").status == 3)
    #expect(try lines(verify("--check entities")).last?["checks"] as? Int == 1)
    #expect(try verify("--check order --check counters").status == 0)
    #expect(try verify("--check order --check entities").status == 3)
    #expect(try verify("--skip abstract-entity").status == 0)
    #expect(try verify("--skip unknown-entity --skip foreign-entity").status == 3)
  }

  @Test(arguments: ["text", "json", "junit", "sarif"])
  func theSameAnswerComesEachTime(_ format: String) throws {
    let sandbox = try Sandbox()
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.run("UPDATE ZTAGENTITY SET Z_ENT = 99; UPDATE ZVISITENTITY SET Z_ENT = NULL")
    let answers = try (0..<2).map { _ in
      try sandbox.coffer("verify", "Todo.sqlite", "--format", format).output
        .replacing(/\n +time .*\n/, with: "\n")
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].contains("unknown-entity"))
  }

  @Test func manyFindingsAreShownByExamples() throws {
    let sandbox = try Sandbox()
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.run("UPDATE ZTAGENTITY SET Z_ENT = 99")
    let some = try sandbox.coffer("verify", "Todo.sqlite", "--check", "entities")
    #expect(
      some.output.contains("    TagEntity/p5: number 99\n    … and 2 more; --all shows them\n"))
    let all = try sandbox.coffer("verify", "Todo.sqlite", "--check", "entities", "--all")
    #expect(all.output.contains("\nerror: TagEntity/p7: the object belongs to an unknown"))
    #expect(all.output.split(separator: "\n").count { $0.hasSuffix(" [unknown-entity]") } == 7)
    #expect(all.status == 3)
  }

  @Test func quietSaysNothingOfWhatIsSound() throws {
    let sound = try Sandbox().coffer("verify", "Todo.sqlite", "--quiet")
    #expect(sound.status == 0 && sound.outputBytes == [] && sound.errorBytes == [])
    let wrong = try Sandbox(.abstractEntity).coffer("verify", "Todo.sqlite", "-q")
    #expect(wrong.status == 3)
    #expect(wrong.output.hasPrefix("Errors\n"))
    #expect(!wrong.output.contains("time"))
  }

  @Test func aCutArchiveStillShowsWhatWasFound() throws {
    let sandbox = try Sandbox(.abstractEntity)
    let archive = try sandbox.coffer("export", "Todo.sqlite", "-", "-q").outputBytes
    _ = try sandbox.directory.write(archive.dropLast(100), to: "cut")
    let text = try sandbox.coffer("verify", "cut")
    #expect(text.status == 12)
    #expect(text.errorOutput.contains(": truncated archive: "))
    #expect(text.output.contains("(abstract-entity)\n"))
    let sarif = try sandbox.coffer("verify", "cut", "--format", "sarif")
    #expect(sarif.status == 12)
    #expect(sarif.output.contains("\"exitCode\":12"))
    #expect(sarif.output.contains("\"ruleId\":\"abstract-entity\""))
    let junit = try sandbox.coffer("verify", "cut", "--format", "junit")
    #expect(junit.output.contains("<error type=\"truncated-archive\""))
  }

  @Test func storesDoNotComeThroughPipes() throws {
    let result = try Sandbox().shell("coffer verify - < Todo.sqlite")
    #expect(result.status == 10)
    #expect(result.errorOutput.hasPrefix("Error: standard input: not an archive: "))
    #expect(result.errorOutput.contains("\nHint: Only an archive can be read from a pipe"))
  }

  @Test(
    arguments: [
      ("Todo.sqlite --check entites", "Unknown check 'entites'. Did you mean 'entities'?"),
      ("Todo.sqlite --check dangling-pair", "its check is 'pairs'"),
      ("Todo.sqlite --skip pairs", "'pairs' is a check, not a code"),
      ("Todo.sqlite --skip danglingpair", "Did you mean 'dangling-pair'?"),
      ("--explain nonsense", "Unknown code 'nonsense'. To list all, run 'coffer verify --list'."),
      ("Todo.sqlite --format junit --all", "'--all' and '--format junit' cannot be combined"),
      ("Todo.sqlite --format xml", "The value 'xml' is invalid"),
      ("Todo.sqlite --fail-on info", "The value 'info' is invalid"),
      ("", "Missing expected argument '<file>'"), ("Todo.sqlite --list", "takes no file"),
      ("--list --explain dangling-pair", "cannot be combined"),
      ("--list --format sarif", "'--list' does not support '--format sarif'"),
    ])
  func wrongUsageIsExplained(_ arguments: String, _ message: String) throws {
    let result = try Sandbox().shell("coffer verify \(arguments)")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errorOutput.contains(message))
    #expect(result.errorOutput.contains("Usage: coffer verify <file> [<options>]\n"))
  }

  @Test func formatsThatContradictEachOtherAreWrongUsage() throws {
    let result = try Sandbox().coffer("verify", "Todo.sqlite", "--json", "--format", "sarif")
    #expect(result.status == 64)
    #expect(result.errorOutput.contains("'--json' and '--format sarif' cannot be combined."))
    #expect(try Sandbox().coffer("verify", "Todo.sqlite", "--json", "--format=json").status == 0)
  }

  @Test(arguments: ["--json", "--format json", "--format=json"])
  func wrongUsageIsALineOfJSONToo(_ option: String) throws {
    let result = try Sandbox().shell("coffer verify Todo.sqlite \(option) --unknown")
    #expect(result.status == 64)
    #expect(result.errorOutput.hasPrefix("{\"type\":\"error\",\"code\":\"usage\","))
  }

  @Test(arguments: FindingCode.allCases)
  func everyCodeExplainsItself(_ code: FindingCode) throws {
    let text = try ProcessRunner(BuiltProgram.path()).run(["verify", "--explain", code.text])
    #expect(text.status == 0 && text.errorOutput == "")
    let title = "\(code.text): \(code.severity.rawValue), check \(code.check.rawValue)"
    #expect(text.output.hasPrefix("\(title)\n\nMeaning\n"))
    let words = text.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for part in [code.cause, code.effect, code.remedy, code.fix.text] where !part.isEmpty {
      #expect(words.contains(part))
    }
    #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 78 })
  }

  @Test func codesAreListedByCheck() throws {
    let sandbox = try Sandbox()
    let text = try sandbox.coffer("verify", "--list")
    #expect(text.status == 0)
    for check in CheckName.allCases {
      #expect(text.output.contains("\(check.rawValue): \(check.subject.prefix(20))"))
    }
    for code in FindingCode.allCases {
      #expect(text.output.contains(" \(code.text)\n"), "\(code.text)")
    }
    let all = try lines(sandbox.coffer("verify", "--list", "--json"))
    #expect(all.dropLast().compactMap { $0["code"] as? String } == FindingCode.allCases.map(\.text))
    #expect(all.last?["codes"] as? Int == FindingCode.allCases.count)
    let one = try lines(sandbox.coffer("verify", "--explain", "dangling-pair", "--json"))
    #expect(one.first?["severity"] as? String == "error")
    #expect(one.count == 2)
  }
}
