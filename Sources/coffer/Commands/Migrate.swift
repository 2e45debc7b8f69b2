internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The command `coffer migrate STORE|ARCHIVE NEWSTORE --model MODEL`.
struct Migrate: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry a store to another version of its model.",
    usage: """
      coffer migrate <file> <store> --model <model> [<options>]
      coffer migrate <file> --model <model> --dry-run [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Does what Core Data's lightweight migration does: infers from the two models what becomes of \
      the objects, and writes a new store. What cannot be inferred is refused before anything is \
      written. The file itself is never changed.
      """,
      examples: [
        "coffer migrate Trips.sqlite New.sqlite --model Tuesday.coffer.tar.gz",
        "coffer migrate Trips.coffer.tar.gz --model Tuesday.coffer.tar.gz --dry-run",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.unusableInput, "the file or the model does not exist or is something else"),
        (.busy, "a store is open that would have to wait"), (.damaged, nil), (.newerFormat, nil),
        (.outputExists, nil), (.refused, "refused: it cannot be inferred, or no key"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store or the archive.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("The store to be written.", valueName: "store"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The new model: .momd, .mom, .xcdatamodeld, a store or an archive.", valueName: "model"))
  var model: String

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp("The version of the new model.", valueName: "name"))
  var modelVersion: String?

  @Option(
    help: ArgumentHelp(
      "A version to go through on the way; may be repeated, in order.", valueName: "version"))
  var via: [String] = []

  @Option(
    help: ArgumentHelp(
      "The model of a store without a copy of it: a version or a file.", valueName: "model"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "A store or an archive that shows what does not follow from the model.", valueName: "store"))
  var like: String?

  @Flag(help: "Show what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Replace the store if it exists, with its companions and its support folder.")
  var force = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if dryRun, force {
      throw ValidationError("--dry-run writes nothing that --force could replace.")
    }
    if !dryRun, store == nil {
      throw ValidationError("Missing expected argument '<store>'.")
    }
  }

  private func migrator(_ session: Session) throws -> StoreMigrator {
    var options = MigrationOptions(version: modelVersion, overwriting: force)
    options.intermediateVersions = via
    options.storeModel = from
    options.exampleStore = like
    options.access = .inPlace
    options.archiveAccess = try reading.access(session, reading: file)
    return StoreMigrator(options: options, progress: session.progress)
  }

  /// Warns of what is left behind, and of what makes the new store useless to the app.
  private func warn(_ notes: [MigrationNote], _ session: Session) throws {
    for note in notes where note.code.isWarning {
      try session.report.warned(note.code.text, note.text)
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let migrator = try migrator(session)
    do {
      guard let store, !dryRun else {
        let plan = try migrator.plan(file, to: model)
        session.eraseProgress()
        let status = plan.isPossible ? ExitStatus.done : .refused
        try session.report.planned(plan, of: file, status: status)
        try warn(plan.notes, session)
        return status
      }
      for input in [file, model, like].compactMap(\.self) {
        try InputFile.refuse(replacing: input, with: store)
      }
      let summary = try migrator.migrate(file, to: model, at: store)
      session.eraseProgress()
      try session.report.migrated(summary, to: store, status: .done)
      try warn(summary.notes, session)
      return .done
    } catch let error as CofferError where !error.problems.isEmpty {
      session.eraseProgress()
      try session.report.prevented(error.problems)
      try session.report.finish()
      throw error
    }
  }
}
