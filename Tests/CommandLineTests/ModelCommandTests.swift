internal import CofferKit
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ModelCommandTests {
  /// A sandbox with two versions of a model, the second of which is the current one.
  private func versions(_ first: String, _ second: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    for (name, attribute) in [("Trips", first), ("Trips 2", second)] {
      let folder = sandbox.file("Trips.xcdatamodeld/\(name).xcdatamodel")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let text = "<?xml version='1.0'?><model><entity name='A'>\(attribute)</entity></model>"
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/contents"))
    }
    let current = """
      <?xml version="1.0"?><plist><dict><key>_XCCurrentVersionName</key>\
      <string>Trips 2.xcdatamodel</string></dict></plist>
      """
    try Data(current.utf8)
      .write(to: URL(fileURLWithPath: sandbox.file("Trips.xcdatamodeld/.xccurrentversion")))
    return sandbox
  }

  private static let number = "<attribute name='n' optional='YES' attributeType='Integer 16'/>"
  private static let wider = "<attribute name='n' optional='YES' attributeType='Integer 32'/>"
  private static let date = "<attribute name='n' optional='YES' attributeType='Date'/>"

  @Test func aModelIsShownAsText() throws {
    let sandbox = try versions(Self.number, Self.date)
    let current = try sandbox.coffer("model", "Trips.xcdatamodeld")
    #expect(current.status == 0)
    #expect(current.output == "A\n  attributes\n    n  Date, optional\n")
    let old = try sandbox.coffer("model", "Trips.xcdatamodeld", "--model-version", "Trips")
    #expect(old.output == "A\n  attributes\n    n  Integer 16, optional\n")
    let missing = try sandbox.coffer("model", "Trips.xcdatamodeld", "--model-version", "Trips 3")
    #expect(missing.status == 10)
    #expect(missing.errorOutput.contains("Its versions are: Trips, Trips 2."))
  }

  @Test func aFolderWithoutAModelIsAnsweredWithTheStoresInIt() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("model", ".")
    #expect(result.status == 10)
    #expect(
      result.errorOutput == """
        Error: .: not a managed object model: the folder does not contain a model
        Hint: The folder contains a store: ./Todo.sqlite

        """)
  }

  @Test(arguments: ["Todo.sqlite", "Todo.tar.gz"])
  func theSourceOfAStoreIsReadAsItsModel(_ name: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "-q", "Todo.sqlite", "Todo.tar.gz").status == 0)
    let arguments = [
      "model", name, "--format", "xcdatamodel", "--output", "Todo.xcdatamodel",
    ]
    let written = try sandbox.run(arguments)
    #expect(written.status == 0)
    #expect(written.output.hasPrefix("Wrote Todo.xcdatamodel: source of "))
    let found = try ModelLoader.model(from: sandbox.file("Todo.xcdatamodel"))
    let model = try ModelLoader.model(from: sandbox.file("Todo.sqlite"))
    #expect(found.entities.map(\.name) == model.entities.map(\.name))
    let difference = try sandbox.coffer("model", "--diff", name, "Todo.xcdatamodel")
    #expect(difference.status == 0)
    let again = try sandbox.run(arguments)
    #expect(again.status == 14)
    #expect(try sandbox.run(arguments + ["--force"]).status == 0)
    #expect(try sandbox.added() == ["Todo.tar.gz", "Todo.xcdatamodel"])
  }

  @Test(arguments: [
    ("json", "{\n"), ("mermaid", "classDiagram\n"), ("dot", "digraph model {\n"),
    ("swiftdata", "import Foundation\nimport SwiftData\n"),
    ("swift", "import CoreData\nimport Foundation\n"),
    ("objc", "#import <CoreData/CoreData.h>\n"),
    ("svg", "<svg xmlns="), ("xcdatamodel", "<?xml version=\"1.0\" encoding=\"UTF-8\""),
  ])
  func theFormatsAreTheSameInAFileAndOnStandardOutput(
    _ format: String, _ beginning: String
  ) throws {
    let sandbox = try Sandbox()
    let shown = try sandbox.coffer("model", "Todo.sqlite", "--format", format)
    #expect(shown.status == 0)
    #expect(shown.output.hasPrefix(beginning))
    let written = try sandbox.coffer("model", "Todo.sqlite", "--format", format, "-o", "out", "-q")
    #expect(written.status == 0)
    #expect(written.output == "")
    let name = format == "xcdatamodel" ? "out/contents" : "out"
    #expect(sandbox.bytes(name) == Data(shown.output.utf8))
    let second = try sandbox.coffer("model", "Todo.sqlite", "--format", format, "-o", "out")
    #expect(second.status == 14)
    #expect(sandbox.bytes(name) == Data(shown.output.utf8))
  }

  @Test func theModelOfAStoreWithoutACopyIsInferred() throws {
    let sandbox = try Sandbox()
    try Damage.missingModelCache.apply(to: sandbox.file("Todo.sqlite"))
    let shown = try sandbox.coffer("model", "Todo.sqlite")
    #expect(shown.status == 0)
    #expect(shown.output.contains("    location  → LocationEntity, 0..1, no inverse"))
    #expect(shown.errorOutput.hasPrefix("Warning: Todo.sqlite: it has no copy of its model"))
    for arguments in [["--lint", "Todo.sqlite"], ["--diff", "Todo.sqlite", "Todo.sqlite"]] {
      #expect(try sandbox.run(["model"] + arguments).status == 10)
    }
  }

  @Test func aFailedOutputLeavesNothing() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("model", "Todo.sqlite", "--format", "dot", "-o", "none/a.dot")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("the folder none does not exist"))
    try FileManager.default.createDirectory(
      atPath: sandbox.file("folder"), withIntermediateDirectories: false)
    let folder = try sandbox.coffer(
      "model", "Todo.sqlite", "--format", "dot", "-o", "folder", "--force")
    #expect(folder.status == 15)
    let input = try sandbox.coffer(
      "model", "Todo.sqlite", "--format", "dot", "-o", "Todo.sqlite", "--force")
    #expect(input.status == 15)
    #expect(try sandbox.added() == ["folder"])
  }

  @Test func lintEndsWithThreeForWhatCloudKitRefusesOrAsAsked() throws {
    let sandbox = try versions(
      "<relationship name='r' optional='YES' destinationEntity='A' deletionRule='Nullify'/>",
      Self.number)
    let path = "Trips.xcdatamodeld/Trips.xcdatamodel"
    let plain = try sandbox.coffer("model", "--lint", path)
    #expect(plain.status == 0)
    #expect(plain.output.contains("warning: missing-inverse (1)\n"))
    #expect(plain.output.contains("\n    A.r\n"))
    #expect(plain.output.hasSuffix("\(path): 1 entity, 0 errors, 1 warning\n"))
    #expect(try sandbox.coffer("model", "--lint", path, "--fail-on", "warning").status == 3)
    let cloud = try sandbox.coffer("model", "--lint", path, "--cloudkit")
    #expect(cloud.status == 3)
    #expect(cloud.output.hasPrefix("error: cloudkit-missing-inverse (1)\n"))
    let sound = try sandbox.coffer("model", "--lint", "Trips.xcdatamodeld", "--cloudkit")
    #expect(sound.status == 0)
    #expect(sound.output == "Trips.xcdatamodeld: 1 entity, no problems\n")
  }

  @Test func diffEndsWithThreeWhereNoMigrationBridgesIt() throws {
    let sandbox = try versions(Self.number, Self.date)
    let old = "Trips.xcdatamodeld/Trips.xcdatamodel"
    let result = try sandbox.coffer("model", "--diff", old, "Trips.xcdatamodeld")
    #expect(result.status == 3)
    #expect(result.output.contains("~ A.n: type: Integer 16, now Date\n"))
    #expect(
      result.output.contains(
        "From the first to the second: only a custom mapping can migrate stores:"))
    let same = try sandbox.coffer("model", "--diff", old, old)
    #expect(same.status == 0)
    #expect(same.output == "\(old) and \(old) have the same model\n")
    let wider = try versions(Self.number, Self.wider)
      .coffer("model", "--diff", old, "Trips.xcdatamodeld")
    #expect(wider.status == 0)
    #expect(wider.output.contains("Core Data can migrate stores, and so can coffer."))
  }

  @Test func theVersionOfAStoreIsNamed() throws {
    let sandbox = try versions(Self.number, Self.wider)
    let old = "Trips.xcdatamodeld/Trips.xcdatamodel"
    #expect(try sandbox.coffer("create", old, "Trips.sqlite", "-q").status == 0)
    let match = try sandbox.coffer("model", "Trips.sqlite", "Trips.xcdatamodeld")
    #expect(match.status == 0)
    #expect(match.output == "Trips.sqlite: the version is Trips, by its copy of the model\n")
    #expect(try sandbox.coffer("export", "-q", "Trips.sqlite", "Trips.tar.gz").status == 0)
    let archive = try sandbox.coffer("model", "Trips.tar.gz", "Trips.xcdatamodeld")
    #expect(archive.output == "Trips.tar.gz: the version is Trips, by its copy of the model\n")
    let own = try sandbox.coffer("model", "Trips.sqlite", "Trips.sqlite")
    #expect(own.output.hasPrefix("Trips.sqlite: the version is Trips.sqlite, by "))
    let usage = try sandbox.coffer("model", "Trips.sqlite", old, "--format", "json")
    #expect(usage.status == 64)
  }

  @Test func theNearestVersionIsNamedEntityByEntity() throws {
    let sandbox = try versions(Self.date, Self.wider)
    let path = sandbox.file("Other.xcdatamodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let text =
      "<?xml version='1.0'?><model><entity name='A'>\(Self.number)</entity>"
      + "<entity name='B'/></model>"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/contents"))
    #expect(try sandbox.coffer("create", "Other.xcdatamodel", "Other.sqlite", "-q").status == 0)
    let result = try sandbox.coffer("model", "Other.sqlite", "Trips.xcdatamodeld")
    #expect(result.status == 3)
    #expect(
      result.output == """
        Other.sqlite: no version in Trips.xcdatamodeld is the store's, by its copy of the model
        The nearest is Trips 2, with 2 differences:
          A.n: type: Integer 16 in the store, Integer 32 in the model
          B: the model lacks the entity

        """)
  }

  @Test func oneVerdictIsGivenByAll() throws {
    let friends = ["fans", "idols"].map { name in
      """
      <relationship name='\(name)' toMany='YES' optional='YES' destinationEntity='A' \
      inverseName='\(name == "fans" ? "idols" : "fans")' inverseEntity='A'/>
      """
    }.joined()
    let sandbox = try versions(friends, friends + Self.number)
    let old = "Trips.xcdatamodeld/Trips.xcdatamodel"
    let diff = try sandbox.coffer("model", "--diff", old, "Trips.xcdatamodeld")
    let matrix = try sandbox.coffer("model", "--matrix", "Trips.xcdatamodeld")
    for result in [diff, matrix] {
      #expect(result.status == 4)
      #expect(
        result.output.contains(
          "coffer needs a store of the new model (--like) or the old names (--keep-names)"))
      #expect(result.output.contains("which of A.fans, A.idols"))
    }
  }

  @Test func theMatrixEndsWithThreeWhereAMigrationIsMissing() throws {
    let good = try versions(Self.number, Self.wider).coffer(
      "model", "--matrix", "Trips.xcdatamodeld")
    #expect(good.status == 0)
    #expect(
      good.output == """
        Trips.xcdatamodeld: 2 versions, current Trips 2
        Trips → Trips 2: one step
        Stores of all older versions can be migrated to Trips 2.

        """)
    let sandbox = try versions(Self.number, Self.date)
    let bad = try sandbox.coffer("model", "--matrix", "Trips.xcdatamodeld")
    #expect(bad.status == 3)
    #expect(
      bad.output.contains("Trips → Trips 2: no path: only a custom mapping can migrate them\n"))
    #expect(
      bad.output.hasSuffix("Stores of Trips, to Trips 2: only a custom mapping can migrate them.\n")
    )
    let first = try sandbox.coffer(
      "model", "--matrix", "Trips.xcdatamodeld", "--model-version", "Trips")
    #expect(first.status == 0)
    #expect(try sandbox.coffer("model", "--matrix", "Todo.sqlite").status == 10)
  }

  @Test(arguments: [
    ["--diff", "Todo.sqlite"], ["Todo.sqlite", "Todo.sqlite", "--matrix"],
    ["--lint", "--diff", "a", "b"],
    ["Todo.sqlite", "--cloudkit"], ["--lint", "Todo.sqlite", "--format", "svg"],
    ["Todo.sqlite", "--json", "--format", "svg"], ["Todo.sqlite", "--format", "png"],
    ["--diff", "a", "b", "--model-version", "c"],
  ])
  func whatDoesNotGoTogetherIsWrongUsage(_ arguments: [String]) throws {
    #expect(try Sandbox().run(["model"] + arguments).status == 64)
  }

  // MARK: Several models

  /// A sandbox with two halves of the model of its store, and a third source with one entity described
  /// otherwise.
  private func halves() throws -> Sandbox {
    let sandbox = try Sandbox()
    let model = try ModelLoader.model(from: sandbox.file("Todo.sqlite"))
    var other = try #require(model.entities.last)
    other.isAbstract.toggle()
    let parts = [
      ("A", Array(model.entities.dropLast(2))), ("B", Array(model.entities.suffix(3))),
      ("C", [other]),
    ]
    for (name, entities) in parts {
      let source = try SourceModel(ManagedObjectModel(entities: entities, source: .file))
      let folder = sandbox.file("\(name).xcdatamodel")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(source.contents).write(to: URL(fileURLWithPath: "\(folder)/contents"))
    }
    return sandbox
  }

  @Test func severalModelsAreMergedToTheModelOfTheStore() throws {
    let sandbox = try halves()
    let merged = try sandbox.coffer(
      "verify", "Todo.sqlite", "--model", "A.xcdatamodel", "--model", "B.xcdatamodel", "--json")
    #expect(!merged.output.contains("model-mismatch"), "\(merged.output)")
    let half = try sandbox.coffer("verify", "Todo.sqlite", "--model", "A.xcdatamodel", "--json")
    #expect(half.output.contains("model-mismatch"))
  }

  @Test func storesAreMadeForSeveralModels() throws {
    let sandbox = try halves()
    let merged = ["--model", "B.xcdatamodel"]
    let whole = try sandbox.coffer(
      "model", "Todo.sqlite", "A.xcdatamodel", "--model", "B.xcdatamodel")
    #expect(whole.status == 0, "\(whole)")
    #expect(try sandbox.coffer("model", "Todo.sqlite", "A.xcdatamodel").status == 3)

    let created = try sandbox.run(
      ["create", "A.xcdatamodel", "New.sqlite", "--objects", "2", "--like", "Todo.sqlite"] + merged)
    #expect(created.status == 0, "\(created)")
    let migrated = try sandbox.run(
      ["migrate", "New.sqlite", "Next.sqlite", "--model", "A.xcdatamodel", "--like", "Todo.sqlite"]
        + merged)
    #expect(migrated.status == 0, "\(migrated)")
    let same = try sandbox.coffer("diff", "New.sqlite", "Next.sqlite")
    #expect(same.status == 0, "\(same.output)")
    // The merged model has what neither half has: the tables of both ends.
    let imported = try sandbox.run(
      ["tables", "import", "A.xcdatamodel", "Again.sqlite", "--model", "A.xcdatamodel"] + merged)
    #expect(imported.errorOutput.contains("does not determine which of NoteEntity.backlinks"))
  }

  @Test func aModelMergedWithItselfIsTheModel() throws {
    let sandbox = try halves()
    let alone = try sandbox.coffer("model", "A.xcdatamodel", "--format", "json")
    let merged = try sandbox.coffer(
      "model", "A.xcdatamodel", "--format", "json", "--model", "A.xcdatamodel")
    #expect(alone.output == merged.output)
    let version = try sandbox.coffer(
      "create", "A.xcdatamodel", "New.sqlite", "--model", "B.xcdatamodel", "--model-version", "1")
    #expect(version.status == 64)
    #expect(sandbox.bytes("New.sqlite") == nil)
  }

  @Test func modelsThatContradictEachOtherAreRefused() throws {
    let sandbox = try halves()
    let result = try sandbox.coffer(
      "verify", "Todo.sqlite", "--model", "B.xcdatamodel", "--model", "C.xcdatamodel")
    #expect(result.status == 15)
    #expect(result.errorOutput.contains("two of the models describe this entity differently"))
    let version = try sandbox.coffer(
      "verify", "Todo.sqlite", "--model", "A.xcdatamodel", "--model", "B.xcdatamodel",
      "--model-version", "1")
    #expect(version.status == 64)
    #expect(version.errorOutput.contains("needs a single '--model'"))
  }
}
