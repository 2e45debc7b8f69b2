/// A table of texts, the first column to the left, all others to the right.
struct Table {
  let header: [String]
  let rows: [[String]]

  /// The table in columns of blanks.
  var text: String {
    let lines = [header] + rows
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([header, rule] + rows).map { cells in
      zip(cells, widths).enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + blanks : blanks + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// The table for a page.
  var markdown: String {
    let rule = header.indices.map { $0 == 0 ? "---" : "---:" }
    return ([header, rule] + rows).map { cells in
      "| " + cells.map(Self.escaped).joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  private static func escaped(_ cell: String) -> String {
    cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
