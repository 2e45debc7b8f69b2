internal import CofferKit
internal import CoreDataModel

/// A transaction of a persistent history, or a change that it made.
struct HistoryEntryMessage: Message {
  var entry: HistoryEntry

  func write(to printer: TextPrinter) throws {
    switch entry {
    case .transaction(let transaction): try write(transaction, to: printer)
    case .change(let change): try write(change, to: printer)
    }
  }

  private func write(_ transaction: HistoryTransaction, to printer: TextPrinter) throws {
    var parts = [transaction.dateText ?? "at no known time", "transaction \(transaction.number)"]
    if !transaction.isRecorded { parts.append("which is not recorded") }
    if let author = transaction.author { parts.append("by \(author)") }
    let others = [
      ("context", transaction.contextName), ("program", transaction.bundleID),
      ("process", transaction.processID),
    ].compactMap { name, text in text.map { "\(name) \($0)" } }
    if !others.isEmpty { parts.append("(\(others.joined(separator: ", ")))") }
    try printer.line(printer.style.bold(Terminal.printable(parts.joined(separator: "  "))))
  }

  private func write(_ change: HistoryChange, to printer: TextPrinter) throws {
    let space = change.kind == .inserted ? "  " : "   "
    var text = "  \(change.kind.rawValue)\(space)\(change.objectID)"
    if change.kind == .updated {
      let names = change.propertyNames?.joined(separator: ", ") ?? "properties unknown"
      text += "  \(names.isEmpty ? "no properties" : names)"
    }
    text = Terminal.printable(text)
    switch change.kind {
    case .inserted: try printer.line(printer.style.green(text))
    case .updated: try printer.line(text)
    case .deleted: try printer.line(printer.style.red(text))
    }
  }

  func write(to printer: JSONPrinter) throws {
    switch entry {
    case .transaction(let transaction):
      try printer.line([
        "type": "transaction", "transaction": transaction.number, "time": transaction.dateText,
        "author": transaction.author, "context": transaction.contextName,
        "bundle": transaction.bundleID, "process": transaction.processID,
        "recorded": transaction.isRecorded,
      ])
    case .change(let change):
      var members: JSONMembers = [
        "type": "change", "transaction": change.transaction, "change": change.kind.rawValue,
        "entity": change.objectID.entityName.text, "object": change.objectID.description,
      ]
      let names = change.propertyNames.map { names in
        names.map(\.text)
      }
      members.append("properties", orNull(names))
      try printer.line(members)
    }
  }
}

/// The part of a persistent history that was shown.
struct HistoryMessage: Message {
  var summary: HistorySummary
  /// Whether only a part was requested.
  var isPart: Bool

  func write(to printer: TextPrinter) throws {
    guard summary.isKept else { return try printer.line("The store keeps no persistent history.") }
    let changes = QuantityText.count(summary.changeCount, "change")
    let transactions = QuantityText.count(summary.transactionCount, "transaction")
    try printer.line("\(changes) in \(transactions)")
    guard summary.unreadableCount > 0 else { return }
    let missing = QuantityText.count(summary.unreadableCount, "change")
    try printer.line("\(missing) cannot be read; 'coffer verify' shows why")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "kept": summary.isKept, "transactions": summary.transactionCount,
        "changes": summary.changeCount, "unreadableChanges": summary.unreadableCount,
      ])
  }
}
