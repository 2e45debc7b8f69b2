internal import ArgumentParser
internal import CofferKit

/// The command `coffer diff A B`.
struct Diff: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two stores or archives, object by object.",
    usage: "coffer diff <first> <second> [<options>]",
    discussion: HelpText.discussion(
      """
      Counts the objects that were added, removed and changed from the first store or archive to \
      the second, and shows examples. Matches objects by their primary keys.
      """,
      examples: [
        "coffer diff Trips.sqlite Trips.coffer.tar.gz",
        "coffer diff Monday.coffer.tar.gz Tuesday.coffer.tar.gz --all --values",
      ],
      statuses: [
        (.done, "no differences"), (.failed, nil), (.findings, "differences"),
        (.unusableInput, "a file does not exist or is neither a store nor an archive"),
        (.busy, nil), (.damaged, nil), (.newerFormat, nil),
        (.refused, "refused: no key for an encrypted archive"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store or archive to start from.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("The store or archive to compare with it.", valueName: "second"))
  var second: String

  @Flag(help: "Show every difference, not only examples.")
  var all = false

  @Flag(help: "Show the differing values too.")
  var values = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let showsAtOnce = all || output.json
    // Erase the progress before printing anything.
    let isMixed = showsAtOnce && answerStream.isTerminal
    let comparison = StoreComparison(
      options: ComparisonOptions(
        includesValues: values, access: .inPlace, archiveAccess: try reading.access(session)),
      progress: isMixed ? SilentProgress() : session.progress)
    var examples = DifferenceExamples()
    let summary = try comparison.compare(first, second) { difference in
      if showsAtOnce {
        try session.printer.print(DifferenceMessage(difference: difference))
      } else {
        examples.add(difference)
      }
    }
    session.eraseProgress()
    let message = ComparisonMessage(
      summary: summary, first: first, second: second, examples: examples)
    try session.printer.print(message)
    return message.status
  }
}
