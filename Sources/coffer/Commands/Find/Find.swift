internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import Foundation

/// The command `coffer find PATH`.
struct Find: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
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
        .done: "success, whether or not there are stores",
        .unusableInput: "the path does not exist",
      ]))

  @Argument(help: .value("path", "The folder."), completion: .directory)
  var path: String

  @OptionGroup var output: OutputOptions

  var onlyAnswers: Bool { true }

  func perform(_ session: Session) throws -> ExitStatus {
    // Erase the progress before printing anything.
    let finder = StoreFinder(
      environment: .inPlace, progress: answerStream.isTerminal ? SilentProgress() : session.progress
    )
    let summary = try finder.find(in: path) { store in
      try session.printer.print(FoundStoreMessage(store: store))
    }
    session.eraseProgress()
    for path in summary.unreadablePaths {
      let reason = path.contains("\u{FFFD}") ? ": its name is not UTF-8" : ""
      try session.printer.warn("unreadable-path", "\(path) cannot be read\(reason)")
    }
    try session.printer.print(FindMessage(summary: summary))
    return .done
  }
}

struct FoundStoreMessage: Message {
  /// The maximum number of entity names in text.
  private static let shownEntities = 6

  var store: FoundStore

  func write(to printer: TextPrinter) throws {
    try printer.line(printer.style.bold(Terminal.printable(store.path)))
    if let place = store.devicePath {
      try printer.line("  on the device: \(Terminal.printable(place))")
    }
    if let problem = store.problem {
      try printer.line("  \(printer.style.yellow(Terminal.printable(problem)))")
    } else {
      let objects = QuantityText.count(store.objectCount, "object")
      let entities = QuantityText.count(store.entityNames.count, "entity", "entities")
      try printer.line("  \(objects) of \(entities): \(names)")
    }
    let date = store.modified?.formatted(.iso8601.year().month().day())
    let facts = [
      QuantityText.bytes(store.byteCount), store.frameworkEra, date.map { "written \($0)" },
    ]
    try printer.line("  \(Terminal.printable(facts.compactMap(\.self).joined(separator: ", ")))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.line([
      "type": "found", "path": store.path, "bytes": store.byteCount, "devicePath": store.devicePath,
      "modified": store.modified?.formatted(.iso8601), "uuid": store.storeUUID,
      "frameworkVersion": store.frameworkVersion, "frameworkEra": store.frameworkEra,
      "entities": store.entityNames.map(\.text), "objects": store.objectCount,
      "problem": store.problem,
    ])
  }

  /// The names of a few entities.
  private var names: String {
    Terminal.printable(store.entityNames.listed(max: Self.shownEntities))
  }
}

/// The result of a search.
struct FindMessage: Message {
  var summary: FindSummary

  func write(to printer: TextPrinter) throws {
    let stores = QuantityText.count(summary.storeCount, "store")
    try printer.line("\(stores) among \(QuantityText.count(summary.fileCount, "file"))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "stores": summary.storeCount, "files": summary.fileCount,
        "unreadablePaths": summary.unreadablePaths.count,
      ])
  }
}
