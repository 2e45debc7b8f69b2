internal import ArgumentParser
internal import CofferKit

/// The command `coffer apply STORE CHANGES`.
struct Apply: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a change file to a store.",
    usage: """
      coffer apply <store> <changes> [--output <store>] [--reverse] [<options>]
      coffer apply <store> <changes> --dry-run [--all] [--values]
      """,
    discussion: HelpText.discussion(
      """
      Changes a copy, which then replaces the store in one step. The store must be in the state \
      before the changes, as far as the file records it; otherwise nothing is written.
      """,
      examples: [
        "coffer apply Trips.sqlite Day.coffer-changes.tar.gz --dry-run --all",
        "coffer apply Trips.sqlite Day.coffer-changes.tar.gz --undo Undo.tar.gz",
        "coffer apply Trips.sqlite Day.coffer-changes.tar.gz --reverse -o New.sqlite",
      ],
      statuses: [
        .findings: "new errors (written, unless --strict), or --dry-run found differences",
        .unusableInput: "a file does not exist, or is not a store or a change file",
        .busy: "another program has the store open, or changed it", .damaged: nil,
        .newerFormat: nil, .outputExists: nil,
        .refused: "refused: another state or model; mirrored with CloudKit; no key",
      ]))

  @Argument(help: .value("store", "The store to change."), completion: .file())
  var store: String

  @Argument(help: .value("changes", "The change file."), completion: .file())
  var changes: String

  @Flag(help: "Reverse the changes.")
  var reverse = false

  @Flag(help: "Refuse a result with errors in its data that the store does not have.")
  var strict = false

  @OptionGroup var editing: EditingArguments

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { editing.writing.outputs }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    var options = ApplyOptions()
    options.isReversed = reverse
    options.isStrict = strict
    options.environment = try reading.environment(session)
    options.editing = editing.options
    var applier = ChangesApplier(options: options, progress: session.progress)
    try InputFile.requireChanges(changes, after: store)
    return try session.printingEvidence {
      if editing.dryRun {
        return try editing.preview(store, "with \(changes)", json: output.json, session) {
          applier.progress = $0
          return try applier.preview(changes, to: store, comparison: $1, onDifference: $2)
        }
      }
      let summary = try applier.apply(changes, to: store, at: editing.writing.target)
      return try session.showResult(
        ApplyMessage(summary: summary, store: editing.writing.target ?? store))
    }
  }
}

/// The result of applying changes.
struct ApplyMessage: ResultMessage {
  var summary: ApplySummary
  /// The path of the changed store, as given.
  var store: String

  var status: ExitStatus { summary.errorCount > 0 ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let differences = summary.changes.differences
    try printer.line("\(printer.style.bold("Applied the changes")) to \(Terminal.printable(store))")
    if differences.isEqual { try printer.line("  there are none") }
    try printer.block(ComparisonMessage.block(differences))
    if status == .findings {
      let count = QuantityText.count(summary.errorCount, "error")
      try printer.complain("\(count): the store did not have them before; verify it")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let differences = summary.changes.differences
    try ComparisonMessage.writeCounts(differences, to: printer)
    var members: JSONMembers = ["target": store, "storeUUID": orNull(summary.storeUUID)]
    members.append(contentsOf: ComparisonMessage.members(of: differences))
    members.append("errors", summary.errorCount)
    try printer.summary(status, members)
  }
}
