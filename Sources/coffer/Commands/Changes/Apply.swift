internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer apply CHANGES STORE`.
struct Apply: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Apply a file of changes to a store.",
    usage: """
      coffer apply <changes> <store> [--output <store>] [--reverse] [<options>]
      coffer apply <changes> <store> --dry-run [--all] [--values]
      """,
    discussion: HelpText.discussion(
      """
      Changes a copy of the store, which then takes its place at once. The store must be in the \
      state that the changes begin with, as far as they know it; otherwise nothing is written.
      """,
      examples: [
        "coffer apply Day.coffer-changes.tar.gz Trips.sqlite --dry-run --all",
        "coffer apply Day.coffer-changes.tar.gz Trips.sqlite --undo Undo.tar.gz",
        "coffer apply Day.coffer-changes.tar.gz Trips.sqlite --reverse -o New.sqlite",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.findings, "new errors (written, unless --strict), or --dry-run found differences"),
        (.unusableInput, "a file does not exist, or is no store or no file of changes"),
        (.busy, "another program has the store open, or changed it"),
        (.damaged, nil), (.newerFormat, nil), (.outputExists, nil),
        (.refused, "refused: the store is in another state or has another model; no key"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The file of changes.", valueName: "changes"))
  var changes: String

  @Argument(help: ArgumentHelp("The store to change.", valueName: "store"))
  var store: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write a new store, and leave the store as it is.", valueName: "store"))
  var target: String?

  @Flag(help: "Replace an existing new store, and an existing file of --undo.")
  var force = false

  @Flag(help: "Take the changes back.")
  var reverse = false

  @Option(help: ArgumentHelp("Write the changes that lead back to this file.", valueName: "file"))
  var undo: String?

  @Flag(help: "Refuse a result with errors in its data that the store does not have.")
  var strict = false

  @Flag(help: "Write nothing; show what would differ, as diff does.")
  var dryRun = false

  @Flag(help: "With --dry-run: show every difference, not only examples.")
  var all = false

  @Flag(help: "With --dry-run: show the differing values too.")
  var values = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if all || values, !dryRun {
      throw ValidationError("'--all' and '--values' need '--dry-run'.")
    }
    if dryRun, undo != nil || target != nil {
      throw ValidationError("'--dry-run' writes nothing, neither '--output' nor '--undo'.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = ApplyOptions()
    options.isReversed = reverse
    options.overwriting = force
    options.isStrict = strict
    options.archiveAccess = try reading.access(session)
    options.undo = undo.map { .file($0, overwriting: force) }
    let applier = ChangesApplier(options: options, progress: session.progress)
    if dryRun { return try preview(applier, session) }
    for output in [target, undo].compactMap(\.self) {
      try InputFile.refuse(replacing: changes, with: output)
    }
    if let target { try InputFile.refuse(replacing: store, with: target) }
    return try session.printingFindings {
      let summary = try applier.apply(changes, to: store, at: target)
      session.eraseProgress()
      let message = ApplyMessage(summary: summary, store: target ?? store)
      try session.printer.print(message)
      return message.status
    }
  }

  private func preview(_ applier: ChangesApplier, _ session: Session) throws -> ExitStatus {
    var printing = DifferencePrinting(session, atOnce: all || output.json)
    var applier = applier
    applier.progress = printing.progress
    let summary = try applier.preview(
      changes, to: store,
      comparison: ComparisonOptions(includesValues: values, access: .inPlace)
    ) { try printing.print($0) }
    return try printing.finish(summary, store, "\(store) with \(changes)")
  }
}
