internal import CofferKit

extension TextReport {
  func shaped(_ summary: DataExportSummary, to folder: String, status: ExitStatus) throws {
    let format = summary.format == .sqlite ? "an SQLite database" : summary.format.rawValue
    let objects = QuantityText.count(summary.objectCount, "object")
    try line("Wrote \(objects) to \(printable(folder)) as \(format)")
    let width = summary.parts.map { name(of: $0, summary.format).count }.max() ?? 0
    for part in summary.parts {
      let name = name(of: part, summary.format)
      let padding = String(repeating: " ", count: max(0, width - name.count))
      let unit = part.relationshipName == nil ? "object" : "pair"
      try line("  \(printable(name))\(padding)  \(QuantityText.count(part.count, unit))")
    }
    if summary.externalFileCount > 0 {
      try line("  external data: \(QuantityText.count(summary.externalFileCount, "file"))")
    }
    let leftOut = [
      (summary.excludedEntityCount, "entity", "entities"),
      (summary.otherTableCount, "table beside the objects", "tables beside the objects"),
      (summary.otherColumnCount, "column without meaning", "columns without meaning"),
    ].filter { $0.0 > 0 }.map { QuantityText.count($0.0, $0.1, $0.2) }
    if !leftOut.isEmpty { try line("  left out: \(leftOut.joined(separator: ", "))") }
  }

  /// What a part is called: its file, or in a database its table or view.
  private func name(of part: DataFile, _ format: DataFormat) -> String {
    guard format == .sqlite else { return part.fileName }
    return part.relationshipName.map { "\(part.entityName).\($0)" } ?? part.entityName
  }
}
