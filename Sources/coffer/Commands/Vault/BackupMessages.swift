internal import ArgumentParser
internal import CofferKit

struct BackupMadeMessage: Message {
  var summary: BackupSummary
  /// The store, as given.
  var store: String
  /// The vault, as given.
  var vault: String

  func write(to printer: TextPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let backup = summary.backup
    try printer.line("Backed up \(Terminal.printable(store)) to \(Terminal.printable(vault))")
    let reason = summary.fullReason.map { ": \($0.text)" } ?? ""
    try printer.line("  backup         \(backup.id), \(backup.kind.text)\(reason)")
    try printer.line("  series         \(Terminal.printable(backup.seriesTitle))")
    try printer.line("  size           \(QuantityText.bytes(backup.byteCount))")
    try printer.line("  content digest \(summary.contentDigest)")
  }

  func write(to printer: JSONPrinter) throws {
    try FindingsMessage(summary.findings).write(to: printer)
    let more: JSONMembers = [
      "source": store, "fullReason": summary.fullReason?.rawValue,
      "contentDigest": summary.contentDigest,
    ]
    try printer.line(["type": "backup"] + summary.backup.members + more)
  }
}

/// The reasons to end with a separate status although all backups were made.
enum BackupAlarm: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// An entity lost most of its objects.
  case wipe
}

/// The result of a run that backs up stores.
struct BackupsMadeMessage: Message {
  /// The vault, as given.
  var vault: String
  /// The number of backups that were made, and of stores that could not be backed up.
  private var (madeCount, failedCount) = (0, 0)
  private let alarm: BackupAlarm?
  private var isAlarming = false
  private var byteCount = 0
  /// The test cases of JUnit: one for each store, with its findings.
  private(set) var cases: [JUnitDocument.Case] = []

  init(vault: String, failingOn alarm: BackupAlarm? = nil) {
    (self.vault, self.alarm) = (vault, alarm)
  }

  mutating func add(_ summary: BackupSummary, _ store: String) {
    madeCount += 1
    byteCount += summary.backup.byteCount
    let wipes = alarm == nil ? [] : summary.findings.filter { $0.code == .silentWipe }
    isAlarming = isAlarming || !wipes.isEmpty || summary.baseDamage != nil
    cases.append(
      JUnitDocument.Case(
        className: "coffer", name: store,
        outcome: wipes.isEmpty
          ? .passed
          : .failed(
            type: FindingCode.silentWipe.text, message: FindingCode.silentWipe.meaning,
            text: wipes.map(\.description).joined(separator: "\n")),
        output: summary.findings.map(\.description).joined(separator: "\n")))
  }

  /// Counts a store that was not backed up.
  mutating func add(_ failure: Failure, _ store: String) {
    failedCount += 1
    cases.append(JUnitDocument.Case(className: "coffer", name: store, outcome: .broken(failure)))
  }

  var status: ExitStatus { failedCount > 0 ? .failed : isAlarming ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    guard madeCount + failedCount > 1 else { return }
    let made = QuantityText.count(madeCount, "backup")
    try printer.line("\(made) of \(QuantityText.bytes(byteCount))")
    if failedCount > 0 {
      try printer.complain("\(QuantityText.count(failedCount, "store")) could not be backed up")
    }
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      status,
      ["vault": vault, "backups": madeCount, "failed": failedCount, "bytes": byteCount])
  }
}

extension Backup {
  /// The description of a backup in lists.
  var members: JSONMembers {
    return [
      "id": id, "time": moment.description, "kind": kind.rawValue, "bytes": byteCount,
      "series": series.id, "storeUUID": storeUUID, "seriesName": series.name, "host": source?.host,
      "path": source?.path, "storeName": storeName, "file": fileName, "encrypted": isEncrypted,
    ]
  }

  /// The series in a listing: the name of the store's file, the name or the ID of the series, and the latest
  /// place of the store.
  var seriesTitle: String {
    let parts = [storeName, series.name ?? series.id, latestSource?.description]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The place of the store if it differs from the place in the listing of its series; else empty.
  var placeText: String {
    earlierPlace.map { Terminal.printable("  from \($0.place)") } ?? ""
  }

  /// The place of the store, and the place in the listing of its series; nil if they are the same.
  var earlierPlace: (place: String, latest: String)? {
    guard let place = source?.description, let latest = latestSource?.description, place != latest
    else { return nil }
    return (place, latest)
  }
}

extension SeriesNotice {
  func text(of backup: Backup, _ store: String) -> String {
    let series = backup.series.name ?? backup.series.id
    return switch self {
    case .moved(let place):
      "\(store): Its series \(series) was last at \(place), and continues here."
    case .unrecorded:
      "\(store): Its series \(series) does not record its store's path; coffer continues it with this store."
    case .another(let other, let place):
      "\(store): This is a new series, \(series). The store has the UUID of the series "
        + "\(other.name ?? other.id)\(place.map { " at \($0)" } ?? ""), which does not change. To continue "
        + "one series wherever the store is, name it with --series."
    }
  }
}

extension Backup.Kind {
  /// The kind in words.
  var text: String {
    switch self {
    case .full: "full"
    case .changes: "changes"
    }
  }
}

extension FullBackupReason {
  fileprivate var text: String {
    switch self {
    case .requested: "as asked for"
    case .first: "the first one of the store"
    case .longChain: "there are many backups of changes since the last full one"
    case .outgrown: "the changes since the last full one are larger than it"
    case .unknownBase: "this machine does not remember the latest backup, and cannot read it"
    case .incomparable: "the store cannot be compared with its latest backup"
    case .noRoom: "this machine has no disk space for the record of changes"
    case .changedMeanwhile: "the latest backup was forgotten, or files changed, meanwhile"
    }
  }
}
