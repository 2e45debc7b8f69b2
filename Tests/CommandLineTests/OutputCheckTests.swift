internal import TestSupport
internal import Testing

/// No output of a command replaces a file that the command reads, whatever path leads to it.
@Suite struct OutputCheckTests {
  /// A store, another one, an archive, changes, a vault with two backups, and links to the first four.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let result = try sandbox.shell(
      """
      mkdir o && cp -R Todo.sqlite* .Todo_SUPPORT o && coffer export -q Todo.sqlite a.tar.gz
      printf secret > key
      coffer repair -q o/Todo.sqlite --set 'TagEntity.color=3' --where 'color >= 0' --apply
      coffer diff -q Todo.sqlite o/Todo.sqlite -o c.tar.gz
      coffer backup -q Todo.sqlite --vault V --series s && coffer backup -q o/Todo.sqlite --vault V --series s
      coffer tables export -q Todo.sqlite csv --format csv
      ln -s Todo.sqlite ln.sqlite; ln -s a.tar.gz ln.tar.gz; ln -s c.tar.gz lnc.tar.gz; ln c.tar.gz hard.tar.gz
      mkdir .k_SUPPORT k_ckAssets && cp a.tar.gz k.sqlite-wal && cp Todo.sqlite* .k_SUPPORT && cp -R V k_ckAssets
      """)
    _ = result
    return sandbox
  }

  private static let commands = [
    "export Todo.sqlite ln.tar.gz --model a.tar.gz", "export Todo.sqlite key --passphrase-file key",
    "export Todo.sqlite .Todo_SUPPORT/_EXTERNAL_DATA/FILE", "import a.tar.gz ln.tar.gz",
    "import a.tar.gz o/Todo.sqlite --model o/Todo.sqlite", "restore V V/SERIES/FULL",
    "restore V V/vault.json", "import V#latest V/SERIES/FULL",
    "diff V#latest Todo.sqlite -o V/SERIES/FULL",
    "anonymize Todo.sqlite ln.sqlite", "anonymize a.tar.gz ln.tar.gz",
    "compact Todo.sqlite -o ln.sqlite",
    "migrate Todo.sqlite ln.sqlite --model o/Todo.sqlite", "create ln.sqlite Todo.sqlite",
    "merge Todo.sqlite o/Todo.sqlite --match-by-object-id --prefer theirs -o ln.sqlite",
    "merge Todo.sqlite a.tar.gz --match-by-object-id -o ln.tar.gz",
    "dedupe Todo.sqlite --match TagEntity=name -o n.sqlite --undo n.sqlite",
    "apply o/Todo.sqlite c.tar.gz --reverse --undo lnc.tar.gz",
    "changes reverse c.tar.gz -o hard.tar.gz",
    "apply Todo.sqlite c.tar.gz -o n.sqlite --undo ./n.sqlite",
    "show a.tar.gz TagEntity/p1 --attribute name --output ln.tar.gz",
    "repair a.tar.gz --from ln.tar.gz -o ln.tar.gz", "rescue a.tar.gz -o ln.tar.gz",
    "rescue Todo.sqlite -o o/Todo.sqlite --model o/Todo.sqlite",
    "inspect Todo.sqlite --html ln.sqlite",
    "model Todo.sqlite --format mermaid --output ln.sqlite",
    "diff Todo.sqlite a.tar.gz --html=ln.tar.gz",
    "tables export Todo.sqlite ln.sqlite --format sqlite",
    // A store is replaced with the files and folders that have its name.
    "migrate .k_SUPPORT/Todo.sqlite k.sqlite --model Todo.sqlite",
    "compact .k_SUPPORT/Todo.sqlite -o k.sqlite", "import k.sqlite-wal k.sqlite",
    "restore k_ckAssets/V k.sqlite", "export Todo.sqlite Todo.sqlite-journal",
    "export o/Todo.sqlite o/Todo_ckAssets", "apply Todo.sqlite c.tar.gz --undo .Todo_SUPPORT/undo",
    "apply Todo.sqlite c.tar.gz -o n.sqlite --undo n.sqlite-wal",
  ]

  @Test func noOutputReplacesAnInput() throws {
    let sandbox = try sandbox()
    let sums = "cd . && find . -type f | LC_ALL=C sort | xargs cksum"
    let before = try sandbox.shell(sums).output
    for command in Self.commands {
      let result = try sandbox.shell(
        """
        full=$(basename "$(ls V/*/*-full*)"); series=$(basename "$(dirname "$(ls V/*/*-full*)")")
        file=$(ls .Todo_SUPPORT/_EXTERNAL_DATA | head -n 1)
        coffer \(command.replacing("SERIES", with: "$series").replacing("FULL", with: "$full").replacing("FILE", with: "$file")) --force
        """)
      #expect(result.status == 15, "\(command): \(result.status) \(result.errorOutput)")
      #expect(
        result.errorOutput.contains("Hint: Choose another name."),
        "\(command): \(result.errorOutput)")
    }
    #expect(try sandbox.shell(sums).output == before)
  }

  @Test func aTableIsNoNameForAStore() throws {
    let result = try sandbox().coffer(
      "tables", "import", "csv", "csv/TagEntity.csv", "--model", "Todo.sqlite", "--force")
    #expect(result.status == 64)
    #expect(result.errorOutput.contains("'csv/TagEntity.csv' is a folder or a table"))
  }

  /// A vault may stand in a folder with stores.
  @Test func aStoreInTheFolderOfAVaultIsReplaced() throws {
    let sandbox = try sandbox()
    let result = try sandbox.shell(
      "cp o/Todo.sqlite V/T.sqlite && coffer restore -q V V/T.sqlite --force")
    #expect(result.status == 0, "\(result.errorOutput)")
  }
}
