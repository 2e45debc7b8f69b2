/// Names and values in two aligned columns.
struct FieldBlock {
  /// The maximum width of the first column.
  private static let widest = 34

  private var fields: [(name: String, value: String)] = []

  /// Adds a field, unless the value is nil.
  mutating func add(_ name: String, _ value: String?) {
    if let value { fields.append((Terminal.printable(name), Terminal.printable(value))) }
  }

  /// The lines, indented by two spaces.
  var lines: [String] {
    let width = fields.map(\.name.count).filter { $0 <= Self.widest }.max() ?? 0
    return fields.map { name, value in
      value.isEmpty
        ? "  \(name)"
        : "  \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(value)"
    }
  }
}

/// The lines of a table of text: aligned columns under a header.
struct AlignedRows {
  /// The maximum width to which later columns are aligned.
  private static let widest = 60

  private let widths: [Int]
  private let style: Style

  /// Measures rows; more rows may follow.
  init(measuring rows: [[String]], style: Style) {
    widths = (rows.first ?? []).indices.map { column in
      min(Self.widest, rows.map { $0[column].count }.max() ?? 0)
    }
    self.style = style
  }

  func line(_ row: [String], isHeader: Bool = false) -> String {
    let cells = zip(row, widths).enumerated().map { column, cell in
      let (text, width) = cell
      let padding = column == widths.count - 1 ? 0 : max(0, width - text.count)
      return (isHeader ? style.bold(text) : text) + String(repeating: " ", count: padding)
    }
    return cells.joined(separator: "  ")
  }
}
