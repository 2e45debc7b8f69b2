internal import ArgumentParser
internal import CofferKit

/// The command `coffer diff A B`.
struct Diff: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two stores or archives, object by object.",
    usage: "coffer diff <first> <second> [<options>]",
    discussion: HelpText.discussion(
      """
      Counts the objects that were added, removed and changed from the first file to the second, \
      each a store or an archive, and shows examples. Objects are matched by their primary keys.
      """,
      examples: [
        "coffer diff Trips.sqlite Trips.coffer.tar.gz",
        "coffer diff Monday.coffer.tar.gz Tuesday.coffer.tar.gz --all --values",
      ],
      statuses: [
        (.done, "nothing differs"), (.failed, nil), (.findings, "something differs"),
        (.unusableInput, "a file does not exist or is neither a store nor an archive"),
        (.busy, nil), (.damaged, nil), (.newerFormat, nil),
        (.refused, "an archive is encrypted, and nothing that was given opens it"),
        (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store or archive to start from.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("The store or archive to compare with it.", valueName: "second"))
  var second: String

  @Flag(help: "Show every difference, not only examples; the counts come last.")
  var all = false

  @Flag(help: "Show the values that differ too.")
  var values = false

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let showsAtOnce = all || output.json
    // What is shown while the work goes on would be mixed up with the progress.
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
