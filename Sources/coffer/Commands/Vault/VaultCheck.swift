internal import ArgumentParser
internal import CofferKit

/// The command `coffer vault check VAULT`.
struct VaultCheck: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the backups in a vault are complete and recent.",
    usage: "coffer vault check <vault> [--read-data] [<options>]",
    discussion: HelpText.discussion(
      """
      Checks by file names that every backup has the files that it needs. With --read-data, \
      compares every file with its digests, and names damaged files and the backups that need \
      them.
      """,
      examples: [
        "coffer vault check Backups --max-age 26h",
        "coffer vault check Backups --read-data --min-size-ratio 0.5",
      ],
      statuses: [
        .done: "nothing is wrong", .findings: "something is wrong",
        .unusableInput: "it is not a vault; no such store in it", .newerFormat: nil,
        .refused: "refused: --read-data of an encrypted vault without a key",
      ]))

  @Argument(help: .value("vault", "The vault."), completion: .directory)
  var vault: String

  @Flag(help: "Read every file completely, and compare its digests.")
  var readData = false

  @Option(
    help: .value("duration", "The maximum age of the latest backup of each series: 26h, 8d."))
  var maxAge: DurationArgument?

  @Option(
    help: .value("ratio", "The minimum size of a full archive relative to the previous one."))
  var minSizeRatio: Double?

  @OptionGroup var series: SeriesOption

  @Option(help: .value("format", "The output format (default: text)."))
  var format: ReportFormat?

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if let minSizeRatio, !(0...1).contains(minSizeRatio) {
      throw ValidationError("The ratio must be between 0 and 1, not \(minSizeRatio).")
    }
    try ReportFormat.validate(format, &output)
  }

  func perform(_ session: Session) throws -> ExitStatus {
    try report(format, .checked, on: vault, session) {
      let source = try reading.vault(at: vault, session)
      var options = VaultCheckOptions()
      options.readsData = readData
      options.maxAge = maxAge?.seconds
      options.smallestSizeRatio = minSizeRatio
      return try source.check(options, of: series.name)
    }
  }
}
