internal import ArgumentParser
internal import CofferKit

/// The command `coffer vault drill VAULT`.
struct VaultDrill: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "drill",
    abstract: "Test-restore backups from a vault.",
    usage: "coffer vault drill <vault> [--sample <count>] [<options>]",
    discussion: HelpText.discussion(
      """
      Restores the latest backup of each series to a private temporary folder, compares the \
      restored store with the backup, verifies it, and deletes it. Errors that the store already \
      had are notes. Changes nothing in the vault.
      """,
      examples: [
        "coffer vault drill Backups", "coffer vault drill Backups --sample 5 --format junit",
      ],
      statuses: [
        .done: "all restored stores equal their backups",
        .findings: "a backup cannot be restored, or its restored store differs",
        .unusableInput: "it is not a vault; no such store in it", .newerFormat: nil,
        .refused: "refused: an encrypted vault without a key",
      ]))

  @Argument(help: .value("vault", "The vault."), completion: .directory)
  var vault: String

  @Option(
    help: .value(
      "count", "Restore this many backups of each series: the latest, and others evenly spread."))
  var sample = 1

  @OptionGroup var series: SeriesOption

  @Option(help: .value("format", "The output format (default: text)."))
  var format: ReportFormat?

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard sample > 0 else {
      throw ValidationError("A number of backups to restore cannot be \(sample).")
    }
    try ReportFormat.validate(format, &output)
  }

  func perform(_ session: Session) throws -> ExitStatus {
    LargeBlocks.giveBack()
    return try report(format, .restored, on: vault, session) {
      let source = try reading.vault(at: vault, session)
      return try source.drill(sampleSize: sample, of: series.name)
    }
  }
}
