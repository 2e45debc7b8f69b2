internal import Foundation
internal import TestSupport
import Testing

/// The messages for a file that is not a store, archive or model, and for impossible outputs.
@Suite struct WrongFileTests {
  private static let commands = [
    "export FILE out.coffer.tar.gz", "verify FILE", "inspect FILE", "show FILE TodoEntity",
    "diff FILE Todo.sqlite", "import FILE out.sqlite", "model FILE",
  ]

  /// Each file with the script that makes it, and the message.
  private static let files: [(name: String, script: String, text: String)] = [
    ("a.zip", "printf 'PK\\003\\004\\024\\000\\000\\000\\010\\000'", "it is a zip file"),
    ("a.tar", "tar -cf - Todo.sqlite", "it is a tar file without compression"),
    ("a.txt", "echo 'Dear diary,'", "it is a text file"),
    (
      "a.bin", "printf 'CoreData\\000\\000\\000\\001\\010\\004\\010\\000'", "Core Data binary store"
    ),
    (
      "Todo.sqlite-wal", "printf '\\067\\177\\006\\202\\000\\055\\342\\030'",
      "the write-ahead log of a store"
    ),
  ]

  @Test(arguments: files, commands)
  func commonWrongFilesAreNamed(
    _ file: (name: String, script: String, text: String), _ command: String
  ) throws {
    let sandbox = try Sandbox()
    let line = command.replacing("FILE", with: "wrong/\(file.name)")
    let result = try sandbox.shell(
      "mkdir wrong; \(file.script) > wrong/\(file.name); coffer \(line)")
    #expect(result.status == 10, "\(result.errorOutput)")
    #expect(result.errorOutput.contains(file.text), "\(line): \(result.errorOutput)")
    #expect(
      result.errorOutput.hasPrefix("Error: wrong/\(file.name): not a"),
      "\(line): \(result.errorOutput)")
    #expect(!result.errorOutput.contains("encrypted"), "\(line): \(result.errorOutput)")
    #expect(result.output == "")
  }

  @Test(arguments: [
    "export FILE out.gz", "verify FILE", "inspect FILE", "show FILE TodoEntity", "import FILE b",
  ])
  func xmlStoresNeedTheirModel(_ command: String) throws {
    let line = command.replacing("FILE", with: "a.xml")
    let result = try Sandbox().shell(
      "echo '<?xml version=\"1.0\"?><!DOCTYPE database SYSTEM \"x\">' > a.xml; coffer \(line)")
    #expect(result.status == 15, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("it is a Core Data XML store"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("--model MODEL"), "\(result.errorOutput)")
  }

  /// Whoever waits for a pipe gets a byte from it.
  @Test(arguments: [("A.momd", "V.mom"), ("B.xcdatamodel", "contents")])
  func aPipeInTheFolderOfAModelIsNotRead(_ folder: String, _ name: String) throws {
    let result = try Sandbox().shell(
      """
      mkdir \(folder); mkfifo \(folder)/\(name); printf x > \(folder)/\(name) 2> error &
      coffer model \(folder); status=$?; kill $! 2> error; exit $status
      """)
    #expect(result.status == 10)
    #expect(result.errorOutput.contains("there is no readable file"), "\(result.errorOutput)")
  }

  @Test func rulesMayComeThroughAPipe() throws {
    let result = try Sandbox().shell(
      """
      printf '{"LocationEntity.name": {"constant": "x"}}' \\
        | coffer anonymize Todo.sqlite New.sqlite --rules /dev/stdin > log
      sqlite3 New.sqlite 'SELECT DISTINCT ZNAME FROM ZLOCATIONENTITY'
      """)
    #expect(result.output == "x\n", "\(result.errorOutput)")
  }

  @Test func aNameThatIsNotUTF8IsRefused() throws {
    let result = try Sandbox().shell(
      "f=$(printf 'caf\\351.sqlite'); cp Todo.sqlite \"$f\"; coffer verify \"$f\"")
    #expect(result.status == 64)
    #expect(
      result.errorOutput.contains("'caf\u{FFFD}.sqlite' is not UTF-8."), "\(result.errorOutput)")
  }

  @Test(arguments: ["inspect", "model"])
  func aPipeIsNoStore(_ command: String) throws {
    let result = try Sandbox().shell("cat Todo.sqlite | coffer \(command) /dev/stdin")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("it is not a regular file"), "\(result.errorOutput)")
  }

  @Test(arguments: ["verify -", "import - out.sqlite"])
  func wrongFilesInAPipeAreNamed(_ command: String) throws {
    let result = try Sandbox().shell("cat Todo.sqlite | coffer \(command)")
    #expect(result.status == 10)
    #expect(result.errorOutput.contains("it is an SQLite database"), "\(result.errorOutput)")
  }

  @Test func atomicStoresBelongToTheirApp() throws {
    let result = try Sandbox().shell(
      "printf 'CoreData\\000\\000\\000\\001' > a.bin; coffer verify a.bin")
    #expect(result.errorOutput.contains("Open it in the app that created it."))
  }

  @Test func companionsNameTheirStore() throws {
    let result = try Sandbox().shell(
      "printf '\\067\\177\\006\\202\\000\\055\\342\\030' > A.sqlite-wal; coffer verify A.sqlite-wal"
    )
    #expect(result.errorOutput.contains("Give the store itself: "))
    #expect(result.errorOutput.contains("A.sqlite\n"))
  }

  @Test(
    arguments: [
      "export Todo.sqlite FOLDER", "tables export Todo.sqlite FOLDER --format csv",
      "tables export Todo.sqlite FOLDER --format sqlite", "create Todo.sqlite FOLDER",
      "migrate Todo.sqlite FOLDER --model Todo.sqlite", "inspect Todo.sqlite --html FOLDER",
      "model Todo.sqlite --format svg --output FOLDER",
    ], [".", "folder", "folder/"])
  func foldersAreNotToBeReplaced(_ command: String, _ folder: String) throws {
    let sandbox = try Sandbox()
    let line = command.replacing("FOLDER", with: folder)
    let result = try sandbox.shell("mkdir folder; touch folder/kept; coffer \(line)")
    #expect(result.status == 15, "\(line): \(result.errorOutput)")
    #expect(!result.errorOutput.contains("--force"), "\(line): \(result.errorOutput)")
    #expect(!result.errorOutput.contains("//"), "\(line): \(result.errorOutput)")
    let forced = try sandbox.shell("coffer \(line) --force")
    #expect(forced.status == 15, "\(line): \(forced.errorOutput)")
    #expect(try sandbox.shell("ls -A folder").output == "kept\n")
  }

  @Test(arguments: [
    ("out.csv", "csv"), ("out.CSV", "csv"), ("tables/out.json", "ndjson"), ("out.ndjson", "ndjson"),
    ("out.db", "sqlite"), ("out.sqlite", "sqlite"),
  ])
  func namesOfOtherFormatsAskForTheFormat(_ name: String, _ format: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer("export", "Todo.sqlite", name)
    #expect(result.status == 64)
    #expect(
      result.errorOutput.contains("coffer tables export Todo.sqlite")
        && result.errorOutput.contains("--format \(format)"),
      "\(result.errorOutput)")
    #expect(try sandbox.added() == [])
  }

  /// The file system refuses a write in the middle of the work.
  @Test(arguments: [
    "inspect Todo.sqlite --html out.html", "model Todo.sqlite --format svg --output out.svg",
    "tables export Todo.sqlite out --format csv", "export Todo.sqlite out.coffer.tar.gz",
    "tables export Todo.sqlite out --format sqlite", "create Todo.sqlite out.sqlite",
    "migrate Todo.sqlite out.sqlite --model Todo.sqlite",
    "export busy.sqlite out.coffer.tar.gz", "import Todo.coffer.tar.gz out.sqlite",
  ])
  func temporaryNamesAreNotTold(_ command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer export Todo.sqlite Todo.coffer.tar.gz > /dev/null 2>&1
      cp Todo.sqlite busy.sqlite; : > busy.sqlite-journal
      ulimit -f 1; coffer \(command)
      """)
    #expect(result.status != 0)
    #expect(
      !result.errorOutput.contains(/coffer-(?:partial|snapshot)?-?[0-9A-Fa-f]{8}/),
      "\(result.errorOutput)")
  }
}
