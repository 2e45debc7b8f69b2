internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct TablesCommandTests {
  private static let arguments = [
    "tables", "export", "Todo.sqlite", "T", "--format", "csv",
  ]

  @Test func theAnswerNamesFilesAndWhatIsLeftOut() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(Self.arguments + ["--entity", "VisitEntity"])
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(
      result.output == """
        Wrote 4 objects to T as csv
          VisitEntity.csv  4 objects
          left out: 9 entities, 3 other tables

        """)
    #expect(try sandbox.added() == ["T"])
  }

  @Test func whatCannotBeWrittenIsAWarning() throws {
    let result = try Sandbox().run(Self.arguments + ["--json"])
    #expect(result.status == 0)
    let warning = try #require(result.errorOutput.split(separator: "\n").first)
    #expect(warning.contains("\"code\":\"unwritable-date\""))
    let last = try #require(result.output.split(separator: "\n").last)
    #expect(last.contains("\"warnings\":[{\"code\":\"unwritable-date\",\"count\":2}]"))
    #expect(last.contains("\"objects\":37,\"pairs\":19,\"files\":13,\"externalFiles\":2"))
  }

  @Test func aMissingFileIsAFinding() throws {
    let sandbox = try Sandbox(.missingExternalFile)
    let result = try sandbox.run(Self.arguments)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("a file of external binary data is missing: 1"))
  }

  @Test(
    arguments: [
      (["--entity", "TagEntit"], 10, "Did you mean 'TagEntity'?"),
      (["--exclude-entity", "Nobody"], 10, "Available: AttachmentEntity"),
      (["--level", "3"], 64, "Unknown option '--level'"),
      (["--format", "xml"], 64, "Unknown format 'xml'"),
      (["--model", "Missing.momd"], 10, "Missing.momd"),
    ] as [([String], Int32, String)])
  func everyRefusalHasItsReason(_ more: [String], _ status: Int32, _ text: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(Self.arguments + more)
    #expect(result.status == status, "\(result.errorOutput)")
    #expect(result.errorOutput.contains(text), "\(result.errorOutput)")
    #expect(try sandbox.added() == [])
  }

  @Test(
    arguments: [
      (["Todo.sqlite", "--format", "csv"], "Missing expected argument '<folder>'"),
      (["Todo.sqlite", "T"], "Missing expected argument '--format <format>'"),
      (["Todo.sqlite", "T", "--format", "sqlite", "--skip-empty"], "'--skip-empty' is for files"),
      (["Todo.sqlite", "T", "--format", "csv", "--series", "s"], "requires '--partition'"),
    ] as [([String], String)])
  func whatDoesNotBelongTogetherIsWrongUsage(_ arguments: [String], _ text: String) throws {
    let result = try Sandbox().run(["tables", "export"] + arguments)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(text), "\(result.errorOutput)")
  }

  @Test func anEncryptedArchiveIsRead() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      echo secret > word && chmod 600 word
      coffer export -q Todo.sqlite a.age --passphrase-file word || exit
      coffer tables export -q a.age locked --format ndjson; echo $?
      coffer tables export -q a.age A --format ndjson --passphrase-file word 2> /dev/null
      coffer tables export -q Todo.sqlite B --format ndjson 2> /dev/null
      diff -r A B && echo same
      """)
    #expect(result.output == "15\nsame\n")
  }

  @Test func storesShareAFolderOfPartitions() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      coffer export -q Todo.sqlite a.coffer.tar.gz
      coffer import -q a.coffer.tar.gz Other.sqlite --store-uuid new --history drop 2> /dev/null
      export="coffer tables export -q --format csv --partition store-uuid"
      for store in Todo.sqlite Other.sqlite; do $export $store All 2> /dev/null; done
      $export Todo.sqlite All 2> /dev/null; echo $?
      for folder in All/*; do touch $folder/mine; done
      $export Todo.sqlite All --force 2> error; echo $?; grep -c 'contains mine, which is not' error
      rm All/*/mine; $export Todo.sqlite All --force; echo $?
      coffer tables export -q Todo.sqlite One --format csv
      for folder in All/*; do diff -rx '.coffer-*' One $folder && echo same; done; ls -A All | wc -l
      coffer tables import All New.sqlite --model Todo.sqlite 2>&1 | grep -c "such as All/store_uuid="
      coffer tables export -q Todo.sqlite All --format csv --force 2> /dev/null; echo $?
      coffer tables export -q Todo.sqlite One --format csv --partition store-uuid \\
        2> /dev/null; echo $?
      """)
    #expect(
      result.output == "14\n15\n1\n0\nsame\nsame\n2\n1\n15\n15\n",
      "\(result.output)\(result.errorOutput)")
  }

  /// SQLite itself would leave both companion files of a log.
  @Test func aDatabaseOfTablesIsNotTouched() throws {
    let result = try Sandbox().shell(
      """
      coffer tables export -q Todo.sqlite T --format sqlite; mv T/*.sqlite T/Tables.sqlite
      sqlite3 T/Tables.sqlite 'PRAGMA journal_mode = wal' > log; cp T/Tables.sqlite before; ls -A T > names
      coffer tables import -q T/Tables.sqlite New.sqlite --model Todo.sqlite; echo $?
      cmp before T/Tables.sqlite; ls -A T | diff names -
      """)
    #expect(result.output == "0\n", "\(result.output)\(result.errorOutput)")
  }

  @Test func aCopyOfAStoreHasAPartitionOfItsOwn() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      mkdir b && sqlite3 Todo.sqlite "VACUUM INTO 'b/Todo.sqlite'"
      export="coffer tables export -q --format csv --partition store-uuid --force"
      for store in Todo.sqlite b/Todo.sqlite Todo.sqlite b/Todo.sqlite; do $export $store All; done
      ls All | wc -l; mkdir c; mv b/Todo.sqlite* c; $export c/Todo.sqlite All; ls All | wc -l
      coffer export -q Todo.sqlite a.coffer.tar.gz; $export a.coffer.tar.gz All 2> /dev/null; echo $?
      $export a.coffer.tar.gz All --series archived; ls All | wc -l; ls All | grep -c archived
      coffer backup -q Todo.sqlite --vault V; $export V#latest All; ls All | wc -l
      """)
    #expect(
      result.output == "2\n2\n15\n3\n1\n3\n", "\(result.output)\(result.errorOutput)")
  }

  @Test func aStoreWithoutAUUIDHasNoPartition() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      sqlite3 Todo.sqlite "UPDATE Z_METADATA SET Z_UUID = '../../out'"
      coffer tables export Todo.sqlite All --format csv --partition store-uuid; echo $?
      ls -d All
      """)
    #expect(result.output == "15\n")
    #expect(result.errorOutput.contains("no valid UUID"), "\(result.errorOutput)")
  }

  @Test func forceReplacesOnlyAnEarlierOutput() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(Self.arguments).status == 0)
    let refused = try sandbox.run(Self.arguments)
    #expect(refused.status == 14)
    #expect(refused.errorOutput.contains("or use --force to replace it"))
    #expect(try sandbox.run(Self.arguments + ["--force"]).status == 0)
    _ = try sandbox.directory.write([], to: "T/mine.csv")
    #expect(try sandbox.run(Self.arguments + ["--force"]).status == 15)
    #expect(sandbox.bytes("T/mine.csv") == Data())
  }
}
