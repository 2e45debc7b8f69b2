internal import ArgumentParser
internal import CofferKit
internal import CoreDataModel

/// The command `coffer tables export FILE FOLDER --format FORMAT`.
struct TablesExport: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the objects of a store or an archive as CSV, NDJSON or SQLite.",
    usage: "coffer tables export <file> <folder> --format <format> [<options>]",
    discussion: HelpText.discussion(
      """
      Writes the objects for DuckDB, pandas and spreadsheets: a folder of CSV or NDJSON files, or an \
      SQLite database with the names in the model. This is not a backup: it keeps only the objects. \
      coffer tables import makes a new store from them.
      """,
      examples: [
        "coffer tables export Trips.sqlite Tables --format csv",
        "coffer tables export Trips.coffer.tar.gz Trips --format sqlite",
      ],
      statuses: [
        .findings: "a file of external binary data is missing",
        .unusableInput: "the file or entity does not exist, or the file is of another kind",
        .busy: nil, .damaged: nil, .newerFormat: nil, .outputExists: nil,
        .refused: "refused: a different model, other files in the folder, no key",
      ]))

  @Argument(help: .value("file", "The store or the archive."), completion: .file())
  var file: String

  @Argument(help: .value("folder", "The folder to create."), completion: .directory)
  var folder: String

  @OptionGroup var shaping: TablesExportArguments

  @Flag(help: "Replace an earlier output.")
  var force = false

  @OptionGroup var explaining: ModelOptions

  @OptionGroup var reading: ArchiveOptions

  @OptionGroup var output: OutputOptions

  var outputs: [String?] { [folder] }

  func perform(_ session: Session) throws -> ExitStatus {
    var environment = try reading.environment(session, model: explaining)
    let source = try session.sources.path(
      of: file, composing: &environment, progress: session.progress)
    var options = DataExportOptions(
      format: shaping.chosenFormat ?? .csv, entityNames: shaping.entities,
      excludedEntityNames: shaping.excludedEntities, overwriting: force)
    options.skipsEmpty = shaping.skipEmpty
    options.partition = shaping.partition?.value
    options.environment = environment
    let backup = session.sources.backup(at: source)
    options.source = backup?.latestSource
    options.seriesName = shaping.seriesName ?? backup?.series.name
    let exporter = DataExporter(options: options, progress: session.progress)
    let summary = try exporter.write(source, to: folder)
    session.eraseProgress()
    for warning in summary.warnings {
      try session.printer.warn(
        warning.code.rawValue, "\(warning.code.meaning): \(QuantityText.count(warning.count))")
    }
    return try session.showResult(DataExportMessage(summary: summary))
  }
}

/// The result of an export of tables.
struct DataExportMessage: ResultMessage {
  var summary: DataExportSummary

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
      var members: JSONMembers = [
        "type": "written", "file": part.fileName, "entity": part.entityName.text,
        "relationship": part.relationshipName?.text,
      ]
      let unit = part.relationshipName == nil ? "objects" : "pairs"
      members.append(unit, part.count)
      try printer.line(members)
    }
    try printer.summary(
      status,
      [
        "folder": summary.folder, "format": summary.format.rawValue,
        "objects": summary.objectCount, "pairs": summary.pairCount,
        "files": summary.fileNames.count,
        "externalFiles": summary.externalFileCount,
        "excludedEntities": summary.excludedEntityCount,
        "otherTables": summary.otherTableCount,
        "otherColumns": summary.otherColumnCount,
        "warnings": summary.warnings.map {
          JSONMembers(["code": $0.code.rawValue, "count": $0.count])
        },
      ])
  }

  /// The name of a part: its file, or its table or view in a database.
  private func name(of part: DataFile, _ format: DataFormat) -> String {
    guard format == .sqlite else { return part.fileName }
    return part.relationshipName.map { "\(part.entityName).\($0)" } ?? part.entityName.text
  }
}
