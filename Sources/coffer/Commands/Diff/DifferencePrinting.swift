internal import CofferKit

/// Prints differences at once, or examples of them at the end.
struct DifferencePrinting {
  private let session: Session
  private let showsAtOnce: Bool
  private var examples = DifferenceExamples()
  /// The number of conflicts that prevent the previewed change.
  var conflictCount = 0

  /// Prints every difference when it is found, or examples at the end.
  init(_ session: Session, atOnce showsAtOnce: Bool) {
    self.session = session
    self.showsAtOnce = showsAtOnce
  }

  /// The receiver of the progress; silent if differences appear on the terminal meanwhile.
  var progress: any ProgressReporter {
    showsAtOnce && StandardStream.output.isTerminal ? SilentProgress() : session.progress
  }

  /// Prints a difference, or keeps it as an example.
  mutating func print(_ difference: Difference) throws {
    if showsAtOnce {
      try session.printer.print(DifferenceMessage(difference: difference))
    } else {
      examples.add(difference)
    }
  }

  func finish(
    _ summary: ComparisonSummary, _ first: String, _ second: String, isPreview: Bool = false
  ) throws -> ExitStatus {
    try session.showResult(
      ComparisonMessage(
        summary: summary, first: first, second: second, examples: examples, isPreview: isPreview,
        conflictCount: conflictCount))
  }
}
