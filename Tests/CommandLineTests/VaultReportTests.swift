internal import Foundation
internal import TestSupport
internal import Testing

/// What `backup`, `vault check`, `vault drill` and `history` report of a vault.
@Suite struct VaultReportTests {
  /// The document, which is valid if its schema is available.
  private static func document(_ result: ProcessResult) throws -> XMLElements {
    if PublishedSchemas.areThere {
      #expect(try PublishedSchemas.problems(of: result.output, .junit) == "")
    }
    return try XMLElements(result.output)
  }

  @Test func everyStoreThatIsBackedUpIsATestCase() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.coffer(
      "backup", "Todo.sqlite", "missing.sqlite", "--vault", "V", "--format", "junit")
    #expect(result.status == 1)
    let document = try Self.document(result)
    #expect(document.named("testcase").map { $0["name"] } == ["Todo.sqlite", "missing.sqlite"])
    #expect(document.named("error").map { $0["type"] } == ["not-found"])
    #expect(document.named("testsuite").map { $0["errors"] } == ["1"])
    #expect(result.errorOutput.contains("missing.sqlite"))
  }

  @Test(arguments: ["check", "drill"]) func everyBackupIsATestCase(_ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V").status == 0)
    let sound = try sandbox.coffer("vault", command, "V", "--format", "junit")
    #expect(sound.status == 0)
    let document = try Self.document(sound)
    #expect(document.named("testsuites").map { $0["name"] } == ["coffer vault \(command)"])
    #expect(document.named("testcase").count == 1)
    #expect(document.named("failure").isEmpty)
    #expect(
      try sandbox.shell("for f in V/*/*.gz; do head -c 3000 $f > x; mv x $f; done").status == 0)
    let arguments =
      ["vault", command, "V", "--format", "junit"] + (command == "check" ? ["--read-data"] : [])
    let damaged = try sandbox.shell("coffer \(arguments.joined(separator: " "))")
    #expect(damaged.status == 3)
    let failures = try Self.document(damaged).named("failure")
    #expect(failures.map { $0["type"] } == [command == "check" ? "damaged-file" : "not-restored"])
  }

  @Test(arguments: [
    "find . -name Todo.sqlite -print0", "coffer find . --json", "ls -1 */Todo.sqlite",
    "printf '%s\\n' */Todo.sqlite ./c/Todo.sqlite link c/Todo.sqlite",
  ])
  func everyStoreOfAListIsBackedUp(_ list: String) throws {
    let result = try Sandbox().shell(
      """
      mkdir "a\u{2028}b" c; cp Todo.sqlite "a\u{2028}b"; mv Todo.sqlite c; ln -s c/Todo.sqlite link
      \(list) | coffer backup -q --vault V --stores-from -; echo $?; coffer vault list V | tail -n 1
      printf '{"type":"found","path":"c/Todo.sqlite\\\\u0000"}' | coffer backup -q --vault V --stores-from -
      echo $?
      """)
    #expect(result.output.hasPrefix("0\n2 backups of 2 series"), "\(result)")
    #expect(result.output.hasSuffix("\n10\n"), "\(result)")
  }

  @Test func aStoreThatIsNotBackedUpIsNamedAsItWasGiven() throws {
    let result = try Sandbox().shell(
      "echo x > text; coffer backup -q Todo.sqlite text --vault V 2> error; grep -c '^Error: text: ' error"
    )
    #expect(result.output == "1\n", "\(result.output)")
  }

  /// The clocks of this zone are twelve hours behind UTC.
  @Test func aTimeIsInTheZoneThatTZDescribes() throws {
    let result = try Sandbox().shell(
      """
      coffer backup -q Todo.sqlite --vault V; export TZ=AAA12
      coffer show "V@$(date +%Y-%m-%dT%H:%M:%S)" TagEntity --count
      """)
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  @Test func aBackupAfterOneFromTheFutureIsAWarning() throws {
    let sandbox = try Sandbox()
    let script = """
      coffer backup Todo.sqlite --vault V -q; f=$(ls V/*/*-full*); mv "$f" "${f%/*}/20990101T000000Z-${f#*Z-}"
      coffer backup Todo.sqlite --vault V -q
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0)
    #expect(
      result.errorOutput.contains("the time of this backup is 2099-01-01T00:00:01Z"),
      "\(result.errorOutput)")
  }

  @Test func aRestoreByPathSaysThatTheStoreWasElsewhere() throws {
    let sandbox = try Sandbox()
    let setup = """
      mkdir a b; for f in a b; do cp Todo.sqlite $f/S.sqlite; cp -R .Todo_SUPPORT $f/.S_SUPPORT; done
      coffer backup a/S.sqlite b/S.sqlite --vault V -q --full; sleep 1; mv a c; mv b a; mv c b
      time=$(date -u +%FT%TZ); sleep 1
      coffer backup a/S.sqlite b/S.sqlite --vault V -q --full
      """
    let place = try sandbox.shell("pwd -P").output.split(separator: "\n")[0]
    let early = try sandbox.shell("\(setup); coffer restore V#\(place)/a/S.sqlite@$time R.sqlite")
    #expect(early.status == 0, "\(early.errorOutput)")
    #expect(early.errorOutput.contains("/b/S.sqlite, and last at "), "\(early.errorOutput)")
    let late = try sandbox.coffer("restore", "V#\(place)/a/S.sqlite/latest", "L.sqlite")
    #expect(late.status == 0, "\(late.errorOutput)")
    #expect(!late.errorOutput.contains("and last at"), "\(late.errorOutput)")
  }

  @Test func aDrillCountsTheBackupsThatItRestored() throws {
    let sandbox = try Sandbox()
    let backup = "coffer backup Todo.sqlite --vault V --full -q"
    let damage = "f=$(ls V/*/*.gz | head -1); head -c 3000 $f > x; mv x $f"
    #expect(try sandbox.shell("\(backup); sleep 1; \(backup); \(damage)").status == 0)
    let result = try sandbox.coffer("vault", "drill", "V", "--sample", "2")
    #expect(result.status == 3)
    #expect(result.output.hasPrefix("Restored 1 of 2 backups of 1 series, read "))
  }

  @Test(arguments: ["vault check", "vault drill", "backup Todo.sqlite --vault"])
  func aCommandThatFailsSaysSoInTheDocument(_ command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell("mkdir V; touch V/x; coffer \(command) V --format junit")
    let code = command.hasPrefix("backup") ? "refused" : "not-a-vault"
    #expect(result.status == (command.hasPrefix("backup") ? 15 : 10))
    let document = try Self.document(result)
    #expect(document.named("error").map { $0["type"] } == [code])
    #expect(document.named("testcase").map { $0["name"] } == ["completion"])
  }

  /// The records of rows are longer than what rows that are so alike take in an archive.
  @Test func withoutRoomForTheStateABackupIsFull() throws {
    let sandbox = try Sandbox()
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.run(
      """
      WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 60000)
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT)
      SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'), 1 FROM n
      """)
    let backup = "coffer backup Todo.sqlite --vault V --json"
    #expect(try sandbox.shell(backup).output.contains(#""fullReason":"first""#))
    // The state of a store that has not changed stays.
    try database.run("UPDATE ZTAGENTITY SET Z_OPT = 2 WHERE Z_PK = 2000")
    let result = try sandbox.shell("trap '' XFSZ; ulimit -f 1000; \(backup)")
    #expect(result.status == 0)
    #expect(result.output.contains(#""fullReason":"no-room""#))
  }

  @Test func aNoteOfADrillIsNoFailure() throws {
    let sandbox = try Sandbox(.danglingToOne)
    let result = try sandbox.shell(
      """
      coffer backup --quiet Todo.sqlite --vault V && coffer vault drill V && coffer vault drill V --json
      coffer vault drill --quiet V
      coffer vault drill V --format junit > junit.xml
      """)
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("note: "))
    #expect(lines[0].contains("it had errors in its data when it was backed up: error: "))
    #expect(lines[2].hasPrefix(#"{"type":"note","note":"old-errors""#))
    #expect(lines[3].contains(#""problems":0,"notes":1,"unusable":[]"#))
    let document = try XMLElements(
      String(decoding: sandbox.bytes("junit.xml") ?? Data(), as: UTF8.self))
    #expect(document.named("failure").isEmpty)
    #expect(document.named("system-out").count == 1)
  }

  /// 30 tags come, and all go; nothing is inserted.
  @Test func onRequestABackupOfAWipeEndsWith3() throws {
    let sandbox = try Sandbox()
    let database = try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
    try database.run(
      """
      WITH RECURSIVE n(k) AS (SELECT 1000 UNION ALL SELECT k + 1 FROM n WHERE k < 1029)
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT)
      SELECT k, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'TagEntity'), 1 FROM n
      """)
    try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1029 WHERE Z_NAME = 'TagEntity'")
    for vault in ["A", "B", "C"] {
      #expect(
        try sandbox.coffer("backup", "Todo.sqlite", "--vault", vault, "--fail-on", "wipe").status
          == 0)
    }
    try database.run("DELETE FROM ZTAGENTITY")
    let silent = try sandbox.coffer("backup", "--quiet", "Todo.sqlite", "--vault", "A")
    #expect(silent.status == 0)
    #expect(silent.errorOutput.contains("error: TagEntity: the entity lost most of its objects"))
    let loud = try sandbox.coffer("backup", "Todo.sqlite", "--vault", "B", "--fail-on", "wipe")
    #expect(loud.status == 3)
    #expect(loud.output.contains("Backed up Todo.sqlite to B"))
    let report = try sandbox.coffer(
      "backup", "Todo.sqlite", "--vault", "C", "--fail-on", "wipe", "--format", "junit")
    #expect(report.status == 3)
    #expect(try Self.document(report).named("failure").map { $0["type"] } == ["silent-wipe"])
    // The backup was made.
    for vault in ["A", "B", "C"] {
      #expect(
        try sandbox.coffer("backup", "Todo.sqlite", "--vault", vault, "--fail-on", "wipe").status
          == 0)
    }
    #expect(
      try sandbox.coffer("backup", "Todo.sqlite", "--vault", "A", "--fail-on", "x").status == 64)
  }

  @Test(arguments: ["vault check V --max-age", "vault forget V --keep-within"])
  func noLengthOfTimeIsWrongUsage(_ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V").status == 0)
    for duration in ["0h", "0d", "0w0h"] {
      #expect(try sandbox.shell("coffer \(command) \(duration)").status == 64)
    }
    #expect(try sandbox.shell("coffer \(command) 0d1h").status == 0)
  }

  @Test(arguments: [
    "inspect V", "verify V", "export V a", "show V TagEntity", "diff Todo.sqlite V", "compact V",
    "model V",
    "import V New.sqlite", "merge Todo.sqlite V --match-by-object-id",
  ])
  func aVaultInThePlaceOfAStoreIsRecognized(_ command: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      "coffer backup --quiet Todo.sqlite --vault V && coffer \(command)")
    #expect(result.status != 0)
    #expect(
      result.errorOutput.contains(
        "Hint: It is a vault. To list its backups: coffer vault list V. To read one: V#latest or V#ID\n"
      ))
  }

  /// Two stores of one name: the typed text is not proposed again.
  @Test func whatIsProposedChoosesABackup() throws {
    let sandbox = try Sandbox()
    let made = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a
      for folder in A B; do
        mkdir $folder
        coffer import -q a $folder/Data.sqlite --store-uuid new --history drop
      done
      coffer backup -q A/Data.sqlite B/Data.sqlite --vault V
      """)
    #expect(made.status == 0, "\(made.errorOutput)")
    for arguments in [
      ["restore", "V", "N", "--store", "Data.sqlite"], ["verify", "V#Data/latest"],
      ["verify", "V@2100-01-01"],
    ] {
      let result = try sandbox.run(arguments)
      #expect(result.status == 10)
      let hint = try #require(result.errorOutput.firstMatch(of: /Hint: Name one(?<text>.*)\n/))
        .output.text
      #expect(!hint.contains("Data"))
      let names = hint.matches(of: /[0-9A-F-]{36}/).map { String($0.output) }
      #expect(Set(names).count == 2)
      #expect(try sandbox.coffer("verify", "V#\(names[0])/latest").status == 0)
      let example = try #require(hint.firstMatch(of: /V#[^ :]*(@[^ ]*Z|\/latest)/)).output.0
      #expect(example.contains("@") == arguments[1].contains("@"))
      #expect(try sandbox.coffer("verify", String(example)).status == 0)
      #expect(try sandbox.coffer("restore", "-q", "--force", String(example), "N").status == 0)
    }
    let vault = try sandbox.coffer("verify", "V")
    #expect(vault.errorOutput.contains("To read one: V#SERIES/latest or V#ID\n"))
  }

  /// A backup is named in the same way everywhere.
  @Test func aRestoreTakesTheNameOfABackup() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "-q", "Todo.sqlite", "--vault", "V").status == 0)
    #expect(try sandbox.coffer("restore", "-q", "V#latest", "N.sqlite").status == 0)
    #expect(try sandbox.coffer("diff", "Todo.sqlite", "N.sqlite").status == 0)
    #expect(try sandbox.coffer("restore", "V#none", "O.sqlite").status == 10)
    let twice = try sandbox.coffer("restore", "V#latest", "O.sqlite", "--at", "2100-01-01")
    #expect(twice.status == 15)
    #expect(twice.errorOutput.contains("it names a backup, and so does an option"))
    // The name of a folder may look like one.
    let name = "V@2100-01-01"
    #expect(try sandbox.coffer("backup", "-q", "Todo.sqlite", "--vault", name).status == 0)
    #expect(try sandbox.coffer("restore", "-q", name, "O.sqlite").status == 0)
  }

  /// The restored store has the path of the one before, and another file.
  @Test func aRestoreNamesItsBackup() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer backup -q Todo.sqlite --vault V
      coffer vault list V | sed -n 's/^  \\([^ ]*\\)  \\([^ ]*\\) .*/  backup         \\1, \\2/p' > expected
      coffer restore V Todo.sqlite --force | grep -e '^Restored' -e '^  backup'
      cat expected
      coffer restore V New.sqlite --json | grep -o '"backup":"[^"]*","time":"[^"]*"'
      coffer backup -q Todo.sqlite --vault V && coffer vault list V | grep -c '  from '
      """)
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 5, "\(result.output)\(result.errorOutput)")
    #expect(lines[0] == "Restored 37 objects of 10 entities to Todo.sqlite")
    #expect(lines[1] == lines[2])
    let parts = lines[1].split(separator: " ")
    try #require(parts.count == 3)
    #expect(lines[3] == "\"backup\":\"\(parts[1].dropLast())\",\"time\":\"\(parts[2])\"")
    #expect(lines[4] == "0")
  }

  @Test func theHistoryOfAnObjectIsReadFromItsBackups() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V").status == 0)
    try GeneratorDatabase(path: sandbox.file("Todo.sqlite"))
      .run("UPDATE ZTAGENTITY SET ZNAME = 'house' WHERE Z_PK = 1")
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V").status == 0)
    let result = try sandbox.coffer("history", "V", "TagEntity/p1")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("TagEntity/p1 added") })
    #expect(lines.contains { $0.hasSuffix("TagEntity/p1 changed") })
    #expect(lines.suffix(2) == ["  name: \"home\" → \"house\"", "2 changes in 2 backups"])
    #expect(try sandbox.coffer("history", "V", "TagEntity").status == 64)
    #expect(try sandbox.coffer("history", "V", "TagEntity/p1", "--author", "app").status == 64)
  }

  @Test func theHistoryOfAStoreIsThatOfItsArchiveAndItsBackup() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V").status == 0)
    #expect(try sandbox.coffer("export", "Todo.sqlite", "a").status == 0)
    let all = try sandbox.coffer("history", "Todo.sqlite")
    #expect(all.status == 0)
    let lines = all.output.split(separator: "\n")
    #expect(lines.contains { $0.contains("  transaction 1  by app  (") })
    #expect(lines.contains { $0.hasPrefix("  updated   ") && !$0.contains("unknown") })
    for source in ["a", "V#latest"] {
      #expect(try sandbox.coffer("history", source).output == all.output)
    }
    #expect(try sandbox.coffer("history", "Todo.sqlite", "--store", "S").status == 64)
    #expect(try sandbox.coffer("history", "Todo.sqlite", "Nobody").status == 10)
    #expect(try sandbox.coffer("history", "Todo.sqlite", "--since", "soon").status == 64)
  }

  @Test(arguments: [
    "model V#latest", "model Todo.sqlite --model V#latest", "model --lint V#latest",
    "model --diff V#latest Todo.sqlite",
    "create V#latest New.sqlite --like V#latest",
    "create V#latest New.sqlite --objects like --like V#latest",
    "migrate V#latest New.sqlite --model V#latest --like V#latest",
    "verify Todo.sqlite --model V#latest", "export Todo.sqlite New.gz --model V#latest",
    "tables import T New.sqlite --model V#latest",
  ])
  func aBackupServesAsAModelOrAnExample(_ command: String) throws {
    let sandbox = try Sandbox()
    let setup = """
      coffer backup Todo.sqlite --vault V -q --full
      sqlite3 Todo.sqlite "UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1"
      coffer backup Todo.sqlite --vault V -q; coffer tables export Todo.sqlite T --format csv -q
      """
    let result = try sandbox.shell("\(setup); coffer \(command)")
    let same = try sandbox.shell(
      "rm -rf New.* .New*; coffer \(command.replacing("V#latest", with: "Todo.sqlite"))")
    #expect([0, 3].contains(result.status), "\(result.errorOutput)")
    #expect(result.status == same.status)
    func lines(_ output: String) -> [Substring] {
      output.replacing("V#latest", with: "Todo.sqlite").split(separator: "\n")
        .filter { !$0.contains("time  ") && !$0.contains("store UUID") }
    }
    #expect(lines(result.output) == lines(same.output))
  }

  @Test func aBackupIsNamedAsItWasTyped() throws {
    let sandbox = try Sandbox()
    let inspected = try sandbox.shell(
      """
      coffer backup Todo.sqlite --vault V > first
      sqlite3 Todo.sqlite "UPDATE ZTAGENTITY SET ZNAME = 'x' WHERE Z_PK = 1"
      coffer backup Todo.sqlite --vault V > second
      coffer inspect 'V#latest'
      """)
    #expect(inspected.output.hasPrefix("V#latest: "), "\(inspected.output)")
    for command in ["export V#Todo.sqlite/latest a.coffer.tar.gz", "compact V#latest"] {
      let result = try sandbox.run(command.split(separator: " ").map(String.init))
      #expect(result.status == 10)
      #expect(
        result.errorOutput.contains("it is a backup in a vault, and a file is needed here"),
        "\(result.errorOutput)")
    }
  }
}
