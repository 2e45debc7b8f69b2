internal import ArgumentParser
internal import CofferKit

/// The command `coffer compact STORE`.
struct CompactCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Reclaim unused space in a store.",
    usage: """
      coffer compact <store> [--history-before <start>] [--output <store>] [--undo <file>]
      coffer compact <store> [--history-before <start>] --dry-run
      """,
    discussion: HelpText.discussion(
      """
      Shows how much space can be reclaimed, then writes the live data to a fresh file, which \
      replaces the store in one step. Leaves out free pages, unreferenced external files, and \
      the persistent history before --history-before. Needs free disk space for the live data \
      only.
      """,
      examples: [
        "coffer compact Trips.sqlite --dry-run",
        "coffer compact Trips.sqlite --history-before 2026-11-01 --undo Undo.tar.gz",
        "coffer compact Trips.sqlite -o Small.sqlite",
      ],
      statuses: [
        .unusableInput: "the store does not exist or is of another kind",
        .busy: "another program has the store open, or changed it", .damaged: nil,
        .outputExists: nil,
        .refused: "refused: history of a store mirrored with CloudKit (--allow-mirrored)",
      ]))

  @Argument(help: .value("store", "The store."), completion: .file())
  var store: String

  @Option(
    help: .value(
      "start", "Remove the history before this time, or before the transaction with this number."),
    transform: CompactCommand.limit)
  var historyBefore: HistoryLimit?

  @OptionGroup var writing: EditingTarget

  @Flag(help: "Remove history of a store although CloudKit mirrors it.")
  var allowMirrored = false

  @Flag(help: "Write nothing; show how much space can be reclaimed.")
  var dryRun = false

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { writing.outputs }

  private static func limit(_ text: String) throws -> HistoryLimit {
    if let number = Int64(text) { return .transaction(number) }
    return .time(try Instant(argument: text))
  }

  func validate() throws {
    if dryRun { try writing.requireNone() }
  }

  func perform(_ session: Session) throws -> ExitStatus {
    var options = CompactionOptions()
    options.historyLimit = historyBefore
    options.editing = writing.options(allowsMirrored: allowMirrored)
    let compactor = StoreCompactor(options: options, progress: session.progress)
    if dryRun {
      let plan = try compactor.plan(store)
      try show(plan, isAll: true, session)
      return .done
    }
    let summary = try compactor.compact(store, at: writing.target) { plan in
      try show(plan, isAll: false, session)
      try session.printer.finish()
    }
    try session.show(CompactMessage(summary: summary, store: store, target: writing.target))
    return .done
  }

  private func show(_ plan: CompactionPlan, isAll: Bool, _ session: Session) throws {
    try session.show(ForecastMessage(plan: plan, store: store, isAll: isAll))
    guard plan.keptFileCount > 0 else { return }
    let files = QuantityText.count(plan.keptFileCount, "orphaned file")
    let references = QuantityText.count(plan.brokenReferenceCount, "broken reference")
    try session.printer.warn(
      "kept-files",
      "\(store): \(files) may contain the data of \(references), and will not be removed. "
        + "`coffer verify` lists them.")
  }
}

/// The space that can be reclaimed, before anything is written.
struct ForecastMessage: Message {
  var plan: CompactionPlan
  /// The path of the store, as given.
  var store: String
  /// Whether this is the whole answer.
  var isAll: Bool

  func write(to printer: TextPrinter) throws {
    let name = Terminal.printable(store)
    let won = plan.wonByteCount
    let title = won > 0 ? "about \(QuantityText.bytes(won)) can be reclaimed" : "nothing to reclaim"
    try printer.line(printer.style.bold("\(name): \(title)"))
    var block = FieldBlock()
    block.add("store", QuantityText.bytes(plan.byteCount))
    if plan.freeByteCount > 0 {
      block.add("free pages", QuantityText.bytes(plan.freeByteCount))
    }
    switch plan.orphanedFileCount {
    case nil where plan.keptFileCount > 0:
      block.add("orphaned files", "\(QuantityText.count(plan.keptFileCount, "file")) kept")
    case nil: block.add("orphaned files", "unknown: the store has no copy of its model")
    case .some(0): break
    case .some(let count):
      block.add(
        "orphaned files",
        "\(QuantityText.bytes(plan.orphanedByteCount)), \(QuantityText.count(count, "file"))")
    }
    if plan.transactionCount > 0 || plan.changeCount > 0 {
      let size = plan.historyByteCount.map { "about \(QuantityText.bytes($0)), " } ?? ""
      block.add(
        "history",
        size + QuantityText.count(plan.transactionCount, "transaction") + ", "
          + QuantityText.count(plan.changeCount, "change"))
    }
    if won > 0 { block.add("needs", "\(QuantityText.bytes(plan.neededByteCount)) of free space") }
    try printer.block(block)
  }

  func write(to printer: JSONPrinter) throws {
    guard isAll else { return try printer.line(["type": "forecast"] + members) }
    var summary: JSONMembers = ["store": store]
    summary.append(contentsOf: members)
    try printer.summary(.done, summary)
  }

  private var members: JSONMembers {
    [
      "bytesBefore": plan.byteCount, "freePageBytes": plan.freeByteCount,
      "orphanedFiles": orNull(plan.orphanedFileCount), "orphanedFileBytes": plan.orphanedByteCount,
      "keptFiles": plan.keptFileCount, "brokenReferences": plan.brokenReferenceCount,
      "transactions": plan.transactionCount, "changes": plan.changeCount,
      "historyBytes": orNull(plan.historyByteCount), "wonBytes": plan.wonByteCount,
      "neededBytes": plan.neededByteCount,
    ]
  }
}

/// The result of a compaction.
struct CompactMessage: Message {
  var summary: CompactionSummary
  /// The path of the store, as given.
  var store: String
  /// The path of the new store, as given; nil if the store was replaced.
  var target: String?

  func write(to printer: TextPrinter) throws {
    guard let size = summary.byteCount else { return }
    let (before, after) = (QuantityText.bytes(summary.plan.byteCount), QuantityText.bytes(size))
    var parts = [before == after ? "\(after), as before" : "\(after) instead of \(before)"]
    if let count = summary.plan.orphanedFileCount, count > 0 {
      let files = QuantityText.count(count, "external file")
      parts.append("\(files) of \(QuantityText.bytes(summary.plan.orphanedByteCount)) removed")
    }
    let place = target.map { "Wrote \(Terminal.printable($0))" } ?? "Done"
    try printer.line("\(place): \(parts.joined(separator: ", "))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "store": store, "target": target ?? store, "storeUUID": orNull(summary.storeUUID),
        "written": summary.isWritten, "bytesBefore": summary.plan.byteCount,
        "bytesAfter": summary.byteCount ?? summary.plan.byteCount,
        "removedFiles": summary.isWritten ? summary.plan.orphanedFileCount ?? 0 : 0,
        "removedFileBytes": summary.isWritten ? summary.plan.orphanedByteCount : 0,
      ])
  }
}
