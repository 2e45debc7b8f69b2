internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The command `coffer migrate STORE|ARCHIVE NEWSTORE --model MODEL`.
struct Migrate: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate a store to another version of its model.",
    usage: """
      coffer migrate <file> <store> --model <model> [<options>]
      coffer migrate <file> --model <model> --dry-run [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Works like Core Data: carries out the mapping model for the two versions if there is one next to \
      the model, and infers the mapping from the two models otherwise. Refuses, before writing \
      anything, changes that are neither mapped nor inferable. Never changes the original file.
      """,
      examples: [
        "coffer migrate Trips.sqlite New.sqlite --model Tuesday.coffer.tar.gz",
        "coffer migrate Trips.coffer.tar.gz --model Tuesday.coffer.tar.gz --dry-run",
      ],
      statuses: [
        .coreDataOnly: nil,
        .unusableInput: "the file or model does not exist or is of the wrong kind",
        .busy: "another program has a store open", .damaged: nil, .newerFormat: nil,
        .outputExists: nil, .refused: "refused: the mapping cannot be inferred, or no key",
      ]))

  @Argument(help: .value("file", "The store or the archive."), completion: .file())
  var file: String

  @Argument(help: .value("store", "The store to create."), completion: .file())
  var store: String?

  @Option(
    help: .value(
      "model",
      "The new model: .momd, .mom, .xcdatamodeld, a store or an archive; several are merged."),
    completion: .file())
  var model: [String]

  @Option(help: .value("name", "The version of the new model."))
  var modelVersion: String?

  @Option(help: .value("version", "Migrate through this version; repeat in order."))
  var via: [String] = []

  @Option(
    help: .value("model", "The model of a store without its own copy: a version or a file."),
    completion: .file())
  var from: String?

  @Option(help: .value("file", "Carry out this mapping model."), completion: .file())
  var mapping: String?

  @Option(
    help: .value("folder", "Look for mapping models in this folder too; repeatable."),
    completion: .directory)
  var mappingFolder: [String] = []

  @Option(
    help: .value(
      "class", "Migrate without this class of the app, which a mapping model names; repeatable."))
  var policyDefault: [String] = []

  @Option(
    help: .value(
      "store",
      "Take version hashes and undecided names from this store, archive or folder of stores; repeatable."
    ), completion: .file())
  var like: [String] = []

  @Flag(help: "Keep old names that the model leaves undecided; check the new store with the app.")
  var keepNames = false

  @Option(
    name: .customLong("order-to"),
    help: .value(
      "entity.relationship=attribute",
      "Write the order of a relationship that becomes unordered to an attribute; repeatable."),
    transform: { try Migrate.order($0, .new) })
  var newPositions: [OrderAttribute] = []

  @Option(
    name: .customLong("order-from"),
    help: .value(
      "entity.relationship=attribute",
      "Order a relationship that becomes ordered by an attribute; repeatable."),
    transform: { try Migrate.order($0, .old) })
  var oldPositions: [OrderAttribute] = []

  @Flag(help: "Show what would be done and write nothing.")
  var dryRun = false

  @Flag(help: "Migrate even if most objects are left behind.")
  var allowLoss = false

  @Flag(help: "Replace the store if it exists, with its companions and its support folder.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [store] }

  private static func order(_ text: String, _ side: OrderAttribute.Side) throws -> OrderAttribute {
    let sides = text.split(separator: "=").map(String.init)
    let names = sides.first?.split(separator: ".").map(String.init) ?? []
    guard sides.count == 2, names.count == 2 else {
      throw ValidationError("'\(text)' is not of the form 'Entity.relationship=attribute'.")
    }
    return OrderAttribute(
      entityName: Name(names[0]), relationshipName: Name(names[1]),
      attributeName: Name(sides[1]), side: side)
  }

  func validate() throws {
    if dryRun, force {
      throw ValidationError("'--dry-run' and '--force' cannot be combined.")
    }
    if model.count > 1,
      let option = modelVersion.map({ _ in "--model-version" }) ?? via.first.map({ _ in "--via" })
    {
      throw ValidationError("'\(option)' needs a single '--model'.")
    }
    if !dryRun, store == nil {
      throw ValidationError("Missing expected argument '<store>'.")
    }
    if mapping != nil, !mappingFolder.isEmpty {
      throw ValidationError("'--mapping' and '--mapping-folder' cannot be combined.")
    }
  }

  private func migrator(_ models: [String], _ environment: WorkEnvironment, _ session: Session)
    throws -> StoreMigrator
  {
    var options = MigrationOptions(version: modelVersion, overwriting: force)
    options.otherModels = Array(models.dropFirst())
    options.modelName = StorePaths.name(of: model[0])
    options.intermediateVersions = via
    options.storeModel = from
    options.exampleStores = try session.backupPaths(of: like, environment)
    options.orderAttributes = newPositions + oldPositions
    options.keepsNames = keepNames
    options.mapping = mapping
    options.mappingFolders = mappingFolder
    options.defaultPolicies = policyDefault
    options.allowsLoss = allowLoss
    options.environment = environment
    return StoreMigrator(options: options, progress: session.progress)
  }

  /// Warns about data that is not migrated, and about missing version hashes.
  private func warn(_ notes: [MigrationNote], _ session: Session) throws {
    for note in notes where note.code.isWarning {
      try session.printer.warn(note.code.text, note.text)
    }
  }

  /// The path of the store or archive: of the SQLite store that is made of an XML store, of the archive of a backup.
  private func path(_ migrator: StoreMigrator, _ model: String, _ session: Session) throws -> String
  {
    var environment = migrator.options.environment
    guard XMLStoreReader.isXMLStore(file) else {
      return try session.backupPath(of: file, environment)
    }
    environment.model = try migrator.model(ofXMLStoreAt: file, to: model)
    return try session.storePath(of: file, environment)
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let environment = try reading.environment(session, reading: file)
    let models = try session.backupPaths(of: model, environment)
    let migrator = try migrator(models, environment, session)
    let source = try path(migrator, models[0], session)
    do {
      guard let store, !dryRun else {
        let plan = try migrator.plan(source, to: models[0])
        let status = try session.showResult(MigrationPlanMessage(plan: plan, file: file))
        try warn(plan.notes, session)
        return status
      }
      let summary = try migrator.migrate(source, to: models[0], at: store)
      try session.show(MigrateMessage(summary: summary, store: store))
      try warn(summary.notes, session)
      return .done
    } catch let error as CofferError where !error.problems.isEmpty {
      try session.show(ProblemsMessage(problems: error.problems))
      try session.printer.finish()
      throw error
    }
  }
}
