internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ExitStatusTests {
  /// Expects an error: its status, its message on standard error, and nothing on standard output.
  private func expectError(
    _ result: ProcessResult, _ status: Int32, _ text: String,
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == status, sourceLocation: location)
    #expect(result.output == "", sourceLocation: location)
    #expect(result.errorOutput.contains(text), sourceLocation: location)
    #expect(result.errorOutput.contains("Error: "), sourceLocation: location)
  }

  @Test(arguments: [
    "export nope a", "import nope Copy.sqlite", "inspect nope", "diff nope Todo.sqlite",
    "verify nope",
  ])
  func inputThatIsNotThereIs10(_ command: String) throws {
    let sandbox = try Sandbox()
    expectError(try sandbox.shell("coffer \(command)"), 10, "nope: no such file")
    #expect(try sandbox.added() == [])
  }

  @Test(arguments: [
    ("migrate Todo.sqlite New.sqlite --model A --from B --from C", "--from"),
    ("model Todo.sqlite --format json --format=svg", "--format"),
    ("model Todo.sqlite -o a --output b", "--output"),
    ("import a Copy.sqlite --cloudkit drop --cloudkit keep", "--cloudkit"),
    ("--color never show Todo.sqlite TodoEntity --color always", "--color"),
    ("show Todo.sqlite TodoEntity --where a --where b", "--where"),
  ])
  func anOptionGivenTwiceIsWrongUsage(_ command: String, _ name: String) throws {
    let result = try Sandbox().shell("coffer \(command)")
    #expect(result.status == 64)
    #expect(
      result.errorOutput.contains("'\(name)' can be given only once."), "\(result.errorOutput)")
  }

  @Test func listsAndValuesMayRepeat() throws {
    let sandbox = try Sandbox()
    let list = try sandbox.coffer(
      "verify", "Todo.sqlite", "--skip", "dangling-to-one", "--skip", "dangling-pair")
    #expect(!list.errorOutput.contains("only once"))
    let value = try sandbox.coffer("show", "Todo.sqlite", "TodoEntity", "--", "--where", "--where")
    #expect(!value.errorOutput.contains("only once"))
  }

  @Test(arguments: [
    "export x a", "import x Copy.sqlite", "inspect x", "diff Todo.sqlite x", "verify x",
  ])
  func inputThatIsNoStoreIs10(_ command: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.directory.write(Array("just a text\n".utf8), to: "x")
    expectError(try sandbox.shell("coffer \(command)"), 10, "x: not a")
  }

  @Test func databasesOfOthersAre10() throws {
    let sandbox = try Sandbox()
    try GeneratorDatabase(path: sandbox.file("x")).run("CREATE TABLE t (a)")
    expectError(try sandbox.coffer("export", "x", "a"), 10, "x: not a Core Data store")
  }

  @Test func archivesAndStoresAreNotMixedUp() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let export = try sandbox.coffer("export", "a", "b")
    expectError(export, 10, "a: not a Core Data store: it appears to be an archive\n")
    #expect(export.errorOutput.contains("\nHint: To restore a store from it: coffer import a "))
    let restored = try sandbox.coffer("import", "Todo.sqlite", "b")
    expectError(restored, 10, "Todo.sqlite: not an archive: it is an SQLite database")
    #expect(restored.errorOutput.contains("\nHint: To back up a store: coffer export Todo.sqlite "))
  }

  @Test func lockedStoresAre11() throws {
    let sandbox = try Sandbox()
    try SampleStore.write(to: sandbox.file("Todo.sqlite"), journal: .delete)
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.run("BEGIN EXCLUSIVE")
    expectError(try sandbox.coffer("export", "Todo.sqlite", "a"), 11, "the store is busy")
    expectError(try sandbox.coffer("verify", "Todo.sqlite"), 11, "the store is busy")
    try database.run("ROLLBACK")
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
  }

  @Test(arguments: [
    "import cut Copy.sqlite", "import - Copy.sqlite < cut", "inspect cut", "diff cut Todo.sqlite",
    "verify cut", "verify - < cut",
  ])
  func archivesThatAreCutOffAre12(_ command: String) throws {
    let sandbox = try Sandbox()
    let archive = try sandbox.coffer("export", "Todo.sqlite", "-").outputBytes
    _ = try sandbox.directory.write(archive.prefix(archive.count / 2), to: "cut")
    expectError(try sandbox.shell("coffer \(command)"), 12, "truncated archive")
    #expect(try sandbox.added() == ["cut"])
  }

  @Test func storesThatAreOpenAreNotReplaced() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    try SampleStore.write(to: sandbox.file("Copy.sqlite"), journal: .delete)
    let store = sandbox.bytes("Copy.sqlite")
    let database = try GeneratorDatabase(path: sandbox.file("Copy.sqlite"))
    try database.run("BEGIN IMMEDIATE")
    expectError(try sandbox.coffer("import", "a", "Copy.sqlite", "--force"), 11, "Copy.sqlite: ")
    try database.run("ROLLBACK")
    #expect(sandbox.bytes("Copy.sqlite") == store)
  }

  @Test func archivesOfALaterFormatAre13() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a && mkdir u && tar -xzf a -C u && cd u || exit 99
      sed '1s/"version":1,/"version":9,/' index.json > changed && mv changed index.json
      tar -tzf ../a | tar -cf ../later.tar -T - && gzip -c ../later.tar > ../later || exit 98
      cd .. && coffer import later Copy.sqlite
      """)
    expectError(result, 13, "newer archive format")
    expectError(try sandbox.coffer("verify", "later"), 13, "newer archive format")
    #expect(try sandbox.added() == ["a", "later", "later.tar", "u"])
  }

  @Test func outputsThatExistAre14() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.directory.write([1, 2, 3], to: "a")
    let export = try sandbox.coffer("export", "Todo.sqlite", "a")
    expectError(export, 14, "a: already exists")
    #expect(export.errorOutput.contains("\nHint: Choose another name, or use --force"))
    #expect(sandbox.bytes("a") == Data([1, 2, 3]))
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a", "--force").status == 0)
    _ = try sandbox.directory.write([1, 2, 3], to: "Copy.sqlite")
    expectError(try sandbox.coffer("import", "a", "Copy.sqlite"), 14, "Copy.sqlite: already exists")
    #expect(sandbox.bytes("Copy.sqlite") == Data([1, 2, 3]))
    #expect(try sandbox.coffer("import", "a", "Copy.sqlite", "--force").status == 0)
    #expect(try sandbox.coffer("diff", "a", "Copy.sqlite").status == 0)
  }

  @Test func aSupportFolderOfTheNameCountsAsOutput() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    try FileManager.default.createDirectory(
      atPath: sandbox.file(".Copy_SUPPORT"), withIntermediateDirectories: false)
    _ = try sandbox.directory.write([1], to: ".Copy_SUPPORT/file")
    expectError(try sandbox.coffer("import", "a", "Copy.sqlite"), 14, ".Copy_SUPPORT")
  }

  @Test func choicesThatExcludeEachOtherAre15() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let result = try sandbox.coffer("import", "a", "Copy.sqlite", "--store-uuid", "new")
    expectError(result, 15, "a: conflicting choices")
    #expect(try sandbox.added() == ["a"])
  }

  @Test func anOutputInThePlaceOfTheInputIs15() throws {
    let sandbox = try Sandbox()
    let store = sandbox.bytes("Todo.sqlite")
    expectError(
      try sandbox.coffer("export", "Todo.sqlite", "./Todo.sqlite", "--force"), 15,
      "the output would replace the input")
    #expect(sandbox.bytes("Todo.sqlite") == store)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    expectError(
      try sandbox.coffer("import", "a", "a", "--force"), 15, "the output would replace the input")
  }

  @Test(
    arguments: [
      "exprot Todo.sqlite a", "export", "export Todo.sqlite", "export Todo.sqlite a b",
      "export Todo.sqlite a --level 13", "export Todo.sqlite a --level 1 --small",
      "export Todo.sqlite a --compression bzip2", "export Todo.sqlite a.zst --level 0",
      "export Todo.sqlite a --level 19", "export Todo.sqlite a.tar.gz --compression zstd",
      "export Todo.sqlite a --threads -1", "import a b --history perhaps",
      "import a b --progress sometimes", "--unknown", "inspect", "diff a",
      "verify", "verify a b", "verify a --check", "verify a --check perhaps", "verify --explain a",
    ])
  func wrongUsageIs64(_ command: String) throws {
    let sandbox = try Sandbox()
    expectError(try sandbox.shell("coffer \(command)"), 64, "Usage: coffer")
    #expect(try sandbox.added() == [])
  }

  /// A script that means the version of a model must not be answered with the program's, and success.
  @Test(
    arguments: [
      "export Todo.sqlite a", "import a b", "verify Todo.sqlite", "inspect Todo.sqlite",
      "diff Todo.sqlite Todo.sqlite", "model Todo.sqlite", "show Todo.sqlite TodoEntity",
      "create Todo.sqlite b", "migrate Todo.sqlite b --model Todo.sqlite", "find .",
    ])
  func commandsDoNotShowTheVersionOfTheProgram(_ command: String) throws {
    let sandbox = try Sandbox()
    for option in ["--version", "--version 1.9"] {
      let result = try sandbox.shell("coffer \(command) \(option)")
      expectError(result, 64, "Unknown option '--version'")
      #expect(result.errorOutput.contains("'--model-version'"))
    }
    #expect(try sandbox.added() == [])
  }

  @Test(
    arguments: [
      "export Todo.sqlite a", "import a b", "verify Todo.sqlite", "inspect Todo.sqlite",
      "show Todo.sqlite TodoEntity",
    ])
  func aModelVersionNeedsAModel(_ command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell("coffer \(command) --model-version 1.9")
    expectError(result, 64, "'--model-version 1.9' needs '--model'.")
    #expect(try sandbox.added() == [])
  }

  @Test func misspelledOptionsAreGuessed() throws {
    let result = try Sandbox().coffer("export", "Todo.sqlite", "a", "--forc")
    expectError(result, 64, "Unknown option '--forc'. Did you mean '--force'?")
  }

  @Test(
    arguments: [
      ("exprot", ". Did you mean 'export'?"), ("imprt", ". Did you mean 'import'?"),
      ("dif", ". Did you mean 'diff'?"), ("verfy", ". Did you mean 'verify'?"),
      ("fsck", ". Did you mean 'verify'?"), ("dump", ". Did you mean 'export'?"),
      ("gc", ". Did you mean 'compact'?"), ("share", ". Did you mean 'anonymize'?"),
      ("fixture", ". Did you mean 'create --objects'?"),
      ("backups", ". Did you mean 'vault list'?"), ("check", ". Did you mean 'vault check'?"),
      ("drill", ". Did you mean 'vault drill'?"), ("forget", ". Did you mean 'vault forget'?"),
      ("vault lst", ". Did you mean 'vault list'?"), ("vault Todo.sqlite", ""),
      ("vault prune", ". Did you mean 'vault forget'?"),
      ("Todo.sqlite", ""),
    ])
  func misspelledCommandsAreGuessed(_ command: String, _ guess: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let result = try Sandbox().run(words + ["Todo.sqlite", "a"])
    expectError(result, 64, "Error: Unknown command '\(command)'\(guess)\nUsage: coffer")
    let help = try Sandbox().run(["help"] + words)
    expectError(help, 64, "Error: Unknown command '\(command)'\(guess)\nUsage: coffer")
  }

  @Test func foldersThatDoNotExistAre1() throws {
    let sandbox = try Sandbox()
    expectError(try sandbox.coffer("export", "Todo.sqlite", "no/a"), 1, "no/a: cannot be written")
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    expectError(try sandbox.coffer("import", "a", "no/Copy.sqlite"), 1, "no: cannot be written")
  }
}
