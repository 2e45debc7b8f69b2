internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive

/// The command `coffer gc STORE`.
struct CompactCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "gc",
    abstract: "Reclaim unused space in a store.",
    usage: """
      coffer gc <store> [--history-before <start>] [--output <store>] [--undo <file>]
      coffer gc <store> [--history-before <start>] --dry-run
      """,
    discussion: HelpText.discussion(
      """
      Shows how much space can be reclaimed, then writes the live data to a fresh file, which \
      replaces the store at once. Leaves out free pages, external files that nothing refers to, and \
      the persistent history before --history-before. Needs free disk space for the live data only.
      """,
      examples: [
        "coffer gc Trips.sqlite --dry-run",
        "coffer gc Trips.sqlite --history-before 2026-11-01 --undo Undo.tar.gz",
        "coffer gc Trips.sqlite -o Small.sqlite",
      ],
      statuses: [
        (.done, nil), (.failed, nil),
        (.unusableInput, "the store does not exist or is of another kind"),
        (.busy, "another program has the store open, or changed it"),
        (.damaged, nil), (.outputExists, nil),
        (.refused, "refused: history of a store mirrored with CloudKit (--allow-mirrored)"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "Remove the history before this time, or before the transaction of this number.",
      valueName: "start"),
    transform: CompactCommand.limit)
  var historyBefore: HistoryLimit?

  @OptionGroup var writing: EditingTarget

  @Flag(help: "Remove history of a store although CloudKit mirrors it.")
  var allowMirrored = false

  @Flag(help: "Write nothing; show how much space can be reclaimed.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  private static func limit(_ text: String) throws -> HistoryLimit {
    if let number = Int64(text) { return .transaction(number) }
    return .time(try BackupTime(argument: text))
  }

  func validate() throws {
    if dryRun { try writing.requireNone() }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = CompactionOptions()
    options.historyBefore = historyBefore
    options.editing = writing.options(allowsMirrored: allowMirrored)
    let compactor = StoreCompactor(options: options, progress: session.progress)
    if dryRun {
      let plan = try compactor.plan(store)
      session.eraseProgress()
      try session.printer.print(ForecastMessage(plan: plan, store: store, isAll: true))
      return .done
    }
    try writing.refuseReplacing(store)
    let summary = try compactor.compact(store, at: writing.target) { plan in
      session.eraseProgress()
      try session.printer.print(ForecastMessage(plan: plan, store: store, isAll: false))
      try session.printer.finish()
    }
    session.eraseProgress()
    try session.printer.print(
      CompactMessage(summary: summary, store: store, target: writing.target))
    return .done
  }
}
