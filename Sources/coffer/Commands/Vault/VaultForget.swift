internal import ArgumentParser
internal import CofferKit

/// The command `coffer vault forget VAULT`.
struct VaultForget: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget old backups in a vault by retention rules.",
    usage: "coffer vault forget <vault> --keep-daily <count> ... [--dry-run] [<options>]",
    discussion: HelpText.discussion(
      """
      Keeps the backups that a rule selects, prints the rules, and forgets all others. The first \
      run after an hour removes the files of forgotten backups that no kept backup needs; after \
      30 days, a backup that needs them is rewritten as a full archive. The latest and the last \
      verified backup of a series always stay.
      """,
      examples: [
        "coffer vault forget Backups --keep-daily 7 --keep-monthly 12 --dry-run",
        "coffer vault forget Backups --keep-last 30 --keep-within 90d",
      ],
      statuses: [
        .failed: "failure; a backup could not be rewritten",
        .unusableInput: "it is not a vault; no such store in it", .newerFormat: nil,
      ]))

  @Argument(help: .value("vault", "The vault."), completion: .directory)
  var vault: String

  @Option(help: .value("count", "Keep this many of the latest backups."))
  var keepLast = 0

  @Option(help: .value("count", "Keep the latest backup of each hour."))
  var keepHourly = 0

  @Option(help: .value("count", "Keep the latest backup of each day."))
  var keepDaily = 0

  @Option(help: .value("count", "Keep the latest backup of each week."))
  var keepWeekly = 0

  @Option(help: .value("count", "Keep the latest backup of each month."))
  var keepMonthly = 0

  @Option(help: .value("count", "Keep the latest backup of each year."))
  var keepYearly = 0

  @Option(
    help: .value("duration", "Keep all backups up to this age before the latest: 36h, 30d, 1y."))
  var keepWithin: DurationArgument?

  @Option(
    name: .customLong("pin"), help: .value("id", "Keep the backup with this ID; repeatable."),
    completion: .backup)
  var pins: [String] = []

  @OptionGroup var series: SeriesOption

  @Flag(help: "Change nothing, and print the decisions.")
  var dryRun = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  private var policy: RetentionPolicy {
    var policy = RetentionPolicy()
    (policy.last, policy.hourly, policy.daily) = (keepLast, keepHourly, keepDaily)
    (policy.weekly, policy.monthly, policy.yearly) = (keepWeekly, keepMonthly, keepYearly)
    (policy.within, policy.pinned) = (keepWithin?.seconds, pins)
    return policy
  }

  func validate() throws {
    let counts = [keepLast, keepHourly, keepDaily, keepWeekly, keepMonthly, keepYearly]
    if let count = counts.first(where: { $0 < 0 }) {
      throw ValidationError("A number of backups to keep cannot be \(count).")
    }
    if let pin = pins.first(where: { $0.utf8.count < 4 }) {
      throw ValidationError("An ID has at least 4 digits, not '\(pin)'.")
    }
    guard policy.hasRules else {
      throw ValidationError("Name the backups to keep, such as --keep-daily 7 --keep-monthly 12.")
    }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    let target = try reading.vault(at: vault, session)
    let summary = try target.forget(policy, of: series.name, isDryRun: dryRun)
    var message = ForgetMessage(summary: summary, vault: vault, isDryRun: dryRun)
    for failure in summary.notRewritten {
      guard failure.error.code == .encryptedArchive else {
        message.status = .failed
        session.printer.fail(Failure(failure.error, isInterrupted: false))
        continue
      }
      try session.printer.warn(
        "locked-base",
        "The base of \(failure.backup.id) stays. To rewrite \(failure.backup.id) as a full archive, pass --identity."
      )
    }
    try session.printer.print(message)
    return message.status
  }
}

/// The result for each backup.
struct ForgetMessage: Message {
  var summary: ForgetSummary
  /// The vault, as given.
  var vault: String
  var isDryRun: Bool
  var status = ExitStatus.done

  private var forgotten: [ForgetDecision] { summary.decisions.filter { !$0.stays } }

  func write(to printer: TextPrinter) throws {
    var last: BackupSeries?
    for decision in summary.decisions {
      let backup = decision.backup
      if backup.series != last {
        try printer.line(printer.style.bold(Terminal.printable(backup.seriesTitle)))
      }
      last = backup.series
      let line = "  \(backup.id)  \(backup.moment)  "
      guard decision.stays else {
        try printer.line(line + printer.style.red("forget"))
        continue
      }
      try printer.line("\(line)keep    \(decision.reasons.joined(separator: ", "))")
    }
    let count = QuantityText.count(forgotten.count, "backup")
    try printer.line(isDryRun ? "\(count) would be forgotten" : "Forgot \(count)")
    if !summary.rewritten.isEmpty {
      let backups = QuantityText.count(summary.rewritten.count, "backup")
      try printer.line("Rewrote \(backups) in full")
    }
    if summary.removedFileCount > 0 {
      let files = QuantityText.count(summary.removedFileCount, "file")
      try printer.line(
        "Removed \(files) of backups forgotten before, "
          + QuantityText.bytes(summary.removedByteCount))
    }
  }

  func write(to printer: JSONPrinter) throws {
    for decision in summary.decisions {
      let more: JSONMembers = ["keep": decision.stays, "reasons": decision.reasons]
      try printer.line(["type": "decision"] + decision.backup.members + more)
    }
    try printer.summary(
      status,
      [
        "vault": vault, "dryRun": isDryRun, "kept": summary.decisions.count - forgotten.count,
        "forgotten": forgotten.count, "rewritten": summary.rewritten.map(\.id),
        "notRewritten": summary.notRewritten.map(\.backup.id),
        "removedFiles": summary.removedFileCount, "removedBytes": summary.removedByteCount,
      ])
  }
}
