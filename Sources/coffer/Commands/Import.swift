internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// What becomes of a part of the store.
enum RetentionChoice: String, ExpressibleByArgument, CaseIterable {
  case keep, drop

  /// The choice as the library knows it.
  var option: ImportOptions.Retention { self == .keep ? .keep : .drop }
}

/// What becomes of the store's UUID.
enum StoreUUIDChoice: String, ExpressibleByArgument, CaseIterable {
  case keep, new

  /// The choice as the library knows it.
  var option: ImportOptions.StoreUUID { self == .keep ? .keep : .new }
}

/// The command `coffer import ARCHIVE STORE`.
struct Import: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore a store from an archive.",
    usage: "coffer import <archive> <store> [<options>]",
    discussion: HelpText.discussion(
      "Reads and checks the archive, and writes a store that appears when it is complete.",
      examples: [
        "coffer import Trips.coffer.tar.gz Restored.sqlite",
        "coffer import - Restored.sqlite --force < Trips.coffer.tar.gz",
        "coffer import Trips.coffer.tar.gz Restored.sqlite --salvage --force",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.findings, "something is wrong or lost: restored as it is, or not with --strict"),
        (.unusableInput, "the archive does not exist or is not an archive"),
        (.busy, "the store that would be replaced is open"),
        (.damaged, "the archive is damaged (--salvage restores what is whole)"),
        (.newerFormat, nil), (.outputExists, nil),
        (
          .refused, "refused: choices that conflict, another model, a support folder in use, no key"
        ),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The archive; - is standard input.", valueName: "archive"))
  var archive: String

  @Argument(help: ArgumentHelp("The store to be written.", valueName: "store"))
  var store: String

  @Flag(help: "Replace the store if it exists, with its companions and its support folder.")
  var force = false

  @Flag(help: "Restore nothing if something in the data is wrong.")
  var strict = false

  @Flag(help: "Restore what is whole of a damaged archive, and say what is lost.")
  var salvage = false

  @Option(
    name: .customLong("store-uuid"),
    help: ArgumentHelp("What becomes of the store's UUID.", valueName: "choice"))
  var storeUUID = StoreUUIDChoice.keep

  @Option(help: ArgumentHelp("What becomes of the persistent history.", valueName: "choice"))
  var history = RetentionChoice.keep

  @Option(
    help: ArgumentHelp("What becomes of the state of CloudKit mirroring.", valueName: "choice"))
  var cloudkit = RetentionChoice.keep

  @Flag(help: "Run statements of the schema that no store of Core Data consists of.")
  var trustSchema = false

  @OptionGroup var requiring: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  /// How the store is restored.
  ///
  /// - Throws: what `ArchiveOptions.access(_:reading:)` throws.
  private func options(_ session: Session) throws -> ImportOptions {
    var options = ImportOptions(
      overwriting: force, isStrict: strict, storeUUID: storeUUID.option,
      history: history.option, cloudKit: cloudkit.option)
    options.trustsSchema = trustSchema
    options.salvages = salvage
    options.archiveAccess = try reading.access(session, reading: archive)
    options.model = try requiring.given(options.archiveAccess)
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    do {
      let summary = try restore(session)
      session.eraseProgress()
      let status = (summary.counts[.error] ?? 0) > 0 ? ExitStatus.findings : .done
      try session.report.imported(summary, to: store, status: status)
      return status
    } catch let error as CofferError where !error.findings.isEmpty {
      session.eraseProgress()
      try session.report.refused(error.findings)
      try session.report.finish()
      throw error
    }
  }

  private func restore(_ session: Session) throws -> ImportSummary {
    let importer = StoreImporter(options: try options(session), progress: session.progress)
    guard archive == "-" else {
      try InputFile.refuse(replacing: archive, with: store)
      return try InputFile.explained(archive) { try importer.import(archive, to: store) }
    }
    if Terminal.isTerminal(0) {
      throw CofferError(
        .refused, path: "standard input", detail: "an archive does not come from a terminal",
        advice: "Give the archive's path, or send it: cat ARCHIVE | coffer import - \(store)")
    }
    return try importer.import(fileDescriptor: 0, to: store)
  }
}
