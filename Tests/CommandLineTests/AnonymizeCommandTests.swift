internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `coffer anonymize`, its statuses and its refusals.
@Suite struct AnonymizeCommandTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test func theAnswerSaysWhatIsThereAndWhatIsCut() throws {
    let result = try sandbox.coffer(
      "anonymize", "Todo.sqlite", "Small.sqlite", "--around", "TodoEntity/p1", "--explain")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("TodoEntity/p1: chosen\n"))
    #expect(result.output.contains("\nShared "))
    #expect(result.output.contains(" left out, "))
    #expect(result.output.contains("\n  cut            TodoEntity."))
    #expect(result.output.contains("\n  values         replaced, except those below\n"))
    #expect(result.output.contains("\n  TodoEntity: "))
    #expect(try sandbox.coffer("verify", "Small.sqlite").status == 0)
    #expect(try sandbox.coffer("show", "Small.sqlite", "TodoEntity/p1").status == 0)
    let taken = try sandbox.coffer("anonymize", "Todo.sqlite", "Small.sqlite")
    #expect(taken.status == 14)
    #expect(try sandbox.coffer("anonymize", "Todo.sqlite", "Small.sqlite", "--force").status == 0)
  }

  /// The form follows from the name, or from `--as`; a backup is a source like any other.
  @Test func everySourceAndEveryTarget() throws {
    let backup = try sandbox.coffer("backup", "Todo.sqlite", "--vault", "Vault")
    #expect(backup.status == 0)
    let archived = try sandbox.coffer("anonymize", "Vault#latest", "Small.coffer.tar.gz")
    #expect(archived.status == 0, "\(archived.errorOutput)")
    #expect(try sandbox.coffer("verify", "Small.coffer.tar.gz").status == 0)
    let again = try sandbox.coffer("anonymize", "Small.coffer.tar.gz", "Again", "--as", "csv")
    #expect(again.status == 0, "\(again.errorOutput)")
    #expect(FileManager.default.fileExists(atPath: sandbox.file("Again/TagEntity.csv")))
  }

  @Test func rulesComeFromAFile() throws {
    try Data(#"{"PersonEntity.name": {"constant": "a person"}}"#.utf8)
      .write(to: URL(fileURLWithPath: sandbox.file("rules.json")))
    let result = try sandbox.coffer(
      "anonymize", "Todo.sqlite", "Small.sqlite", "--entity", "PersonEntity", "--rules",
      "rules.json")
    #expect(result.status == 0, "\(result.errorOutput)")
    let shown = try sandbox.coffer("show", "Small.sqlite", "PersonEntity")
    #expect(shown.output.contains("a person"))
    try Data(#"{"TagEntity.name": {"constant": "a tag"}}"#.utf8)
      .write(to: URL(fileURLWithPath: sandbox.file("rules.json")))
    let unsuitable = try sandbox.coffer(
      "anonymize", "Todo.sqlite", "Other.sqlite", "--rules", "rules.json")
    #expect(unsuitable.status == 15)
    #expect(unsuitable.errorOutput.contains("must be different"))
    try Data("[]".utf8).write(to: URL(fileURLWithPath: sandbox.file("rules.json")))
    let refused = try sandbox.coffer(
      "anonymize", "Todo.sqlite", "Other.sqlite", "--rules", "rules.json")
    #expect(refused.status == 15)
    let missing = try sandbox.coffer(
      "anonymize", "Todo.sqlite", "Other.sqlite", "--rules", "no.json")
    #expect(missing.status == 10)
    #expect(missing.errorOutput == "Error: no.json: no such file\n")
  }

  @Test(arguments: [
    (["--sample", "0"], "at least 1 object"), (["--around", "TagEntity"], "is not an object"),
    (["--as", "parquet"], "Unknown form 'parquet'"),
    (["--original-values", "--keep", "TagEntity.name"], "without --keep"),
    (["--where", "name == 'a'"], "needs one '--entity'"),
    (["--finding", "nothing"], "Unknown code 'nothing'"),
    (
      ["--follow", "TodoEntity.tags", "--stop", "TodoEntity.tags"],
      "name the same relationship, TodoEntity.tags"
    ),
  ])
  func optionsThatDoNotFitAreInvalidUsage(_ options: [String], _ message: String) throws {
    let result = try sandbox.run(["anonymize", "Todo.sqlite", "New.sqlite"] + options)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test func whatIsNotThereIsRefused() throws {
    for (options, status) in [
      (["--around", "TagEntity/p999999"], 10), (["--entity", "Nobody"], 10),
      (["--finding", "dangling-pair"], 64), (["--keep", "TagEntity.nothing"], 64),
      (["--keep", "Nobody.name"], 10),
    ] {
      let result = try sandbox.run(["anonymize", "Todo.sqlite", "New.sqlite"] + options)
      #expect(result.status == status, "\(options): \(result.errorOutput)")
    }
    #expect(try sandbox.coffer("anonymize", "Missing.sqlite", "New.sqlite").status == 10)
    #expect(try sandbox.coffer("anonymize", "Todo.sqlite", "Todo.sqlite", "--force").status == 15)
    #expect(!FileManager.default.fileExists(atPath: sandbox.file("New.sqlite")))
  }
}
