internal import ArgumentParser
internal import CofferKit

/// The command `coffer rescue STORE -o NEW`.
struct Rescue: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a working store of what can be read of a damaged one.",
    usage: "coffer rescue <store> --output <new> [<options>]",
    discussion: HelpText.discussion(
      """
      Salvages what is readable, writes it to a new store, repairs and verifies that, and lists what \
      was lost. Never touches the damaged store.
      """,
      examples: [
        "coffer rescue Trips.sqlite -o Rescued.sqlite",
        "coffer rescue Trips.sqlite -o Rescued.sqlite --force --recovered Found",
      ],
      statuses: [
        (.done, "success: nothing was lost, and no error is left"), (.failed, nil),
        (.findings, "the store is there, but something was lost, or an error is left"),
        (.unusableInput, "the store does not exist or is of another kind"),
        (.busy, "another program has a store open"),
        (.damaged, "not even the list of tables is readable"),
        (.outputExists, nil),
        (.refused, "refused: a different model, a schema that no store has (--trust-schema)"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The damaged store.", valueName: "store"))
  var store: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The store to create.", valueName: "new"))
  var target: String

  @Option(
    help: ArgumentHelp(
      "Write objects recovered from loose pages, some of them deleted, to this folder.",
      valueName: "folder"))
  var recovered: String?

  @Flag(help: "Replace the new store if it exists, with its companions and its support folder.")
  var force = false

  @Flag(help: "Run statements in the schema that no Core Data store contains.")
  var trustSchema = false

  @Flag(help: "Show every loss and every repair, not only examples.")
  var all = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    var options = RescueOptions()
    (options.overwriting, options.trustsSchema) = (force, trustSchema)
    options.recoveredFolder = recovered
    options.environment = try explaining.environment()
    try InputFile.refuse(replacing: store, with: target)
    let summary = try StoreRescuer(options: options, progress: session.progress)
      .rescue(store, to: target)
    session.eraseProgress()
    let message = RescueMessage(
      summary: summary, store: store, newStore: target, recovered: recovered, showsAll: all)
    try session.printer.print(message)
    try EmptyStoreNote.print(store, objectCount: summary.content.objectCount, session)
    return message.status
  }
}
