internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
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
    let environment = try keys.environment(session, limits: shaping.limits, model: explaining)
    var options = DataExportOptions(
      format: format, entityNames: shaping.entities,
      excludedEntityNames: shaping.excludedEntities, isReplacing: force)
    options.skipsEmpty = shaping.skipEmpty
    options.partition = shaping.partition?.value
    options.environment = environment
    let source = try session.sources.path(of: store, environment, progress: session.progress)
    let backup = session.sources.backup(at: source)
    options.source = backup?.latestSource
    options.seriesName = shaping.seriesName ?? backup?.series.name
    let exporter = DataExporter(
      options: options, progress: session.progress)
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

/// The result of an export for other programs.
struct DataExportMessage: Message {
  var summary: DataExportSummary

  /// The exit status.
  var status: ExitStatus { summary.isIncomplete ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    let format = summary.format == .sqlite ? "an SQLite database" : summary.format.rawValue
    let objects = QuantityText.count(summary.objectCount, "object")
    try printer.line("Wrote \(objects) to \(Terminal.printable(summary.folder)) as \(format)")
    let width = summary.parts.map { name(of: $0, summary.format).count }.max() ?? 0
    for part in summary.parts {
      let name = name(of: part, summary.format)
      let padding = String(repeating: " ", count: max(0, width - name.count))
      let unit = part.relationshipName == nil ? "object" : "pair"
      try printer.line(
        "  \(Terminal.printable(name))\(padding)  \(QuantityText.count(part.count, unit))")
    }
    if summary.externalFileCount > 0 {
      try printer.line("  external data: \(QuantityText.count(summary.externalFileCount, "file"))")
    }
    let leftOut = [
      (summary.excludedEntityCount, "entity", "entities"),
      (summary.otherTableCount, "other table", "other tables"),
      (summary.otherColumnCount, "unexplained column", "unexplained columns"),
    ].filter { $0.0 > 0 }.map { QuantityText.count($0.0, $0.1, $0.2) }
    if !leftOut.isEmpty { try printer.line("  left out: \(leftOut.joined(separator: ", "))") }
  }

  func write(to printer: JSONPrinter) throws {
    for part in summary.parts {
      var members: JSONObject = [
        "file": .string(part.fileName), "entity": .string(part.entityName),
      ]
      members.append("relationship", .text(part.relationshipName))
      let unit = part.relationshipName == nil ? "objects" : "pairs"
      members.append(unit, .number(part.count))
      try printer.line("written", members)
    }
    try printer.summary(
      status,
      [
        "folder": .string(summary.folder), "format": .string(summary.format.rawValue),
        "objects": .number(summary.objectCount), "pairs": .number(summary.pairCount),
        "files": .number(summary.fileNames.count),
        "externalFiles": .number(summary.externalFileCount),
        "excludedEntities": .number(summary.excludedEntityCount),
        "otherTables": .number(summary.otherTableCount),
        "otherColumns": .number(summary.otherColumnCount),
        "warnings": .array(
          summary.warnings.map {
            .object(["code": .string($0.code.rawValue), "count": .number($0.count)])
          }),
      ])
  }

  /// The name of a part: its file, or its table or view in a database.
  private func name(of part: DataFile, _ format: DataFormat) -> String {
    guard format == .sqlite else { return part.fileName }
    return part.relationshipName.map { "\(part.entityName).\($0)" } ?? part.entityName
  }
}
