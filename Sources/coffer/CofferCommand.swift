internal import ArgumentParser

/// The program: what was typed becomes a command, and its outcome an exit status.
///
/// This is the only place that ends the process.
@main struct CofferCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coffer",
    abstract: "Back up, restore and verify Core Data and SwiftData stores.",
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
      statuses: ExitStatus.allCases.map { ($0, nil) }),
    version: Version.text,
    subcommands: [
      Export.self, Import.self, Verify.self, Inspect.self, Diff.self, Model.self, Show.self,
      Create.self, Migrate.self, Find.self,
    ])

  static func main() async {
    StandardStream.occupyDescriptors()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let work = Task.detached { run(arguments) }
    let interruption = Interruption {
      // Asked twice, the program does not wait for what may never end.
      if work.isCancelled { ExitStatus.interrupted.endProcess() }
      work.cancel()
    }
    let status = await work.value
    interruption.end()
    status.endProcess()
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    do {
      var command = try parseAsRoot(LeadingOptions.moved(arguments))
      if let command = command as? any StoreCommand { return command.complete() }
      try command.run()
      return .done
    } catch {
      return answer(error, arguments)
    }
  }

  /// Shows help, the version, or what is wrong with the arguments.
  private static func answer(_ error: any Error, _ arguments: [String]) -> ExitStatus {
    guard exitCode(for: error) != .success else {
      return (try? StandardStream.output.write(text(of: error))) == nil ? .failed : .done
    }
    let unknown = UnknownCommand(
      LeadingOptions.moved(arguments),
      among: configuration.subcommands.map { $0._commandName })
    if wantsJSON(arguments) {
      let message = unknown?.message ?? message(for: plain(error, arguments))
      JSONLines.show(Failure(usage: message, hint: "See coffer --help."))
    } else if let unknown {
      let message = Terminal.printable(SecretText.redacted(unknown.message))
      let text = "Error: \(message)\nUsage: \(usageString())\n"
      try? StandardStream.error.write(Array("\(text)  See 'coffer --help'.\n".utf8))
    } else {
      try? StandardStream.error.write(text(of: error))
    }
    return .usage
  }

  /// Whether lines of JSON were asked for, as far as that can be told from what was not understood.
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

  /// What is wrong apart from an option that the parser could not yet understand where it stood.
  private static func plain(_ error: any Error, _ arguments: [String]) -> any Error {
    do {
      _ = try parseAsRoot(arguments.filter { $0 != "--json" })
      return error
    } catch {
      return error
    }
  }
}
