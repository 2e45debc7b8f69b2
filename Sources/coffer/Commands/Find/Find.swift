internal import ArgumentParser
internal import CofferKit

/// The command `coffer find PATH`.
struct Find: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the stores in a folder and its subfolders.",
    usage: "coffer find <path> [<options>]",
    discussion: HelpText.discussion(
      """
      Lists the Core Data and SwiftData stores in a folder and its subfolders, recognized by their \
      content: in the container of an app, a simulator, a container from Xcode (.xcappdata), or a \
      device backup.
      """,
      examples: ["coffer find .", "coffer find Trips.xcappdata --json"],
      statuses: [
        (.done, "success, whether or not there are stores"), (.failed, nil),
        (.unusableInput, "the path does not exist"), (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The folder.", valueName: "path"), completion: .directory)
  var path: String

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    // Erase the progress before printing anything.
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
