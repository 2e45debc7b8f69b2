internal import ArgumentParser
internal import CofferKit

/// The command `coffer find PATH`.
struct Find: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the stores below a folder.",
    usage: "coffer find <path> [<options>]",
    discussion: HelpText.discussion(
      """
      Looks at every file below a folder, such as an app's container, a simulator's or one from \
      Xcode (.xcappdata), and lists those that are Core Data or SwiftData stores, by their content.
      """,
      examples: ["coffer find .", "coffer find Trips.xcappdata --json"],
      statuses: [
        (.done, "done, whether there are any or not"), (.failed, nil),
        (.unusableInput, "there is nothing at the path"), (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The folder.", valueName: "path"))
  var path: String

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    // What is shown while the work goes on would be mixed up with the progress.
    let finder = StoreFinder(
      access: .inPlace, progress: answerStream.isTerminal ? SilentProgress() : session.progress)
    let summary = try finder.find(in: path) { store in
      try session.printer.print(FoundStoreMessage(store: store))
    }
    session.eraseProgress()
    for folder in summary.unreadableFolders {
      try session.printer.warn("unreadable-folder", "\(folder) cannot be listed")
    }
    try session.printer.print(FindMessage(summary: summary))
    return .done
  }
}
