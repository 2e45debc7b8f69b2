internal import ArgumentParser
internal import CofferKit

extension Diff {
  /// Writes the changes from the first source to the second to a file.
  func writeChanges(to target: String, _ session: Session) throws -> ExitStatus {
    let comparison = StoreComparison(
      options: ComparisonOptions(access: .inPlace, archiveAccess: try reading.access(session)),
      progress: session.progress)
    let (left, right) = try sources(comparison.options.archiveAccess, session)
    for source in [left, right] { try InputFile.refuse(replacing: source, with: target) }
    let summary = try comparison.writeChanges(
      from: left, to: right, at: .file(target, overwriting: force))
    session.eraseProgress()
    let status = ComparisonMessage.status(of: summary.differences)
    try session.printer.print(ChangesMessage(summary: summary, file: target, status: status))
    return status
  }
}
