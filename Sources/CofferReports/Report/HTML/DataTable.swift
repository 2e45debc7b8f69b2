/// A table of a page, with bars next to the numbers: a chart and a table in one.
struct DataTable {
  /// The content of a column and its alignment.
  enum Kind {
    case text
    case number
    case bar
  }

  /// One value.
  enum Cell {
    case name(String)
    case text(String)
    /// A number as text, and its fraction of the maximum for a bar.
    case number(String, fraction: Double = 0)
    case empty
  }

  var caption: String
  /// Whether the caption is only for people who do not see the heading above.
  var hidesCaption = false
  /// Whether all rows are shown at once; otherwise the rows of a long table are folded.
  var isWhole = false
  /// The titles and kinds of the columns; the first one names the rows.
  var columns: [(title: String, kind: Kind)]
  var rows: [[Cell]]

  /// The number of rows that a long table shows at once, and the number from which on it is long.
  private static let (most, long) = (8, 12)

  /// A number of things, with its fraction of the maximum.
  static func count(_ number: Int, of greatest: Int = 0) -> Cell {
    .number(QuantityText.count(number), fraction: fraction(number, greatest))
  }

  /// A number of bytes, with its fraction of the maximum.
  static func bytes(_ number: Int, of greatest: Int = 0) -> Cell {
    .number(QuantityText.bytes(number), fraction: fraction(number, greatest))
  }

  /// A percentage, with a bar.
  static func share(_ part: Int, of whole: Int) -> Cell {
    guard whole > 0 else { return .number("–") }
    let tenths = (Double(part) / Double(whole) * 1000).rounded()
    let isEdge = part == 0 || part == whole
    // Nearly all is not all, and nearly nothing is not nothing.
    let shown = isEdge ? tenths : min(max(tenths, 1), 999)
    let text = "\(Int(shown) / 10)" + (isEdge ? "" : ".\(Int(shown) % 10)") + " %"
    return .number(text, fraction: fraction(part, whole))
  }

  private static func fraction(_ part: Int, _ whole: Int) -> Double {
    whole > 0 ? min(max(Double(part) / Double(whole), 0), 1) : 0
  }

  /// Writes the table; a narrow window shows the cells of a row one below the other, with their titles.
  func write(to page: inout HTMLText) {
    guard !isWhole, rows.count >= Self.long else { return writeAll(to: &page) }
    var (first, rest) = (self, self)
    (first.isWhole, first.rows) = (true, Array(rows.prefix(Self.most)))
    (rest.isWhole, rest.rows) = (true, Array(rows.dropFirst(Self.most)))
    (rest.caption, rest.hidesCaption) = (caption + ", the others", true)
    first.write(to: &page)
    page.fold("\(QuantityText.count(rest.rows.count)) more") { rest.write(to: &$0) }
  }

  private func writeAll(to page: inout HTMLText) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": "stacked"]) { page in
        page.element("caption", hidesCaption ? ["class": "hidden"] : [:], text: caption)
        page.element("thead") { page in
          page.element("tr") { page in
            for column in columns { head(column, &page) }
          }
        }
        page.element("tbody") { page in
          for row in rows {
            page.element("tr") { page in
              for (place, cell) in row.enumerated() where place < columns.count {
                write(cell, columns[place], isFirst: place == 0, &page)
              }
            }
            page.line()
          }
        }
      }
    }
    page.line()
  }

  private func head(_ column: (title: String, kind: Kind), _ page: inout HTMLText) {
    switch column.kind {
    case .text: page.element("th", ["scope": "col"], text: column.title)
    case .number: page.element("th", ["scope": "col", "class": "number"], text: column.title)
    case .bar: page.element("th", ["scope": "col", "class": "measure"], text: column.title)
    }
  }

  private func write(
    _ cell: Cell, _ column: (title: String, kind: Kind), isFirst: Bool, _ page: inout HTMLText
  ) {
    if isFirst { return page.element("th", ["scope": "row"]) { Self.content(cell, &$0) } }
    // The title next to the cell in a narrow window.
    let title = column.title
    switch column.kind {
    case .text: page.element("td", ["data-title": title]) { Self.content(cell, &$0) }
    case .number:
      page.element("td", ["class": "number", "data-title": title]) { Self.content(cell, &$0) }
    case .bar:
      page.element("td", ["class": "measure", "data-title": title]) { page in
        page.element("div") { page in
          page.element("span") { Self.content(cell, &$0) }
          if case .number(_, let fraction) = cell { page.markup(Self.bar(fraction)) }
        }
      }
    }
  }

  private static func content(_ cell: Cell, _ page: inout HTMLText) {
    switch cell {
    case .name(let name): page.name(name)
    case .text(let text), .number(let text, _): page.write(text)
    case .empty: break
    }
  }

  /// A bar that fills the available width.
  private static func bar(_ fraction: Double) -> String {
    // A nonzero value is always visible.
    let thousandths = fraction > 0 ? max(4, Int((fraction * 1000).rounded())) : 0
    return "<svg aria-hidden=\"true\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\">"
      + "<rect width=\"\(thousandths)\" height=\"10\"/></svg>"
  }
}
