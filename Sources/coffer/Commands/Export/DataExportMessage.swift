internal import CofferKit
internal import CoreDataArchive

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
