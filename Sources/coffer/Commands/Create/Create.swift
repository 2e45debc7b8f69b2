internal import ArgumentParser
internal import CofferKit

/// The command `coffer create MODEL STORE`.
struct Create: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a store for a model, empty or with invented objects.",
    usage: "coffer create <model> <store> [--objects <count>] [<options>]",
    discussion: HelpText.discussion(
      """
      Creates the store that Core Data would create for a model. With --objects, adds invented \
      objects for tests: every relationship has destinations, and values are often at the limits \
      of the model. The same model, count and seed give the same store. Version hashes come from \
      a folder of compiled versions (.momd), a store or an archive; sources have none.
      """,
      examples: [
        "coffer create Trips.sqlite Empty.sqlite",
        "coffer create Trips.sqlite Test.sqlite --objects 1000 --seed 7",
        "coffer create Trips.sqlite Similar.sqlite --objects like --like Trips.sqlite",
      ],
      statuses: [
        .unusableInput: "the model does not exist or is not a model",
        .busy: "another program has the store open", .damaged: nil, .newerFormat: nil,
        .outputExists: nil,
        .refused: "refused: the model leaves something undecided (use --like), or no key",
      ]))

  @Argument(
    help: .value(
      "model", "A model (.mom, .momd, .xcdatamodel, .xcdatamodeld), a store or an archive."),
    completion: .file())
  var model: String

  @Argument(help: .value("store", "The store to create."), completion: .file())
  var store: String

  @Option(
    help: .value(
      "count|like",
      "Add this many objects of each entity; 'like' adds as many as the store of --like has, with similar values."
    ))
  var objects: ObjectCount?

  @Option(help: .value("number", "With --objects: the seed for the values (default: 0)."))
  var seed: UInt64?

  @Option(help: .value("name", "The version of the model (default: the current one)."))
  var modelVersion: String?

  @Option(help: .value("number", "Write the store as this version of the framework does."))
  var framework: Int64?

  @Option(
    help: .value("store", "Take names that the model leaves undecided from this store or archive."),
    completion: .file())
  var like: String?

  @Flag(help: "Replace the store if it exists.")
  var force = false

  @OptionGroup var merging: MergedModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [store] }

  func validate() throws {
    if objects == .like, like == nil {
      throw ValidationError("'--objects like' requires '--like <store>'.")
    }
    try merging.refuse("--model-version", if: modelVersion != nil)
    if objects == nil, seed != nil { throw ValidationError("'--seed' requires '--objects'.") }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session)
    let hasVersionHashes =
      if let objects {
        try createObjects(objects, environment, session)
      } else {
        try createEmpty(environment, session)
      }
    if !hasVersionHashes { try MissingHashesNote.print(store, model, session) }
    return .done
  }

  /// Creates the store, and returns whether it has version hashes.
  private func createEmpty(_ environment: WorkEnvironment, _ session: Session) throws -> Bool {
    var options = CreationOptions(
      modelVersion: modelVersion, frameworkVersion: framework,
      example: try like.map { try session.backupPath(of: $0, environment) }, overwriting: force)
    options.otherModels = try merging.paths(session, environment)
    options.environment = environment
    let summary = try StoreCreator(options: options)
      .create(session.backupPath(of: model, environment), at: store)
    try session.show(CreateMessage(summary: summary, store: store))
    return summary.hasVersionHashes
  }

  /// Creates the store with objects, and returns whether it has version hashes.
  private func createObjects(
    _ objects: ObjectCount, _ environment: WorkEnvironment, _ session: Session
  ) throws -> Bool {
    var options = FixtureOptions(seed: seed ?? 0)
    let like = try like.map { try session.backupPath(of: $0, environment) }
    switch objects {
    case .count(let count): (options.objectCount, options.example) = (count, like)
    case .like: options.like = like
    }
    options.modelVersion = modelVersion
    options.otherModels = try merging.paths(session, environment)
    options.frameworkVersion = framework
    options.overwriting = force
    options.environment = environment
    let summary = try FixtureMaker(options: options, progress: session.progress)
      .make(session.backupPath(of: model, environment), at: store)
    try session.show(SheetImportMessage(summary: summary.content, store: store, seed: summary.seed))
    return summary.content.store.hasVersionHashes
  }
}

/// The number of invented objects.
enum ObjectCount: ExpressibleByArgument, Equatable, Sendable {
  /// This many of each entity.
  case count(Int)
  /// As many as another store has.
  case like

  /// The maximum number, because the relationships between the objects are in memory.
  private static let maximum = 100_000_000

  init?(argument: String) {
    if argument == "like" {
      self = .like
    } else if let count = Int(argument), (1...Self.maximum).contains(count) {
      self = .count(count)
    } else {
      return nil
    }
  }

  static let allValueStrings = ["like"]
  static let defaultCompletionKind = CompletionKind.list(["like"])
}

/// The result of creating a store.
private struct CreateMessage: Message {
  var summary: CreationSummary
  /// The path of the store, as given.
  var store: String

  func write(to printer: TextPrinter) throws {
    let parts = [
      QuantityText.count(summary.entityCount, "entity", "entities"),
      QuantityText.count(summary.tableCount, "table"),
      QuantityText.count(summary.indexCount, "index", "indexes"),
      QuantityText.count(summary.triggerCount, "trigger"),
    ]
    try printer.line("Created \(Terminal.printable(store)): \(parts.joined(separator: ", "))")
    try printer.line("  framework      \(summary.frameworkVersion) (\(summary.frameworkEra))")
    try printer.line("  store UUID     \(summary.storeUUID)")
    try printer.line("  version hashes \(summary.hasVersionHashes ? "yes" : "none")")
    for note in summary.notes { try printer.line("Note: \(Terminal.printable(note)).") }
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "store": store, "storeUUID": summary.storeUUID,
        "frameworkVersion": summary.frameworkVersion, "frameworkEra": summary.frameworkEra,
        "entities": summary.entityCount, "tables": summary.tableCount,
        "indexes": summary.indexCount, "triggers": summary.triggerCount,
        "versionHashes": summary.hasVersionHashes, "notes": summary.notes,
      ])
  }
}
