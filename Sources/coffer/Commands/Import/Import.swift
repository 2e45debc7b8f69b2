internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The command `coffer import ARCHIVE|TABLES STORE`.
struct Import: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore a store from an archive, or from tables.",
    usage: """
      coffer import <archive> <store> [<options>]
      coffer import <tables> <store> --model <file> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Restores a store, which appears only when it is complete and checked. With tables (a folder or \
      file of CSV, NDJSON or SQLite), makes a store of the model.
      """,
      examples: [
        "coffer import Trips.coffer.tar.gz Restored.sqlite",
        "coffer import Trips.coffer.tar.gz Some.sqlite --entity TagEntity",
        "coffer import People New.sqlite --model Trips.sqlite",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (
          .findings, "the data has errors (restored, unless --strict), or some was lost (--salvage)"
        ),
        (.unusableInput, "no such archive, or something in the tables is wrong"),
        (.busy, "another program has the store open"),
        (.damaged, "the archive is damaged (--salvage restores what is intact)"),
        (.newerFormat, nil), (.outputExists, nil),
        (
          .refused,
          "refused: conflicting options, a different model, a shared support folder, no key"
        ),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(
    help: ArgumentHelp("The archive, or the tables; - is standard input.", valueName: "archive"),
    completion: .file())
  var archive: String

  @Argument(help: ArgumentHelp("The store to create.", valueName: "store"), completion: .file())
  var store: String

  @Flag(help: "Replace an existing store with its companion files and support folder.")
  var force = false

  @Flag(help: "Restore nothing if the data has errors.")
  var strict = false

  @Flag(help: "Restore everything intact from a damaged archive and list what is lost.")
  var salvage = false

  @OptionGroup var selecting: SelectionArguments

  @Option(
    name: .customLong("store-uuid"),
    help: ArgumentHelp("Keep the store's UUID, or create a new one.", valueName: "choice"))
  var storeUUID = Choice(ImportOptions.StoreUUID.keep)

  @Option(help: ArgumentHelp("Keep or drop the persistent history.", valueName: "choice"))
  var history = Choice(ImportOptions.Retention.keep)

  @Option(
    help: ArgumentHelp("Keep or drop the state of CloudKit mirroring.", valueName: "choice"))
  var cloudkit = Choice(ImportOptions.Retention.keep)

  @Flag(help: "Run schema statements that no Core Data store contains.")
  var trustSchema = false

  @OptionGroup var tables: SheetArguments

  @OptionGroup var requiring: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  /// The options for restoring the store.
  ///
  /// - Throws: the errors of `ArchiveOptions.environment(_:reading:model:)`.
  private func options(_ session: Session) throws -> ImportOptions {
    var options = ImportOptions(
      overwriting: force, isStrict: strict, storeUUID: storeUUID.value,
      history: history.value, cloudKit: cloudkit.value)
    options.trustsSchema = trustSchema
    options.salvages = salvage
    options.selection = selecting.selection
    options.environment = try reading.environment(session, reading: archive, model: requiring)
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    if isOfTables { return try importTables(session) }
    return try session.printingEvidence {
      let message = ImportMessage(summary: try restore(session), store: store)
      session.eraseProgress()
      try session.printer.print(message)
      return message.status
    }
  }

  private func restore(_ session: Session) throws -> ImportSummary {
    let importer = StoreImporter(options: try options(session), progress: session.progress)
    guard archive == "-" else {
      let archive = try session.sources.path(
        of: archive, importer.options.environment, progress: session.progress)
      try InputFile.refuse(replacing: archive, with: store)
      return try InputFile.explained(archive) { try importer.import(archive, to: store) }
    }
    if Terminal.isTerminal(0) {
      throw CofferError(
        .refused, path: "standard input", detail: "an archive cannot be read from a terminal",
        advice: "Pass the archive's path, or pipe it: cat ARCHIVE | coffer import - \(store)")
    }
    return try importer.import(fileDescriptor: 0, to: store)
  }
}

/// The import of tables.
extension Import {
  /// Whether the source is tables: a folder, a file that is named as one, a database where a model is
  /// given, or whatever there are options of tables for.
  var isOfTables: Bool {
    if tables.isUsed { return true }
    guard archive != "-" else { return false }
    return SheetImporter.isTable(archive)
      || !requiring.model.isEmpty && InputFile.isDatabase(archive)
  }

  /// Makes a store of tables, and prints what it is.
  func importTables(_ session: Session) throws -> ExitStatus {
    guard requiring.model.count == 1 else {
      throw CofferError(
        .refused, path: archive,
        detail: requiring.model.isEmpty
          ? "tables do not say what entities and attributes they are of"
          : "a store of tables is made of one model",
        advice: "Pass the model of the store: --model MODEL")
    }
    let model = requiring.model[0]
    try refuseOptionsOfArchives()
    var options = SheetImportOptions(model: model, modelVersion: requiring.modelVersion)
    options.overwriting = force
    options.environment = try reading.environment(session, reading: archive)
    options.tables = tables.options
    if archive != "-" { try InputFile.refuse(replacing: archive, with: store) }
    let importer = SheetImporter(options: options, progress: session.progress)
    let summary = try importer.import(archive, to: store)
    session.eraseProgress()
    try session.printer.print(SheetImportMessage(summary: summary, store: store))
    if !summary.store.hasVersionHashes {
      try session.printer.warn(
        CreateMessage.noVersionHashes,
        CreateMessage.hashWarning(store, model, remedy: "pass that store as --model"))
    }
    return .done
  }

  private func refuseOptionsOfArchives() throws {
    let given = [
      (strict, "--strict"), (salvage, "--salvage"), (trustSchema, "--trust-schema"),
      (selecting.selection != nil, "--entity"), (storeUUID.value != .keep, "--store-uuid"),
      (history.value != .keep, "--history"), (cloudkit.value != .keep, "--cloudkit"),
    ]
    if let option = given.first(where: \.0)?.1 {
      throw CofferError(
        .incompatibleChoices, path: archive, detail: "\(option) is for archives, not for tables")
    }
  }
}
