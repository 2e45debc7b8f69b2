internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer merge STORE OTHER`.
struct Merge: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge another store, an archive or tables into a store.",
    usage: """
      coffer merge <store> <other> [--base <base>] [--output <store>] [<options>]
      coffer merge <store> <other> [--base <base>] --dry-run [--all] [--values]
      coffer merge <store> <tables> --match <entity=property> [<options>]
      """,
    discussion: HelpText.discussion(
      """
      Applies to STORE the changes made in OTHER since BASE, the state that both come from. \
      Without a base, adds objects that only OTHER has, and deletes nothing. If the stores \
      conflict, writes nothing unless --prefer names the winner. With --entity, takes only some \
      objects of the other store. Tables (a folder or file of CSV or NDJSON) update the objects \
      that they match and add the others.
      """,
      examples: [
        "coffer merge Phone.sqlite Mac.sqlite --base Monday.coffer.tar.gz --dry-run",
        "coffer merge Phone.sqlite Mac.sqlite --entity TagEntity --match-by-object-id",
        "coffer merge Trips.sqlite PersonEntity.csv --match PersonEntity=email",
      ],
      statuses: [
        .findings: "conflicts or new errors (nothing written), or --dry-run found changes",
        .unusableInput: "a file does not exist or cannot be merged, or a table is wrong",
        .busy: "another program has the store open, or changed it", .damaged: nil,
        .newerFormat: nil, .outputExists: nil,
        .refused: "refused: another model; wrong base; mirrored with CloudKit; no key",
      ]))

  @Argument(help: .value("store", "The store to change."), completion: .file())
  var store: String

  @Argument(
    help: .value("other", "The store, archive, change file or tables to merge into it."),
    completion: .file())
  var other: String

  @Option(
    help: .value(
      "base", "The state that both come from: a store, an archive, or the changes from it."),
    completion: .file())
  var base: String?

  @Option(
    name: .customLong("policy"),
    help: .value("policy", "The rule for conflicts (default: error; tables win)."))
  var policies: [Choice<MergePolicy>] = []

  @Option(help: .value("side", "The values that win a conflict: ours (the store's) or theirs."))
  var prefer: Choice<MergeSideChoice>?

  @OptionGroup var selecting: SelectionArguments

  @OptionGroup var matching: MatchingArguments

  @OptionGroup var tables: SheetArguments

  @OptionGroup var editing: EditingArguments

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { editing.writing.outputs }

  func validate() throws {
    if Set(policies.map(\.value)).count > 1 {
      throw ValidationError("'--policy' has different values; only one store can win.")
    }
    if prefer != nil, !policies.isEmpty {
      throw ValidationError("'--prefer' and '--policy' set the same rule; use one of them.")
    }
    if base != nil, matching.matchByObjectID {
      throw ValidationError("'--match-by-object-id' is for merges without '--base'.")
    }
    if tables.format != nil, other != "-" {
      throw ValidationError("'--format' is the format of tables on standard input.")
    }
  }

  /// The environment of the merge; an XML store has the model of the store.
  private func environment(_ session: Session) throws -> WorkEnvironment {
    var environment = try reading.environment(session)
    let hasXML = ([other] + [base].compactMap(\.self)).contains { XMLStoreReader.isXMLStore($0) }
    guard hasXML else { return environment }
    let model = try ModelLoader.loadOrInfer(from: store, environment: environment)
    guard model.model.source != .inferred else {
      throw CofferError(
        .unknownStoreModel, path: store,
        detail: "it has no copy of its model, which the objects of the XML store need",
        advice: .sentence(
          "Add the copy first: coffer repair \(store) --model MODEL --apply. Stores from before macOS 10.11 and "
            + "iOS 9 keep none."))
    }
    environment.model = model
    return environment
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = MergeOptions()
    options.policy = prefer?.value.policy ?? policies.last?.value
    options.selection = selecting.selection
    options.naturalKeys = matching.naturalKeys
    options.matchesByObjectID = matching.matchByObjectID
    options.tables = tables.options
    options.editing = editing.options
    options.environment = try environment(session)
    let environment = options.environment
    let source = try session.path(of: other, environment)
    let origin = try base.map { try session.path(of: $0, environment) }
    var merger = StoreMerger(options: options, progress: session.progress)
    return try session.printingEvidence {
      if editing.dryRun {
        var openCount = 0
        return try editing.preview(
          store, "with \(other)", json: output.json, session, conflictCount: { openCount }
        ) {
          merger.progress = $0
          let summary = try merger.preview(
            source, into: store, base: origin, comparison: $1, onDifference: $2)
          try warn(of: summary.tablesLeftOut, session)
          let open = summary.openConflicts
          openCount = open.count
          let isOpen = openCount > 0
          if summary.conflicts.count > 0 {
            try session.show(
              ConflictsMessage(
                conflicts: isOpen ? open : summary.conflicts,
                winner: isOpen ? nil : winner(options), isPreview: true))
          }
          return summary.differences
        }
      }
      let summary = try merger.merge(source, into: store, base: origin, at: editing.writing.target)
      try warn(of: summary.tablesLeftOut, session)
      try session.show(
        MergeMessage(
          summary: summary, store: editing.writing.target ?? store, paths: [store, other],
          policy: options.policy ?? .error))
      return .done
    }
  }

  private func warn(of tables: [String], _ session: Session) throws {
    guard !tables.isEmpty else { return }
    try session.printer.warn(
      "unmerged-tables",
      "\(other): tables that the model does not explain differ and are not merged: "
        + tables.joined(separator: ", "))
  }

  /// The path of the store that the policy prefers, as given.
  private func winner(_ options: MergeOptions) -> String {
    options.policy?.prefersOther == true ? other : store
  }
}

/// A side of a merge, with the names that tools for texts use.
enum MergeSideChoice: String, CaseIterable, Sendable {
  case ours, theirs

  /// The policy that keeps the values of this side in a conflict.
  var policy: MergePolicy {
    self == .ours ? .mergeByPropertyStoreTrump : .mergeByPropertyObjectTrump
  }
}

/// The result of merging stores.
struct MergeMessage: Message {
  var summary: MergeSummary
  /// The path of the merged store, as given.
  var store: String
  /// The paths of the two sources, as given.
  var paths: [String]
  var policy: MergePolicy

  private var conflicts: ConflictsMessage {
    ConflictsMessage(conflicts: summary.conflicts, winner: paths[policy.prefersOther ? 1 : 0])
  }

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try MatchingMessage(matching: summary.matching, paths: paths).write(to: printer)
    try conflicts.write(to: printer)
    try printer.line(
      "\(printer.style.bold("Merged")) \(Terminal.printable(paths[1])) into "
        + Terminal.printable(store))
    if let selection = summary.selection {
      try printer.line("  selected       \(selection.text(ofOthers: "not taken"))")
    }
    if summary.differences.isEqual { try printer.line("  nothing to change") }
    try printer.block(ComparisonMessage.block(summary.differences))
    if summary.consequenceCount > 0 {
      try printer.line(
        "  \(QuantityText.count(summary.consequenceCount, "object")) deleted by delete rules")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    try MatchingMessage(matching: summary.matching, paths: paths).write(to: printer)
    try conflicts.write(to: printer)
    try ComparisonMessage.writeCounts(summary.differences, to: printer)
    var members: JSONMembers = ["target": store, "storeUUID": orNull(summary.storeUUID)]
    members.append(contentsOf: ComparisonMessage.members(of: summary.differences))
    if let selection = summary.selection { members.append(contentsOf: selection.members) }
    members.append("conflicts", summary.conflicts.count)
    members.append("consequences", summary.consequenceCount)
    try printer.summary(.done, members)
  }
}
