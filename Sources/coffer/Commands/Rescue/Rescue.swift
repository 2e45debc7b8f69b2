internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The command `coffer rescue FILE -o NEW`.
struct Rescue: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescue",
    abstract: "Recover the readable parts of a damaged store or archive.",
    usage: "coffer rescue <file> --output <new> [<options>]",
    discussion: HelpText.discussion(
      """
      Makes a new store from the readable parts of a damaged store, then repairs and verifies it; or an \
      archive, if the name of the new file ends with .tar.gz or .tar.zst. Restores a new store from \
      the intact parts of a damaged archive. Lists what was lost. Never touches the damaged file.
      """,
      examples: [
        "coffer rescue Trips.sqlite -o Rescued.sqlite",
        "coffer rescue Trips.sqlite -o Rescued.coffer.tar.gz",
        "coffer rescue Trips.coffer.tar.gz -o Rescued.sqlite --force",
      ],
      statuses: [
        .done: "success: nothing was lost, and no error remains",
        .findings: "the new file was written, but data was lost or an error remains",
        .unusableInput: "the file does not exist or is of another kind",
        .busy: "another program has a store open",
        .damaged: "nothing can be recovered: not even the list of tables is readable",
        .newerFormat: nil, .outputExists: nil,
        .refused: "refused: other model; unusual schema (--trust-schema); no key",
      ]))

  @Argument(
    help: .value("file", "The damaged store or archive; - is an archive on standard input."),
    completion: .file())
  var file: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .value("new", "The store or the archive to create."), completion: .file())
  var target: String

  @Option(
    help: .value(
      "folder", "Write objects recovered from loose pages, some of them deleted, to this folder."),
    completion: .directory)
  var recovered: String?

  @Flag(
    help: "Replace the new file if it exists; a store with its companion files and support folder.")
  var force = false

  @Flag(help: "Run statements in the schema that no Core Data store contains.")
  var trustSchema = false

  @Flag(help: "Show every loss and every repair, not only examples.")
  var all = false

  @Option(
    name: .customLong("encrypt-to"),
    help: .value("age1…", "Encrypt a new archive for this age recipient; repeatable."))
  var recipients: [String] = []

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [target, recovered] }

  private var makesArchive: Bool { ArchiveCompression(fileName: target) != nil }

  func validate() throws {
    try EncryptionOptions.validate(recipients)
    if makesArchive, recovered != nil {
      throw ValidationError("'--recovered' is for a new store, not for an archive.")
    }
    if !makesArchive, !recipients.isEmpty {
      throw ValidationError("'--encrypt-to' is for a new archive, such as NAME.coffer.tar.gz.age.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    let environment = try reading.environment(session, reading: file, model: explaining)
    let source = try session.path(of: file, environment)
    if file == "-" || (try? SourceKind(ofFileAt: source)) == .archive {
      return try rescueArchive(environment, session)
    }
    return makesArchive
      ? try exportReadable(source, environment, session)
      : try rescueStore(source, environment, session)
  }

  private func rescueStore(
    _ store: String, _ environment: WorkEnvironment, _ session: Session
  ) throws -> ExitStatus {
    var options = RescueOptions()
    (options.overwriting, options.trustsSchema) = (force, trustSchema)
    options.recoveredFolder = recovered
    options.environment = environment
    let summary = try StoreRescuer(options: options, progress: session.progress)
      .rescue(store, to: target)
    let status = try session.showResult(
      RescueMessage(
        summary: summary, store: file, newStore: target, recovered: recovered, showsAll: all))
    try EmptyStoreNote.print(file, objectCount: summary.content.objectCount, session)
    return status
  }

  private func exportReadable(
    _ store: String, _ environment: WorkEnvironment, _ session: Session
  ) throws -> ExitStatus {
    guard reading.passphraseFile == nil else {
      throw CofferError(
        .incompatibleChoices, path: file,
        detail: "--passphrase-file opens an archive, and this is a store",
        advice: "To encrypt the new archive, use --encrypt-to.")
    }
    var options = ExportOptions(
      compression: ArchiveCompression(fileName: target) ?? .gzip, salvages: true,
      encryption: recipients.isEmpty ? nil : try ArchiveEncryption(recipients: recipients))
    options.environment = environment
    let source = try InputFile.openStore(store, salvaging: true)
    let summary = try StoreExporter(options: options, progress: session.progress)
      .export(source, to: .file(target, overwriting: force))
    let status = try session.showResult(
      ExportMessage(summary: summary, archive: target, threshold: .error, verb: "Rescued"))
    try EmptyStoreNote.print(file, objectCount: summary.objectCount, session)
    return status
  }

  private func rescueArchive(
    _ environment: WorkEnvironment, _ session: Session
  ) throws -> ExitStatus {
    if makesArchive || recovered != nil {
      throw CofferError(
        .incompatibleChoices, path: file,
        detail: makesArchive
          ? "it is an archive, whose intact parts are restored to a store"
          : "--recovered is for stores, and this is an archive",
        advice: "To restore its intact parts: coffer rescue \(file) --output NAME.sqlite")
    }
    var options = ImportOptions(overwriting: force)
    (options.salvages, options.trustsSchema) = (true, trustSchema)
    options.environment = environment
    let importer = StoreImporter(options: options, progress: session.progress)
    return try session.printingEvidence {
      let summary = try Import.restore(file, to: target, importer, session)
      return try session.showResult(
        ImportMessage(summary: summary, store: target, verb: "Rescued"))
    }
  }
}
