internal import ArgumentParser
internal import CofferKit

/// The options of every command that changes a store.
struct EditingArguments: ParsableArguments {
  @OptionGroup var writing: EditingTarget

  @Flag(help: "Change a store although CloudKit mirrors it.")
  var allowMirrored = false

  @Flag(help: "Write nothing; show what would differ, as diff does.")
  var dryRun = false

  @Flag(help: "With --dry-run: show every difference, not only examples.")
  var all = false

  @Flag(help: "With --dry-run: show the differing values too.")
  var values = false

  func validate() throws {
    if all || values, !dryRun {
      throw ValidationError("'--all' and '--values' need '--dry-run'.")
    }
    if dryRun { try writing.requireNone() }
  }

  var options: EditingOptions { writing.options(allowsMirrored: allowMirrored) }

  /// Prints the differences that a change would make; returns the status, as for diff.
  ///
  /// The conflicts that would prevent it are counted afterwards.
  func preview(
    _ store: String, _ change: String, json: Bool, _ session: Session,
    conflictCount: () -> Int = { 0 },
    _ preview: (
      any ProgressReporter, ComparisonOptions, (Difference) throws -> Void
    ) throws -> ComparisonSummary
  ) throws -> ExitStatus {
    var printing = DifferencePrinting(session, atOnce: all || json)
    let summary = try preview(
      printing.progress, ComparisonOptions(includesValues: values, environment: .inPlace)
    ) { try printing.print($0) }
    printing.conflictCount = conflictCount()
    return try printing.finish(summary, store, "\(store) \(change)", isPreview: true)
  }
}
