internal import Foundation
internal import TestSupport
internal import Testing

/// The output of `coffer repair`, its statuses and its refusals.
@Suite struct RepairCommandTests {
  private func damaged() throws -> Sandbox {
    let sandbox = try Sandbox(.staleMaximum)
    try Damage.danglingPair.apply(to: sandbox.file("Todo.sqlite"))
    return sandbox
  }

  /// An archive is not an encrypted store, and another archive can repair it.
  @Test func anArchiveAloneIsRefused() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "-q", "Todo.sqlite", "a").status == 0)
    let repair = try sandbox.coffer("repair", "a")
    #expect(repair.status == 10)
    #expect(repair.errorOutput.contains("coffer repair a --from OTHER --output NEW"))
    let others = [["dedupe", "a", "--match", "TagEntity=name"], ["compact", "a"]]
    for arguments in others {
      let result = try sandbox.run(arguments)
      #expect(result.status == 10, "\(arguments)")
      #expect(result.errorOutput.contains("coffer import "), "\(result.errorOutput)")
      #expect(!result.errorOutput.contains("encrypted"), "\(result.errorOutput)")
    }
  }

  @Test func thePlanNamesEveryRepairAndWhatIsLeft() throws {
    let sandbox = try damaged()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sandbox.file("Todo.sqlite")))
    let plan = try sandbox.coffer("repair", "Todo.sqlite")
    #expect(plan.status == 3, "\(plan.errorOutput)")
    #expect(plan.output.hasPrefix("Todo.sqlite: 1 repair planned; --apply makes it\n"))
    #expect(plan.output.contains("\nprimary-key-counter-behind, lossless (1)\n  ItemEntity: set"))
    #expect(plan.output.contains("error, 1: add --fix dangling-pair to repair it (lossy)\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.file("Todo.sqlite"))) == bytes)
  }

  @Test func aRepairLeavesNothingAndTheUndoLeadsBack() throws {
    let sandbox = try damaged()
    let before = try StoreFiles(sandbox.file("Todo.sqlite")).copy(to: sandbox.file("Before.sqlite"))
    let repaired = try sandbox.coffer(
      "repair", "Todo.sqlite", "--fix", "dangling-pair", "--apply", "--undo", "Undo.tar.gz")
    #expect(repaired.status == 0, "\(repaired.errorOutput)")
    #expect(repaired.output.hasPrefix("Todo.sqlite: 2 repairs made\n"))
    let verified = try sandbox.coffer("verify", "Todo.sqlite")
    #expect(verified.status == 0, "\(verified.output)")
    let again = try sandbox.coffer("repair", "Todo.sqlite", "--fix", "dangling-pair")
    #expect(again.status == 0)
    #expect(again.output == "Todo.sqlite: nothing to repair\n")
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Undo.tar.gz").status != 15)
    #expect(try StoreComparer.differences(sandbox.file("Todo.sqlite"), before) == [])
  }

  @Test func errorsThatAreLeftShowInTheStatus() throws {
    let sandbox = try damaged()
    let repaired = try sandbox.coffer("repair", "Todo.sqlite", "--apply", "--json")
    #expect(repaired.status == 3)
    #expect(repaired.output.contains(#""type":"remaining","code":"dangling-pair""#))
    #expect(repaired.output.contains(#""applied":true,"repairs":1,"decided":0,"errors":1"#))
  }

  @Test func aPlanIsWrittenAndAppliedOnce() throws {
    let sandbox = try damaged()
    let plan = try sandbox.coffer("repair", "Todo.sqlite", "-o", "Plan.tar.gz")
    #expect(plan.status == 3, "\(plan.errorOutput)")
    #expect(try sandbox.coffer("repair", "Todo.sqlite", "-o", "Plan.tar.gz").status == 14)
    #expect(try sandbox.coffer("changes", "inspect", "Plan.tar.gz").status == 3)
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Plan.tar.gz").status == 0)
    #expect(try sandbox.coffer("apply", "Todo.sqlite", "Plan.tar.gz").status == 15)
    #expect(try sandbox.coffer("repair", "Todo.sqlite").output.contains("no repair without a"))
  }

  @Test(arguments: [
    (["--undo", "Undo.tar.gz"], "'--undo' needs '--apply'."),
    (["--apply", "-o", "Plan.tar.gz"], "'--apply' and '--output' cannot be combined"),
    (["--fix", "missing-value"], "'missing-value' cannot be repaired by coffer."),
    (["--fix", "dangling-pairs"], "Did you mean 'dangling-pair'?"),
    (["--fix", "pairs"], "'pairs' is a check, not a code."),
  ])
  func optionsThatDoNotFitAreInvalidUsage(_ options: [String], _ message: String) throws {
    let result = try Sandbox().run(["repair", "Todo.sqlite"] + options)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test func twoRepairsAtOnceMakeOneStore() throws {
    let sandbox = try damaged()
    let command =
      "'\(try BuiltProgram.path())' repair Todo.sqlite --fix dangling-pair --apply >/dev/null 2>&1"
    let result = try ProcessRunner("/bin/sh", directory: sandbox.directory.path)
      .run(["-c", "\(command) & \(command); a=$?; wait $!; echo $a $?"])
    let statuses = result.output.split(whereSeparator: \.isWhitespace)
    #expect(statuses.count == 2)
    // The one that is late finds nothing to repair, or the other one at work.
    #expect(statuses.contains("0") && statuses.allSatisfy { ["0", "11"].contains($0) })
    let verified = try sandbox.coffer("verify", "Todo.sqlite")
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test func whatIsNoStoreIsRefused() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("repair", "Missing.sqlite").status == 10)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "Todo.tar.gz").status == 0)
    let archive = try sandbox.coffer("repair", "Todo.tar.gz")
    #expect(archive.status == 10, "\(archive.errorOutput)")
    let itself = try sandbox.coffer("repair", "Todo.sqlite", "-o", "Todo.sqlite", "--force")
    #expect(itself.status == 15)
  }
}
