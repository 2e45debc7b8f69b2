internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore

/// The command `coffer export STORE ARCHIVE`, and `coffer export FILE --format … --output-folder DIR`.
struct Export: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Back a store up to an archive.",
    usage: """
      coffer export <store> <archive> [<options>]
      coffer export <file> --format <format> --output-folder <folder>
      """,
    discussion: HelpText.discussion(
      """
      Reads the store without changing anything, in use or not, and writes an archive.

      With --format, the objects of a store or an archive become a folder of CSV or NDJSON files, or \
      an SQLite database with the names of the model, for DuckDB, pandas and spreadsheets. That is no \
      backup, and nothing reads it back: the model, versions of objects, metadata, history, CloudKit \
      state, and the storage of each value are lost.
      """,
      examples: [
        "coffer export Trips.sqlite Trips.coffer.tar.gz",
        "coffer export Trips.sqlite Rescued.coffer.tar.gz --salvage",
        "coffer export Trips.sqlite --format csv --output-folder Tables",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.findings, "done, but something is missing, or was lost with --salvage"),
        (.unusableInput, "the store or the entity does not exist, or it is no Core Data store"),
        (.busy, nil), (.damaged, "the store is too damaged to read on"),
        (.newerFormat, nil), (.outputExists, nil),
        (.refused, "refused: another model, other files in the folder, no key"),
        (.usage, nil),
        (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store; with --format, an archive too.", valueName: "store"))
  var store: String

  @Argument(help: ArgumentHelp("The archive; - is standard output.", valueName: "archive"))
  var target: String?

  @Option(
    help: ArgumentHelp("How hard to compress, 0...12 (default: 6).", valueName: "level"))
  var level: Int?

  @Flag(help: "Compress fast: the same as --level 1.")
  var fast = false

  @Flag(help: "Compress as much as possible: the same as --level 12.")
  var small = false

  @Option(
    help: ArgumentHelp(
      "How many threads compress (default: one per processor).", valueName: "count"))
  var threads: Int?

  @Flag(help: "Replace the archive if it exists, or an earlier output of --format.")
  var force = false

  @Flag(help: "Export what can be read of a damaged store, and tell what was lost.")
  var salvage = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var encrypting: EncryptionOptions

  @OptionGroup var shaping: DataExportArguments

  @OptionGroup var output: OutputOptions

  var answerStream: StandardStream { isPiped ? .error : .output }

  private var archive: String { target ?? "" }

  private var isPiped: Bool { archive == "-" }

  func validate() throws {
    if let format = shaping.format { return try validateDataExport(format) }
    if target == nil {
      throw ValidationError(
        "Missing expected argument '<archive>', such as: coffer export \(store) \(proposal)")
    }
    if [level != nil, fast, small].filter({ $0 }).count > 1 {
      throw ValidationError("Give only one of --level, --fast and --small.")
    }
    if let level, !(0...12).contains(level) {
      throw ValidationError("The level \(level) is not between 0 and 12.")
    }
    if let threads, !(0...256).contains(threads) {
      throw ValidationError("The count of threads \(threads) is not between 0 and 256.")
    }
  }

  /// How the archive is written.
  ///
  /// - Throws: what `EncryptionOptions.encryption(_:)` and `ModelOptions.given(_:)` throw.
  private func options(_ session: Session) throws -> ExportOptions {
    var options = ExportOptions(
      level: level ?? (fast ? 1 : small ? 12 : 6), threads: threads, salvages: salvage,
      encryption: try encrypting.encryption(session))
    options.model = try explaining.given(ArchiveAccess())
    return options
  }

  func perform(_ session: Session) throws -> ExitStatus {
    if let format = shaping.format { return try performDataExport(format, session) }
    let ending = encrypting.isUsed ? ".age" : ""
    if isPiped, StandardStream.output.isTerminal {
      throw CofferError(
        .refused, path: "standard output", detail: "an archive is not text for a terminal",
        advice:
          "Send it to a file or a pipe: coffer export \(store) - > NAME.coffer.tar.gz\(ending)")
    }
    session.progress.report(WorkProgress(.opening))
    let source = try explained {
      try InputFile.openStore(store, salvaging: salvage, isPiped: isPiped)
    }
    let target: ArchiveTarget
    if isPiped {
      target = .fileDescriptor(StandardStream.output.descriptor)
    } else {
      try InputFile.refuse(replacing: source.path, with: archive)
      target = .file(archive, overwriting: force)
    }
    let exporter = StoreExporter(options: try options(session), progress: session.progress)
    let summary = try explained { try exporter.export(source, to: target) }
    session.eraseProgress()
    let status = summary.errorCount > 0 ? ExitStatus.findings : .done
    try session.report.exported(
      summary, to: isPiped ? "standard output" : archive, status: status)
    return status
  }

  /// A name for the archive of a store, in the folder where the command was typed.
  var proposal: String {
    var name = StorePaths.name(of: store)
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    return "\(name).coffer.tar.gz" + (encrypting.isUsed ? ".age" : "")
  }

  /// Does something with the store.
  ///
  /// - Throws: what it throws; where the store is damaged, the hint says how to go on.
  private func explained<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as CofferError where error.code == .damagedStore && !salvage {
      error.advice = ["To export what can be read: coffer export STORE ARCHIVE --salvage"]
      throw error
    }
  }
}
