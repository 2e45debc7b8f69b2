internal import ArgumentParser
internal import CoreDataModel
internal import CoreDataStore
internal import POSIX

/// The program: parses arguments to a command and turns its outcome into an exit status.
///
/// This is the only place that ends the process.
@main struct CofferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coffer",
    abstract: "Back up, restore and verify Core Data and SwiftData stores.",
    usage: "coffer <subcommand>",
    discussion: HelpText.discussion(
      """
      Backs up stores to archives of compressed JSON and restores them. Never changes a store that \
      it reads. Recognizes stores, archives and models by their content, not their names. Every \
      command also accepts --json, --quiet, --progress and --color.
      """,
      examples: [
        "coffer export Trips.sqlite Trips.coffer.tar.gz",
        "coffer import Trips.coffer.tar.gz Restored.sqlite",
      ],
      statuses: Dictionary(uniqueKeysWithValues: ExitStatus.allCases.map { ($0, nil) })),
    groupedSubcommands: [
      CommandGroup(
        name: "Back up and restore",
        subcommands: [Export.self, Import.self, Verify.self, Inspect.self, Diff.self]),
      CommandGroup(
        name: "Keep backups over time",
        subcommands: [BackupCommand.self, Restore.self, VaultCommand.self]),
      CommandGroup(
        name: "Look inside",
        subcommands: [
          Show.self, SQLCommand.self, History.self, Watch.self, Model.self, Find.self,
          MCPCommand.self,
        ]),
      CommandGroup(
        name: "Change a store",
        subcommands: [
          Migrate.self, Merge.self, Dedupe.self, RepairCommand.self, Rescue.self,
          CompactCommand.self, Apply.self, Changes.self,
        ]),
      CommandGroup(
        name: "Make a store", subcommands: [Create.self, Anonymize.self, TablesCommand.self]),
    ])

  // Handled before parsing; declared here for the help.
  @Flag(help: "Show the version.")
  var version = false

  static func main() {
    StandardStream.occupyDescriptors()
    if let places = LeftoverPlaces.places(in: CommandLine.arguments) {
      StorePlacement.removeLeftovers(in: places)
      ExitStatus.failed.endProcess()
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    do throws(CofferError) {
      try MachineLimits.requireThreads()
    } catch {
      let failure = Failure(error, isInterrupted: false)
      let text = "Error: \(failure.message)\n\(failure.hint.map { "Hint: \($0)\n" } ?? "")"
      try? StandardStream.error.write(Array(text.utf8))
      failure.status.endProcess()
    }
    let interruption = Interruption()
    let work = Task.detached { run(arguments).endProcess() }
    interruption.wait { work.cancel() }
    // Do not wait for work that may never end.
    ExitStatus.interrupted.endProcess()
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do {
      if let text = misencoded(arguments) {
        throw ValidationError(
          "'\(text)' is not UTF-8. If it is the name of a file, rename the file.")
      }
      if LeadingOptions.rest(of: arguments).first == "--version" {
        return answer("\(Version.text)\n".utf8)
      }
      // The parser would accept it anywhere: a script that means the version of a model would get
      // the program's version, and success.
      if arguments.prefix(while: { $0 != "--" }).contains("--version") {
        throw ValidationError(
          "Unknown option '--version'. 'coffer --version' shows the version of the program; "
            + "'--model-version' selects one of a model.")
      }
      let moved = LeadingOptions.moved(arguments)
      var command = try parseAsRoot(moved)
      if let repeated = RepeatedOption(in: moved.dropFirst(), of: type(of: command)) {
        throw ValidationError(repeated.message)
      }
      if let command = command as? any StoreCommand { return command.complete(moved) }
      try command.run()
      return .done
    } catch {
      return answer(error, arguments)
    }
  }

  /// The first argument whose bytes are not UTF-8, which names no file in the form that Swift gives it; nil if
  /// there is none.
  private static func misencoded(_ arguments: [String]) -> String? {
    for (number, text) in arguments.enumerated() where text.contains("\u{FFFD}") {
      guard let bytes = unsafe CommandLine.unsafeArgv[number + 1] else { continue }
      if unsafe String(validatingCString: bytes) == nil { return text }
    }
    return nil
  }

  /// Prints help, the version, or a usage error.
  private static func answer(_ error: any Error, _ arguments: [String]) -> ExitStatus {
    let unknown = UnknownCommand(LeadingOptions.moved(arguments))
    // The parser shows the help of the program for a command that it does not know.
    guard unknown != nil || exitCode(for: error) != .success else {
      return answer(text(of: error))
    }
    if wantsJSON(arguments) {
      let message = unknown?.message ?? message(for: plain(error, arguments))
      JSONPrinter.fail(Failure(usage: message, hint: "See coffer --help."))
    } else if let unknown {
      let message = Terminal.printable(SecretText.redacted(unknown.message))
      let text = "Error: \(message)\nUsage: \(usageString())\n"
      try? StandardStream.error.write(Array("\(text)  See 'coffer --help'.\n".utf8))
    } else {
      try? StandardStream.error.write(text(of: error))
    }
    return .usage
  }

  /// Prints a text; the reader may stop reading early.
  private static func answer(_ text: some Sequence<UInt8>) -> ExitStatus {
    do throws(CofferError) {
      try StandardStream.output.write(Array(text))
      return .done
    } catch {
      return error.code == .outputClosed ? .done : .failed
    }
  }

  /// Whether JSON was requested, as far as invalid arguments show.
  private static func wantsJSON(_ arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != "--" }
    return options.contains("--json") || options.contains("--format=json")
      || zip(options, options.dropFirst()).contains { $0 == ("--format", "json") }
  }

  private static func text(of error: any Error) -> [UInt8] {
    var text = SecretText.redacted(fullMessage(for: error))
    while text.hasSuffix("\n") { text.removeLast() }
    return Array("\(text)\n".utf8)
  }

  /// The usage error, ignoring an option that precedes the command.
  private static func plain(_ error: any Error, _ arguments: [String]) -> any Error {
    do {
      _ = try parseAsRoot(arguments.filter { $0 != "--json" })
      return error
    } catch {
      return error
    }
  }
}

/// Turns termination signals into a call, and a closed pipe or a file that grows too large into
/// errors.
///
/// The main thread waits for the signals, so that they end the work even if the process has no file
/// descriptors and no memory left.
struct Interruption {
  /// The time that work may take to end after the first signal, in seconds; then the process ends as if
  /// killed.
  static let patience: UInt32 = 20

  private let signals: HeldSignals

  /// Blocks the signals for all threads that start later.
  init() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // A program started by nohup should outlive its terminal.
    signals = HeldSignals(
      [SIGINT, SIGTERM, SIGALRM] + (HeldSignals.isIgnored(SIGHUP) ? [] : [SIGHUP]))
  }

  /// Waits for signals on this thread, until the second one, or ``patience`` after the first.
  func wait(cancel: () -> Void) {
    _ = signals.next()
    alarm(Self.patience)
    cancel()
    _ = signals.next()
  }
}
