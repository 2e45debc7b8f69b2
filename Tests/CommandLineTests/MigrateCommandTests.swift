internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct MigrateCommandTests {
  /// A sandbox with two versions of a model, and a store of the first.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let script = """
      model() { mkdir -p "M.xcdatamodeld/$1.xcdatamodel"
      printf '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Trip" \
      representedClassName="Trip">%s</entity></model>' "$2" > "M.xcdatamodeld/$1.xcdatamodel/contents"; }
      model 1 '<attribute name="name" optional="YES" attributeType="String"/>'
      model 2 '<attribute name="title" optional="YES" attributeType="String" elementID="name"/>'
      model 3 '<attribute name="name" optional="YES" attributeType="Date"/>'
      coffer create M.xcdatamodeld Old.sqlite --model-version 1 2> /dev/null
      """
    #expect(try sandbox.shell(script).status == 0)
    return sandbox
  }

  private static let migration = ["migrate", "Old.sqlite"]

  @Test func aPlanIsShownAndNothingWritten() throws {
    let sandbox = try sandbox()
    let before = try FolderState(of: sandbox.directory.path)
    let result = try sandbox.run(
      Self.migration + ["--model", "M.xcdatamodeld", "--model-version", "2", "--dry-run"])
    #expect(result.status == 0)
    #expect(
      result.output == """
        From 1 to 2
        ~ Trip
            ~ title: formerly name
        Old.sqlite can be migrated

        """)
    #expect(result.errorOutput.hasPrefix("Warning: the model has no version hashes"))
    #expect(try FolderState(of: sandbox.directory.path) == before)
  }

  @Test func whatCannotBeInferredIsRefusedWithReasons() throws {
    let sandbox = try sandbox()
    let before = try FolderState(of: sandbox.directory.path)
    for arguments in [["New.sqlite"], ["--dry-run"]] {
      let result = try sandbox.run(
        Self.migration + arguments + ["--model", "M.xcdatamodeld", "--model-version", "3"])
      #expect(result.status == 15)
      #expect(
        result.errorOutput.hasPrefix(
          "Trip.name: it was String and is now Date, and no conversion exists between them\n"))
      // The plan shows the change, and does not claim a conversion.
      #expect(!result.output.contains("converted"))
      let plan = arguments == ["--dry-run"]
      #expect(result.output.contains("~ name: type changed from String to Date\n") == plan)
    }
    #expect(try FolderState(of: sandbox.directory.path) == before)
  }

  /// One answer, by the plan and by the migration, and one status.
  @Test func lossThatCanBeAllowedIsNoImpossibility() throws {
    let sandbox = try otherModel()
    for arguments in [["New.sqlite"], ["--dry-run"]] {
      let result = try sandbox.run(
        ["migrate", "Todo.sqlite"] + arguments + ["--model", "Other.xcdatamodel"])
      #expect(result.status == 4)
      #expect(result.errorOutput.contains("--allow-loss"), "\(result.errorOutput)")
      #expect(!result.errorOutput.contains("cannot migrate"), "\(result.errorOutput)")
      #expect(!result.errorOutput.contains("except by Core Data"), "\(result.errorOutput)")
    }
    let plan = try sandbox.coffer(
      "migrate", "Todo.sqlite", "--dry-run", "--model", "Other.xcdatamodel", "--json")
    #expect(plan.output.contains(#""verdict":"loses-objects""#), "\(plan.output)")
  }

  /// A sandbox with a model that lacks all entities of the store.
  private func otherModel() throws -> Sandbox {
    let sandbox = try Sandbox()
    let model = """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Other"/></model>
      """
    let folder = sandbox.file("Other.xcdatamodel")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data(model.utf8).write(to: URL(fileURLWithPath: folder + "/contents"))
    return sandbox
  }

  /// Objects of an entity that is gone are counted on standard error, however quiet the rest is.
  @Test func whatIsLeftBehindIsAWarning() throws {
    let sandbox = try otherModel()
    let result = try sandbox.coffer(
      "migrate", "Todo.sqlite", "New.sqlite", "--model", "Other.xcdatamodel", "--quiet",
      "--allow-loss")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output == "")
    #expect(result.errorOutput.contains("Warning: "))
    #expect(result.errorOutput.contains("objects of TagEntity"))
  }

  @Test func reasonsAreLinesOfJSONToo() throws {
    let result = try sandbox().run(
      Self.migration + [
        "New.sqlite", "--model", "M.xcdatamodeld", "--model-version", "3", "--json",
      ])
    #expect(result.status == 15)
    #expect(
      result.output.hasPrefix(
        #"{"type":"problem","code":"changed-type","entity":"Trip","property":"name""#))
    #expect(result.errorOutput.contains(#""code":"impossible-migration""#))
    #expect(result.errorOutput.contains("without a custom mapping"))
  }

  @Test func aStoreIsMigrated() throws {
    let sandbox = try sandbox()
    let result = try sandbox.run(
      Self.migration + ["New.sqlite", "--model", "M.xcdatamodeld", "--model-version", "2"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Migrated 0 objects of 1 entity to New.sqlite\n"))
    let verified = try sandbox.coffer(
      "verify", "New.sqlite", "--fail-on", "error")
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test func theSourceIsNoTarget() throws {
    let result = try sandbox().run(
      Self.migration + [
        "Old.sqlite", "--model", "M.xcdatamodeld", "--model-version", "2", "--force",
      ])
    #expect(result.status == 15)
    let missing = try sandbox().run(Self.migration + ["--model", "M.xcdatamodeld"])
    #expect(missing.status == 64)
  }

  @Test func hostileModelsEndInAnError() throws {
    let sandbox = try sandbox()
    for text in ["", "bplist00", "<model", "<?xml version=\"1.0\"?><model><entity/></model>"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.file("Bad.mom")))
      let result = try sandbox.run(Self.migration + ["New.sqlite", "--model", "Bad.mom"])
      #expect([10, 12, 15].contains(result.status), "\(text): \(result.errorOutput)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.file("New.sqlite")))
    }
  }
}
