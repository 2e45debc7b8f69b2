internal import Foundation
internal import TestSupport
internal import Testing

/// The help texts, letter by letter: what a person reads first is changed on purpose or not at all.
@Suite struct HelpTests {
  @Test func theProgramExplainsItself() throws {
    let result = try Sandbox().coffer("--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.programText)
  }

  @Test func exportExplainsItself() throws {
    let result = try Sandbox().coffer("export", "--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.exportText)
  }

  @Test func importExplainsItself() throws {
    let result = try Sandbox().coffer("import", "--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.importText)
  }

  @Test func verifyExplainsItself() throws {
    let result = try Sandbox().coffer("verify", "--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.verifyText)
  }

  @Test func inspectExplainsItself() throws {
    let result = try Sandbox().coffer("inspect", "--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.inspectText)
  }

  @Test func diffExplainsItself() throws {
    let result = try Sandbox().coffer("diff", "--help")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    #expect(result.output == Self.diffText)
  }

  @Test(arguments: [[], ["help"], ["-h"]])
  func helpIsEasyToFind(_ arguments: [String]) throws {
    let result = try Sandbox().shell("coffer \(arguments.joined(separator: " "))")
    #expect(result.status == 0)
    #expect(result.output == Self.programText)
  }

  @Test(arguments: ["export", "import", "verify", "inspect", "diff"])
  func helpOfACommandHasTwoNames(_ command: String) throws {
    let sandbox = try Sandbox()
    let long = try sandbox.coffer(command, "--help").output
    #expect(try sandbox.coffer("help", command).output.hasPrefix("OVERVIEW: "))
    #expect(try sandbox.coffer(command, "-h").output == long)
  }

  @Test func theVersionIsANumber() throws {
    let result = try Sandbox().coffer("--version")
    #expect(result.status == 0)
    #expect(try /[0-9]+\.[0-9]+\.[0-9]+\n/.wholeMatch(in: result.output) != nil)
  }

  @Test(arguments: [programText, exportText, importText, verifyText, inspectText, diffText])
  func examplesWorkAsTheyStand(_ text: String) throws {
    let sandbox = try Sandbox()
    let prepared = try sandbox.shell(
      """
      for name in Trips Monday Tuesday; do
        coffer export -q Todo.sqlite $name.coffer.tar.gz || exit
      done
      coffer import -q Trips.coffer.tar.gz Trips.sqlite
      """)
    #expect(prepared.status == 0)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  coffer ") }
    #expect((2...3).contains(lines.count))
    for line in lines {
      // Only the file to be backed up to is there already.
      if line.hasSuffix("export Trips.sqlite Trips.coffer.tar.gz") {
        try FileManager.default.removeItem(atPath: sandbox.file("Trips.coffer.tar.gz"))
      }
      let result = try sandbox.shell(String(line))
      #expect(result.status == 0, "\(line): \(result.errorOutput)")
    }
  }

  private static let programText = """
    OVERVIEW: Back up, restore and verify Core Data and SwiftData stores.

    Turns stores into archives of compressed JSON and back, and changes no store
    that it reads. Every command also takes --json, --quiet, --progress and
    --color; what a file is, is found by its content.

    EXAMPLES:
      coffer export Trips.sqlite Trips.coffer.tar.gz
      coffer import Trips.coffer.tar.gz Restored.sqlite

    EXIT STATUS:
      0    done
      1    failed for a reason without a number of its own
      3    done, and the answer is bad
      10   the input does not exist or is not what it should be
      11   the store is busy or locked
      12   the input is too damaged to read on
      13   the archive's format is newer than this program
      14   the output exists (--force replaces it)
      15   refused before anything was written
      64   wrong usage
      130  interrupted

    USAGE: coffer <subcommand>

    OPTIONS:
      --version               Show the version.
      -h, --help              Show help information.

    SUBCOMMANDS:
      export                  Back a store up to an archive.
      import                  Restore a store from an archive.
      verify                  Check the integrity of a store or an archive.
      inspect                 Show what a store or an archive holds.
      diff                    Compare two stores or archives, object by object.

      See 'coffer help <subcommand>' for detailed help.

    """

  private static let exportText = """
    OVERVIEW: Back a store up to an archive.

    Reads the store without changing anything, in use or not, and writes an
    archive.

    EXAMPLES:
      coffer export Trips.sqlite Trips.coffer.tar.gz
      coffer export Trips.sqlite - | coffer import - Copy.sqlite
      coffer export Trips.sqlite Rescued.coffer.tar.gz --salvage

    EXIT STATUS:
      0    done
      1    failed for a reason without a number of its own
      3    done, but something is missing, or was lost with --salvage
      10   the store does not exist or is not a Core Data store
      11   the store is busy or locked
      12   the store is too damaged to read on
      14   the output exists (--force replaces it)
      15   refused before anything was written
      64   wrong usage
      130  interrupted

    USAGE: coffer export <store> <archive> [<options>]

    ARGUMENTS:
      <store>                 The store.
      <archive>               The archive; - is standard output.

    OPTIONS:
      --level <level>         How hard to compress, 0...12 (default: 6).
      --fast                  Compress fast: the same as --level 1.
      --small                 Compress as much as possible: the same as --level 12.
      --threads <count>       How many threads compress (default: one per
                              processor).
      --force                 Replace the archive if it exists.
      --salvage               Export what can be read of a damaged store, and tell
                              what was lost.
      --encrypt-to <age1…>    Encrypt for this recipient of age; may be repeated.
      --passphrase-file <file>
                              Encrypt with the passphrase in this file.
      --json                  Write the answer as JSON, one value per line.
      -q, --quiet             Write nothing but what is wrong.
      --progress <when>       Show progress on standard error. (values: auto,
                              always, never; default: auto)
      --color <when>          Use colours; NO_COLOR is respected. (values: auto,
                              always, never; default: auto)
      --version               Show the version.
      -h, --help              Show help information.

    """

  private static let importText = """
    OVERVIEW: Restore a store from an archive.

    Reads and checks the archive, and writes a store that appears when it is
    complete.

    EXAMPLES:
      coffer import Trips.coffer.tar.gz Restored.sqlite
      coffer import - Restored.sqlite --force < Trips.coffer.tar.gz
      coffer import Trips.coffer.tar.gz Restored.sqlite --salvage --force

    EXIT STATUS:
      0    done
      1    failed for a reason without a number of its own
      3    something is wrong or lost: restored as it is, or not with --strict
      10   the archive does not exist or is not an archive
      11   the store that would be replaced is open
      12   the archive is damaged (--salvage restores what is whole)
      13   the archive's format is newer than this program
      14   the output exists (--force replaces it)
      15   refused: choices that conflict, a support folder in use, no key
      64   wrong usage
      130  interrupted

    USAGE: coffer import <archive> <store> [<options>]

    ARGUMENTS:
      <archive>               The archive; - is standard input.
      <store>                 The store to be written.

    OPTIONS:
      --force                 Replace the store if it exists, with its companions
                              and its support folder.
      --strict                Restore nothing if something in the data is wrong.
      --salvage               Restore what is whole of a damaged archive, and say
                              what is lost.
      --store-uuid <choice>   What becomes of the store's UUID. (values: keep, new;
                              default: keep)
      --history <choice>      What becomes of the persistent history. (values:
                              keep, drop; default: keep)
      --cloudkit <choice>     What becomes of the state of CloudKit mirroring.
                              (values: keep, drop; default: keep)
      --trust-schema          Run statements of the schema that no store of Core
                              Data consists of.
      --limit <name=value>    Raise a limit on what an archive may hold; may be
                              repeated.
      --identity <file>       Open an encrypted archive with the keys in this file;
                              may be repeated.
      --passphrase-file <file>
                              Open an encrypted archive with the passphrase in this
                              file.
      --json                  Write the answer as JSON, one value per line.
      -q, --quiet             Write nothing but what is wrong.
      --progress <when>       Show progress on standard error. (values: auto,
                              always, never; default: auto)
      --color <when>          Use colours; NO_COLOR is respected. (values: auto,
                              always, never; default: auto)
      --version               Show the version.
      -h, --help              Show help information.

    """

  private static let verifyText = """
    OVERVIEW: Check the integrity of a store or an archive.

    Looks at everything that must be true of a Core Data store, in a store or
    straight in an archive, and tells what is not: where, what it means, what to
    do. Changes nothing.

    EXAMPLES:
      coffer verify Trips.sqlite
      coffer verify Tuesday.coffer.tar.gz --against Monday.coffer.tar.gz
      coffer verify --explain dangling-relationship

    EXIT STATUS:
      0    no finding of the severity of --fail-on or above
      1    failed for a reason without a number of its own
      3    findings of the severity of --fail-on or above
      10   the file does not exist or is neither a store nor an archive
      11   the store is busy or locked
      12   the input is too damaged to read on
      13   the archive's format is newer than this program
      15   refused: an archive from a terminal, --against with a pipe, no key
      64   wrong usage
      130  interrupted

    USAGE: coffer verify <file> [<options>]
           coffer verify --explain <code>
           coffer verify --list

    ARGUMENTS:
      <file>                  The store or the archive; - is an archive on standard
                              input.

    OPTIONS:
      --check <name>          Run this check only; may be repeated.
      --skip <code>           Do not report this code; may be repeated.
      --fail-on <severity>    From which severity on to end with 3. (values:
                              warning, error; default: error)
      --against <file>        Compare with an older state, a store or an archive.
      --model <file>          The model to compare with: .mom, .momd,
                              .xcdatamodeld, a store or an archive.
      --deep                  Check every index of a store too; takes much longer.
      --all                   Show every finding as it comes, not only examples.
      --format <format>       How to write the answer (default: text). (values:
                              text, json, junit, sarif)
      --temporary-folder <path>
                              Where temporary data go that memory has no room for.
      --explain <code>        Explain a code, without a file.
      --list                  List all checks and codes, without a file.
      --limit <name=value>    Raise a limit on what an archive may hold; may be
                              repeated.
      --identity <file>       Open an encrypted archive with the keys in this file;
                              may be repeated.
      --passphrase-file <file>
                              Open an encrypted archive with the passphrase in this
                              file.
      --json                  Write the answer as JSON, one value per line.
      -q, --quiet             Write nothing but what is wrong.
      --progress <when>       Show progress on standard error. (values: auto,
                              always, never; default: auto)
      --color <when>          Use colours; NO_COLOR is respected. (values: auto,
                              always, never; default: auto)
      --version               Show the version.
      -h, --help              Show help information.

    """

  private static let inspectText = """
    OVERVIEW: Show what a store or an archive holds.

    Counts the objects of each entity and shows the model, the metadata, the
    persistent history and the external data of a store or an archive, without
    reading its objects.

    EXAMPLES:
      coffer inspect Trips.sqlite
      coffer inspect Trips.coffer.tar.gz --json

    EXIT STATUS:
      0    done
      1    failed for a reason without a number of its own
      10   the file does not exist or is neither a store nor an archive
      11   the store is busy or locked
      12   the input is too damaged to read on
      13   the archive's format is newer than this program
      15   the archive is encrypted, and nothing that was given opens it
      64   wrong usage
      130  interrupted

    USAGE: coffer inspect <file> [<options>]

    ARGUMENTS:
      <file>                  The store or the archive.

    OPTIONS:
      --values                Show the values of the metadata too; apps may keep
                              secrets there.
      --limit <name=value>    Raise a limit on what an archive may hold; may be
                              repeated.
      --identity <file>       Open an encrypted archive with the keys in this file;
                              may be repeated.
      --passphrase-file <file>
                              Open an encrypted archive with the passphrase in this
                              file.
      --json                  Write the answer as JSON, one value per line.
      -q, --quiet             Write nothing but what is wrong.
      --progress <when>       Show progress on standard error. (values: auto,
                              always, never; default: auto)
      --color <when>          Use colours; NO_COLOR is respected. (values: auto,
                              always, never; default: auto)
      --version               Show the version.
      -h, --help              Show help information.

    """

  private static let diffText = """
    OVERVIEW: Compare two stores or archives, object by object.

    Counts the objects that were added, removed and changed from the first file to
    the second, each a store or an archive, and shows examples. Objects are matched
    by their primary keys.

    EXAMPLES:
      coffer diff Trips.sqlite Trips.coffer.tar.gz
      coffer diff Monday.coffer.tar.gz Tuesday.coffer.tar.gz --all --values

    EXIT STATUS:
      0    nothing differs
      1    failed for a reason without a number of its own
      3    something differs
      10   a file does not exist or is neither a store nor an archive
      11   the store is busy or locked
      12   the input is too damaged to read on
      13   the archive's format is newer than this program
      15   an archive is encrypted, and nothing that was given opens it
      64   wrong usage
      130  interrupted

    USAGE: coffer diff <first> <second> [<options>]

    ARGUMENTS:
      <first>                 The store or archive to start from.
      <second>                The store or archive to compare with it.

    OPTIONS:
      --all                   Show every difference, not only examples; the counts
                              come last.
      --values                Show the values that differ too.
      --limit <name=value>    Raise a limit on what an archive may hold; may be
                              repeated.
      --identity <file>       Open an encrypted archive with the keys in this file;
                              may be repeated.
      --passphrase-file <file>
                              Open an encrypted archive with the passphrase in this
                              file.
      --json                  Write the answer as JSON, one value per line.
      -q, --quiet             Write nothing but what is wrong.
      --progress <when>       Show progress on standard error. (values: auto,
                              always, never; default: auto)
      --color <when>          Use colours; NO_COLOR is respected. (values: auto,
                              always, never; default: auto)
      --version               Show the version.
      -h, --help              Show help information.

    """
}
