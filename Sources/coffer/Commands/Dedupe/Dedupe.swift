internal import ArgumentParser
internal import CofferKit
internal import CoreDataStore

/// The command `coffer dedupe STORE`.
struct Dedupe: StoreCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove duplicates from a store.",
    usage: """
      coffer dedupe <store> [--output <store>] [<options>]
      coffer dedupe <store> --dry-run [--all] [--values]
      """,
    discussion: HelpText.discussion(
      """
      Finds objects of an entity with the same key, and keeps one of them: whatever leads to the \
      others leads to that one. The key is what --match names, or a uniqueness constraint of the \
      model. Changes a copy of the store, which then takes its place at once.
      """,
      examples: [
        "coffer dedupe Trips.sqlite --match TagEntity=name --dry-run --all",
        "coffer dedupe Trips.sqlite --match TagEntity=name --undo Undo.tar.gz",
        "coffer dedupe Trips.sqlite --keep most-complete -o New.sqlite",
      ],
      statuses: [
        (.done, "success; --dry-run: there are no duplicates"), (.failed, nil),
        (.findings, "refused because of new errors, or --dry-run found duplicates"),
        (.unusableInput, "the store does not exist or is of another kind; no such entity"),
        (.busy, "another program has the store open, or changed it"),
        (.damaged, nil), (.outputExists, nil),
        (.refused, "refused: mirrored with CloudKit (--allow-mirrored); no model"),
        (.usage, "invalid usage, or nothing identifies objects"), (.interrupted, nil),
      ]))

  @Argument(help: ArgumentHelp("The store to change.", valueName: "store"), completion: .file())
  var store: String

  @Option(
    name: .customLong("match"),
    help: ArgumentHelp(
      "Objects of this entity with the same properties are the same; repeatable.",
      valueName: "entity=property,..."),
    transform: NaturalKey.init(argument:))
  var naturalKeys: [NaturalKey] = []

  @Option(help: ArgumentHelp("Which object remains.", valueName: "choice"))
  var keep = Choice(DuplicateSurvivor.oldest)

  @Option(
    help: ArgumentHelp(
      "The folder for temporary data that does not fit in memory.", valueName: "path"),
    completion: .directory)
  var temporaryFolder: String?

  @OptionGroup var editing: EditingArguments

  @OptionGroup var output: OutputOptions

  func validate() throws { try MatchingArguments.requireOneKeyPerEntity(naturalKeys) }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = DeduplicationOptions()
    options.naturalKeys = naturalKeys
    options.survivor = keep.value
    options.editing = editing.options
    options.temporaryFolder = temporaryFolder
    var deduplicator = StoreDeduplicator(options: options, progress: session.progress)
    return try session.printingEvidence {
      if editing.dryRun {
        var entities: [EntityDuplicates] = []
        let status = try editing.preview(
          store, "without duplicates", json: output.json, session
        ) {
          deduplicator.progress = $0
          let summary = try deduplicator.preview(store, comparison: $1, onDifference: $2)
          entities = summary.entities
          return summary.differences
        }
        if !output.json {
          try session.printer.print(DuplicatesMessage(entities: entities))
        }
        return status
      }
      try editing.writing.refuseReplacing(store)
      let summary = try deduplicator.deduplicate(store, at: editing.writing.target)
      session.eraseProgress()
      try session.printer.print(
        DedupeMessage(summary: summary, store: store, target: editing.writing.target))
      return .done
    }
  }
}
