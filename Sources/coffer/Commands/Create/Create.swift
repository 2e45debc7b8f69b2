internal import ArgumentParser
internal import CofferKit

/// The command `coffer create MODEL STORE`.
struct Create: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create an empty store for a model.",
    usage: "coffer create <model> <store> [<options>]",
    discussion: HelpText.discussion(
      """
      Creates the store that Core Data would create for a model, without objects. Version hashes \
      come from a folder of compiled versions (.momd), a store or an archive; sources have none.
      """,
      examples: [
        "coffer create Trips.sqlite Empty.sqlite",
        "coffer create Trips.coffer.tar.gz Empty.sqlite --framework 1348 --force",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.unusableInput, "the model does not exist or is not a model"),
        (.busy, "another program has the store open"), (.damaged, nil), (.newerFormat, nil),
        (.outputExists, nil),
        (.refused, "refused: the model leaves something undecided (use --like), or no key"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(
    help: ArgumentHelp(
      "A model (.mom, .momd, .xcdatamodel, .xcdatamodeld), a store or an archive.",
      valueName: "model"), completion: .file())
  var model: String

  @Argument(help: ArgumentHelp("The store to create.", valueName: "store"), completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp("The version of the model (default: the current one).", valueName: "name"))
  var modelVersion: String?

  @Option(
    help: ArgumentHelp(
      "Write the store as this version of the framework does.", valueName: "number"))
  var framework: Int64?

  @Option(
    help: ArgumentHelp(
      "Take what the model leaves undecided from this store or archive.", valueName: "store"),
    completion: .file())
  var like: String?

  @Flag(help: "Replace the store if it exists.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    var options = CreationOptions(
      modelVersion: modelVersion, frameworkVersion: framework, example: like, overwriting: force)
    options.access = .inPlace
    options.archiveAccess = try reading.access(session)
    for input in [model, like].compactMap(\.self) {
      try InputFile.refuse(replacing: input, with: store)
    }
    let summary = try StoreCreator(options: options).create(model, at: store)
    session.eraseProgress()
    try session.printer.print(CreateMessage(summary: summary, store: store))
    if !summary.hasVersionHashes {
      try session.printer.warn(
        CreateMessage.noVersionHashes, CreateMessage.hashWarning(store, model))
    }
    return .done
  }
}
