internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// An export to another shape than an archive.
extension Export {
  /// Makes sure that nothing was asked for that only an archive has.
  func validateDataExport(_ format: DataFormat) throws {
    if let target {
      throw ValidationError(
        "'--format \(format.rawValue)' writes to '--output-folder', and not to '\(target)' too.")
    }
    let ofArchives = [
      (level != nil, "--level"), (fast, "--fast"), (small, "--small"),
      (threads != nil, "--threads"),
      (salvage, "--salvage"), (!encrypting.recipients.isEmpty, "--encrypt-to"),
    ]
    if let option = ofArchives.first(where: \.0)?.1 {
      throw ValidationError(
        "'\(option)' belongs to archives, and '--format \(format.rawValue)' writes none. "
          + "For a backup: coffer export \(store) \(proposal) \(option) …")
    }
  }

  /// Writes the objects.
  func performDataExport(_ format: DataFormat, _ session: Session) throws -> ExitStatus {
    let folder = shaping.outputFolder ?? ""
    var keys = KeyOptions()
    keys.identityFiles = shaping.identityFiles
    keys.passphraseFile = encrypting.passphraseFile
    let access = try keys.access(session, limits: shaping.limits)
    var options = DataExportOptions(
      format: format, entityNames: shaping.entities,
      excludedEntityNames: shaping.excludedEntities, isReplacing: force)
    options.model = try explaining.given(access)
    let exporter = DataExporter(
      options: options, access: .inPlace, archiveAccess: access, progress: session.progress)
    let summary = try exporter.write(store, to: folder)
    session.eraseProgress()
    for warning in summary.warnings {
      try session.report.warned(
        warning.code.rawValue, "\(warning.code.meaning): \(QuantityText.count(warning.count))")
    }
    let status = summary.isIncomplete ? ExitStatus.findings : .done
    try session.report.shaped(summary, to: folder, status: status)
    return status
  }
}
