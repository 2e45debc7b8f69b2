internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel
internal import Foundation

/// The data export.
extension Export {
  /// Refuses options that apply only to archives.
  func validateDataExport(_ format: DataFormat) throws {
    if let target {
      throw ValidationError(
        "'--format \(format.rawValue)' writes to '--output-folder'; remove '\(target)'.")
    }
    let ofArchives = [
      (compression != nil, "--compression"), (level != nil, "--level"), (fast, "--fast"),
      (small, "--small"),
      (threads != nil, "--threads"),
      (salvage, "--salvage"), (!skippedCodes.isEmpty, "--skip"), (failOn != nil, "--fail-on"),
      (!encrypting.recipients.isEmpty, "--encrypt-to"),
    ]
    if let option = ofArchives.first(where: \.0)?.1 {
      throw ValidationError(
        "'\(option)' applies only to archives and cannot be combined with '--format \(format.rawValue)'. "
          + "For a backup: coffer export \(store) \(proposal) \(option) …")
    }
  }

  /// Refuses an archive name with the extension of another format, and suggests `--format`.
  func refuseOtherFormats() throws {
    let endings: [String: DataFormat] = [
      "csv": .csv, "json": .ndjson, "ndjson": .ndjson, "jsonl": .ndjson, "db": .sqlite,
      "sqlite": .sqlite, "sqlite3": .sqlite,
    ]
    guard let target, let dot = target.lastIndex(of: "."), dot > target.startIndex,
      let format = endings[target[dot...].dropFirst().lowercased()],
      // A later check reports that the output would replace the input, with a better message.
      URL(fileURLWithPath: target).standardizedFileURL
        != URL(fileURLWithPath: store).standardizedFileURL
    else { return }
    throw ValidationError(
      "'\(target)' is not the name of an archive, such as \(proposal). Did you mean: "
        + "coffer export \(store) --format \(format.rawValue) --output-folder \(target[..<dot])")
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
    options.skipsEmpty = shaping.skipEmpty
    options.partition = shaping.partition?.value
    options.model = try explaining.given(access)
    let source = try session.sources.path(of: store, access, progress: session.progress)
    let backup = session.sources.backup(at: source)
    options.source = backup?.latestSource
    options.seriesName = shaping.seriesName ?? backup?.series.name
    let exporter = DataExporter(
      options: options, access: .inPlace, archiveAccess: access, progress: session.progress)
    let summary = try exporter.write(source, to: folder)
    session.eraseProgress()
    for warning in summary.warnings {
      try session.printer.warn(
        warning.code.rawValue, "\(warning.code.meaning): \(QuantityText.count(warning.count))")
    }
    let message = DataExportMessage(summary: summary)
    try session.printer.print(message)
    return message.status
  }
}
