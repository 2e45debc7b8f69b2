internal import CofferKit

/// The space that can be reclaimed, before anything is written.
struct ForecastMessage: Message {
  var plan: CompactionPlan
  /// The path of the store, as given.
  var store: String
  /// Whether nothing follows.
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
    guard isAll else { return try printer.line("forecast", members) }
    var summary: JSONObject = ["store": .string(store)]
    summary.append(contentsOf: members)
    try printer.summary(.done, summary)
  }

  private var members: JSONObject {
    [
      "bytesBefore": .number(plan.byteCount), "freePageBytes": .number(plan.freeByteCount),
      "orphanedFiles": plan.orphanedFileCount.map { .number($0) } ?? .null,
      "orphanedFileBytes": .number(plan.orphanedByteCount),
      "transactions": .number(plan.transactionCount), "changes": .number(plan.changeCount),
      "historyBytes": plan.historyByteCount.map { .number($0) } ?? .null,
      "wonBytes": .number(plan.wonByteCount), "neededBytes": .number(plan.neededByteCount),
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
        "store": .string(store), "target": .string(target ?? store),
        "storeUUID": .text(summary.storeUUID) ?? .null, "written": .bool(summary.isWritten),
        "bytesBefore": .number(summary.plan.byteCount),
        "bytesAfter": .number(summary.byteCount ?? summary.plan.byteCount),
        "removedFiles": .number(summary.isWritten ? summary.plan.orphanedFileCount ?? 0 : 0),
        "removedFileBytes": .number(summary.isWritten ? summary.plan.orphanedByteCount : 0),
      ])
  }
}
