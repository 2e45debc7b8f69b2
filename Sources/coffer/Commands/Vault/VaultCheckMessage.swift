internal import CofferKit

/// The result of a check or of a drill.
struct CheckMessage: ResultMessage {
  var summary: VaultCheckSummary
  /// The vault, as given.
  var vault: String
  var action: Action

  /// An action on backups, as a word that begins a sentence.
  enum Action: String {
    case checked = "Checked"
    case restored = "Restored"
  }

  var status: ExitStatus { summary.problems.isEmpty ? .done : .findings }

  func write(to printer: TextPrinter) throws {
    for note in summary.notes { try printer.line("note: \(text(of: note))") }
    for problem in summary.problems { try printer.complain(text(of: problem)) }
    let tried = QuantityText.count(summary.backups.count, "backup")
    let failed = action == .restored ? summary.unusable.count : 0
    let backups = failed > 0 ? "\(summary.backups.count - failed) of \(tried)" : tried
    let stores = QuantityText.series(in: summary.backups)
    let read = summary.readByteCount
    try printer.line(
      "\(action.rawValue) \(backups) of \(stores)\(read > 0 ? ", read \(QuantityText.bytes(read))" : "")"
    )
    guard status == .findings else { return }
    if !summary.unusable.isEmpty {
      let ids = summary.backups.map(\.id).filter(summary.unusable.contains)
      try printer.complain("cannot be restored: \(ids.joined(separator: ", "))")
    }
    try printer.complain(QuantityText.count(summary.problems.count, "problem"))
  }

  private func text(of problem: VaultProblem) -> String {
    Terminal.printable(
      "\(problem.backup?.fileName ?? vault): \(problem.kind.meaning)\(problem.detail)")
  }

  func write(to printer: JSONPrinter) throws {
    for problem in summary.notes + summary.problems {
      let type = problem.kind.isNote ? "note" : "problem"
      let members: JSONMembers = [
        type: problem.kind.rawValue, "series": problem.backup?.series.id,
        "storeUUID": problem.backup?.storeUUID, "id": problem.backup?.id,
        "file": problem.backup?.fileName, "detail": problem.detail,
      ]
      try printer.line(["type": type] + members)
    }
    try printer.summary(
      status,
      [
        "vault": vault, "backups": summary.backups.count,
        "series": Set(summary.backups.map(\.series)).count,
        "stores": Set(summary.backups.map(\.storeUUID)).count, "problems": summary.problems.count,
        "notes": summary.notes.count,
        "unusable": summary.backups.map(\.id).filter(summary.unusable.contains),
        "readBytes": summary.readByteCount,
      ])
  }

  /// The test suites of JUnit: one for each store, with a test case for each backup, and one for problems
  /// of the vault itself.
  var suites: [JUnitDocument.Suite] {
    let lacks = summary.problems.filter { $0.backup == nil }.map { problem in
      let kind = problem.kind.rawValue
      return JUnitDocument.Case(
        className: "coffer", name: vault,
        outcome: .failed(type: kind, message: kind, text: problem.detail))
    }
    return storeSuites + (lacks.isEmpty ? [] : [JUnitDocument.Suite(name: vault, cases: lacks)])
  }

  private var storeSuites: [JUnitDocument.Suite] {
    let stores = Dictionary(grouping: summary.backups, by: \.series)
    return stores.keys.sorted().map { series in
      let backups = stores[series] ?? []
      return JUnitDocument.Suite(
        name: series.name ?? backups.first?.storeName ?? series.id,
        cases: backups.map { backup in
          JUnitDocument.Case(
            className: "coffer.\(series.id)", name: backup.id, outcome: outcome(of: backup),
            output: summary.notes.filter { $0.backup == backup }
              .map { "\($0.kind.meaning)\($0.detail)" }.joined(separator: "\n"))
        })
    }
  }

  private func outcome(of backup: Backup) -> JUnitDocument.Outcome {
    let found = summary.problems.filter { $0.backup == backup }
    guard !found.isEmpty || summary.unusable.contains(backup.id) else { return .passed }
    let kind = (found.first?.kind ?? .brokenChain).rawValue
    let text =
      found.isEmpty
      ? "it needs a file that is damaged" : found.map(\.detail).joined(separator: "\n")
    return .failed(type: kind, message: kind, text: text)
  }
}

extension VaultProblem.Kind {
  /// The text before the detail; empty if the detail is enough.
  fileprivate var meaning: String {
    switch self {
    case .oldErrors: "it had errors in its data when it was backed up: "
    case .invalidData: "the restored store has errors that the backup does not have: "
    default: ""
    }
  }
}

extension QuantityText {
  static func series(in backups: [Backup]) -> String {
    "\(Set(backups.map(\.series)).count) series"
  }
}

extension StoreCommand {
  func report(
    _ format: ReportFormat?, _ action: CheckMessage.Action, on vault: String, _ session: Session,
    _ body: () throws -> VaultCheckSummary
  ) throws -> ExitStatus {
    func check() throws -> CheckMessage {
      let message = CheckMessage(summary: try body(), vault: vault, action: action)
      session.eraseProgress()
      for found in message.summary.continuations {
        try session.printer.warn(
          "series",
          "The series \(found.latest.seriesTitle) has no backup since \(found.latest.moment), and may continue as "
            + "\(found.successor.seriesTitle).")
      }
      if let error = message.summary.noteFailure {
        try session.printer.warn(
          "not-noted",
          "The vault cannot record that the backup is intact, so forget may remove it. \(error)")
      }
      return message
    }
    guard format == .junit else {
      return try session.showResult(try check())
    }
    return try writingJUnit(vault, session) { suites in
      let message = try check()
      suites = message.suites
      return message.status
    }
  }
}
