internal import ArgumentParser
internal import CofferKit

extension Diff {
  /// Writes the changes from the first source to the second to a file.
  func writeChanges(to target: String, _ session: Session) throws -> ExitStatus {
    try InputFile.refuse(replacing: first, with: target)
    try InputFile.refuse(replacing: second, with: target)
    let comparison = StoreComparison(
      options: ComparisonOptions(access: .inPlace, archiveAccess: try reading.access(session)),
      progress: session.progress)
    let summary = try comparison.writeChanges(
      from: first, to: second, at: .file(target, overwriting: force))
    session.eraseProgress()
    let status = ComparisonMessage.status(of: summary.differences)
    try session.printer.print(ChangesMessage(summary: summary, file: target, status: status))
    return status
  }
}
