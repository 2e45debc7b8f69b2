internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer import ARCHIVE STORE`.
struct Import: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Restore a store from an archive.",
    usage: "coffer import <archive> <store> [<options>]",
    discussion: HelpText.discussion(
      """
      Restores a store, which appears only when it is complete and checked. An XML store becomes an \
      SQLite store; pass its model.
      """,
      examples: [
        "coffer import Trips.coffer.tar.gz Restored.sqlite",
        "coffer import Trips.coffer.tar.gz Some.sqlite --entity TagEntity",
      ],
      statuses: [
        .findings: "the data has errors (restored, unless --strict)",
        .unusableInput: "the archive does not exist or is not an archive",
        .busy: "another program has the store open",
        .damaged: "the archive is damaged (rescue restores its intact parts)", .newerFormat: nil,
        .outputExists: nil,
        .refused:
          "refused: option conflict, other model, shared support folder, or no key",
      ]))

  @Argument(
    help: .value("archive", "The archive, or an XML store; - is standard input."),
    completion: .file())
  var archive: String

  @Argument(help: .value("store", "The store to create."), completion: .file())
  var store: String

  @Flag(help: "Replace an existing store with its companion files and support folder.")
  var force = false

  @Flag(help: "Run all checks, and restore nothing if the data has errors.")
  var strict = false

  @OptionGroup var selecting: SelectionArguments

  @Option(
    name: .customLong("store-uuid"),
    help: .value("choice", "Keep the store's UUID, or create a new one."))
  var storeUUID = Choice(ImportOptions.StoreUUID.keep)

  @Option(help: .value("choice", "Keep or drop the persistent history."))
  var history = Choice(ImportOptions.Retention.keep)

  @Option(help: .value("choice", "Keep or drop the state of CloudKit mirroring."))
  var cloudkit = Choice(ImportOptions.Retention.keep)

  @Flag(help: "Run schema statements that no Core Data store contains.")
  var trustSchema = false

  @OptionGroup var requiring: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [store] }

  /// The options for restoring the store.
  private func options(_ session: Session) throws -> ImportOptions {
    var options = ImportOptions(
      overwriting: force, isStrict: strict, storeUUID: storeUUID.value,
      history: history.value, cloudKit: cloudkit.value)
    options.trustsSchema = trustSchema
    options.selection = selecting.selection
    options.environment = try reading.environment(session, reading: archive, model: requiring)
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    try refuseTables()
    return try session.printingEvidence {
      return try session.showResult(ImportMessage(summary: try restore(session), store: store))
    }
  }

  private func restore(_ session: Session) throws -> ImportSummary {
    let importer = StoreImporter(options: try options(session), progress: session.progress)
    guard archive != "-", XMLStoreReader.isXMLStore(archive) else {
      return try Self.restore(archive, to: store, importer, session)
    }
    return try restoreXMLStore(importer, session)
  }

  /// Restores an XML store by way of an archive of it, so that every option means the same as for archives.
  private func restoreXMLStore(
    _ importer: StoreImporter, _ session: Session
  ) throws -> ImportSummary {
    let environment = importer.options.environment
    let path = try session.storePath(of: archive, environment)
    let folder = try WorkFolder(for: .conversion, in: environment.temporaryFolder)
    let copy = try folder.makeFolder("archive") + "/store" + ArchiveCompression.gzip.fileNameEnding
    var options = ExportOptions()
    options.environment = environment
    _ = try StoreExporter(options: options, progress: session.progress)
      .export(storeAt: path, to: copy)
    return try importer.import(copy, to: store)
  }

  /// Restores a store from an archive, a backup or standard input.
  static func restore(
    _ archive: String, to store: String, _ importer: StoreImporter, _ session: Session
  ) throws -> ImportSummary {
    guard archive == "-" else {
      let archive = try session.path(of: archive, importer.options.environment)
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

extension Import {
  /// Refuses tables, with the command that reads them.
  private func refuseTables() throws {
    guard archive != "-",
      SheetImporter.isTable(archive) || !requiring.model.isEmpty && InputFile.isDatabase(archive)
    else { return }
    throw CofferError(
      .notAnArchive, path: archive,
      advice: "To make a store from tables: coffer tables import \(archive) \(store) --model MODEL")
  }
}
