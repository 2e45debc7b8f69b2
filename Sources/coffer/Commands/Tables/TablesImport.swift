internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer tables import TABLES STORE --model MODEL`.
struct TablesImport: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a store from CSV, NDJSON or an SQLite database.",
    usage: "coffer tables import <tables> <store> --model <file> [<options>]",
    discussion: HelpText.discussion(
      """
      Creates a store for the model, and fills it from tables: a folder or file of CSV or NDJSON, or \
      an SQLite database. The store appears only when it is complete and checked.
      """,
      examples: [
        "coffer tables import People New.sqlite --model Trips.sqlite",
        "coffer tables import People New.sqlite --model Trips.sqlite --force",
      ],
      statuses: [
        .unusableInput: "no such tables, or something in them is wrong",
        .busy: "another program has the store open", .damaged: nil, .newerFormat: nil,
        .outputExists: nil, .refused: "refused: no model, or no key",
      ]))

  @Argument(help: .value("tables", "The tables; - is standard input."), completion: .file())
  var tables: String

  @Argument(help: .value("store", "The store to create."), completion: .file())
  var store: String

  @OptionGroup var requiring: ModelOptions

  @OptionGroup var arranging: SheetArguments

  @Flag(help: "Replace an existing store with its companion files and support folder.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [store] }

  func validate() throws {
    if SheetImporter.isTable(store) {
      throw ValidationError("'\(store)' is a folder or a table, not the name of a store.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    let environment = try reading.environment(session)
    let models = try session.backupPaths(of: requiring.model, environment)
    guard let model = models.first else {
      throw CofferError(
        .refused, path: tables,
        detail: "tables do not describe their entities and attributes",
        advice: "Pass the model of the store: --model MODEL")
    }
    var options = SheetImportOptions(model: model, modelVersion: requiring.modelVersion)
    options.otherModels = Array(models.dropFirst())
    options.overwriting = force
    options.environment = environment
    options.tables = arranging.options
    let importer = SheetImporter(options: options, progress: session.progress)
    let summary = try importer.import(tables, to: store)
    try session.show(SheetImportMessage(summary: summary, store: store))
    if !summary.store.hasVersionHashes {
      try MissingHashesNote.print(
        store, requiring.model[0], remedy: "pass that store as --model", session)
    }
    return .done
  }
}
