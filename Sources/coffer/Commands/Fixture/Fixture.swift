internal import ArgumentParser
internal import CofferKit

/// The command `coffer fixture MODEL STORE`.
struct Fixture: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a store of invented objects for a model.",
    usage: "coffer fixture <model> <store> [<options>]",
    discussion: HelpText.discussion(
      """
      Makes a valid store to test with: every entity has objects, every relationship destinations, \
      and values are often at the edge of what the model allows. The same model, number and seed \
      make the same store.
      """,
      examples: [
        "coffer fixture Trips.sqlite Fixture.sqlite",
        "coffer fixture Trips.sqlite Fixture.sqlite --objects 1000 --seed 7 --force",
        "coffer fixture Trips.sqlite Alike.sqlite --like Trips.sqlite",
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
    help: ArgumentHelp("The number of objects of each entity (default: 100).", valueName: "number"))
  var objects: Int?

  @Option(help: ArgumentHelp("Seed for the generated values.", valueName: "number"))
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp(
      "Make as many objects as this store or archive has, with similar values, but none of its own.",
      valueName: "store"),
    completion: .file())
  var like: String?

  @Option(
    help: ArgumentHelp("The version of the model (default: the current one).", valueName: "name"))
  var modelVersion: String?

  @Flag(help: "Replace the store if it exists.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if objects != nil && like != nil {
      throw ValidationError(
        "With '--like', the other store has the numbers: leave out '--objects'.")
    }
    if let objects, objects < 1 || objects > Self.maxObjects {
      throw ValidationError("'--objects' is a number from 1 to \(Self.maxObjects).")
    }
  }

  /// What relates the objects is in memory.
  private static let maxObjects = 100_000_000

  func perform(_ session: Session) throws -> ExitStatus {
    var options = FixtureOptions(seed: seed, like: like)
    if let objects { options.objectCount = objects }
    options.modelVersion = modelVersion
    options.overwriting = force
    options.archiveAccess = try reading.access(session)
    for input in [model, like].compactMap(\.self) {
      try InputFile.refuse(replacing: input, with: store)
    }
    let maker = FixtureMaker(options: options, progress: session.progress)
    let summary = try maker.make(model, at: store)
    session.eraseProgress()
    try session.printer.print(
      TableImportMessage(summary: summary.content, store: store, seed: summary.seed))
    if !summary.content.store.hasVersionHashes {
      try session.printer.warn(
        CreateMessage.noVersionHashes, CreateMessage.hashWarning(store, model))
    }
    return .done
  }
}
