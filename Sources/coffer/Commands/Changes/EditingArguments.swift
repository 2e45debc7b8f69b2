internal import ArgumentParser
internal import CofferKit

/// The options of every command that changes a store.
struct EditingArguments: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write a new store, and leave the store as it is.", valueName: "store"),
    completion: .file())
  var target: String?

  @Flag(help: "Replace an existing new store, and an existing file of --undo.")
  var force = false

  @Option(
    help: ArgumentHelp("Write the changes that lead back to this file.", valueName: "file"),
    completion: .file())
  var undo: String?

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
    if dryRun, undo != nil || target != nil {
      throw ValidationError("'--dry-run' writes nothing, neither '--output' nor '--undo'.")
    }
  }

  /// The options of the library.
  var options: EditingOptions {
    var options = EditingOptions()
    options.overwriting = force
    options.allowsMirrored = allowMirrored
    options.undo = undo.map { .file($0, overwriting: force) }
    return options
  }

  /// Refuses to write over what is read.
  ///
  /// - Parameters:
  ///   - store: the store, which only a new store may not replace.
  ///   - others: the other files that are read.
  /// - Throws: ``CofferError`` with the code `refused`.
  func refuseReplacing(_ store: String, _ others: [String] = []) throws {
    for output in [target, undo].compactMap(\.self) {
      for input in others { try InputFile.refuse(replacing: input, with: output) }
      try InputFile.refuse(replacing: store, with: output)
    }
  }

  /// Prints what a change would make differ.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - change: what changes it, in words.
  ///   - json: whether the answer is JSON.
  ///   - session: prints.
  ///   - preview: makes the change in a copy, and reports the differences.
  /// - Returns: the status, as of diff.
  /// - Throws: errors from the closure and from printing.
  func preview(
    _ store: String, _ change: String, json: Bool, _ session: Session,
    _ preview: (
      any ProgressReporter, ComparisonOptions, (Difference) throws -> Void
    ) throws -> ComparisonSummary
  ) throws -> ExitStatus {
    var printing = DifferencePrinting(session, atOnce: all || json)
    let summary = try preview(
      printing.progress, ComparisonOptions(includesValues: values, access: .inPlace)
    ) { try printing.print($0) }
    return try printing.finish(summary, store, "\(store) \(change)")
  }
}
