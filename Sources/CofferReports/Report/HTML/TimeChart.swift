/// A chart of a number over time: bars, or an area for accumulated numbers, with a table of the
/// same numbers.
///
/// The drawing fills the available width. The text around it is text of the page, so it stays
/// readable on a phone.
struct TimeChart {
  var title: String
  /// Whether the title is a name from the store.
  var isNamed = false
  /// A note next to the title, such as the total.
  var note: String
  /// The unit of the numbers, for the table.
  var unit: String
  /// The buckets with their labels in order of time; at least two.
  var buckets: [DateHistogram.Bucket]
  /// The length of a bucket.
  var span: DateHistogram.Unit
  /// Whether to draw an area.
  var isArea = false

  private static let height = 100

  /// Writes the chart.
  func write(to page: inout HTMLText) {
    let greatest = max(1, buckets.map(\.count).max() ?? 1)
    // A few bars across the whole page would look like many.
    let width = buckets.count < 6 ? "max-width:\(buckets.count * 4)rem" : ""
    page.element("figure", ["class": "time"]) { page in
      page.element("figcaption") { page in
        page.element("span", ["class": "title"]) { isNamed ? $0.name(title) : $0.write(title) }
        page.write(" ")
        page.element("span", ["class": "note"], text: note)
      }
      page.element("div", ["class": "plot", "style": width]) { page in
        page.element(
          "div", ["class": "top", "aria-hidden": "true"], text: QuantityText.count(greatest))
        draw(greatest, &page)
        axis(&page)
      }
      numbers(&page)
    }
    page.line()
  }

  private func draw(_ greatest: Int, _ page: inout HTMLText) {
    let (title, description) = (page.identifier(), page.identifier())
    let width = buckets.count * 10
    page.element(
      "svg",
      [
        "class": isArea ? "area" : "bars", "viewBox": "0 0 \(width) \(Self.height)",
        "preserveAspectRatio": "none", "role": "img",
        "aria-labelledby": "\(title) \(description)",
      ]
    ) { page in
      page.element("title", ["id": title], text: self.title)
      page.element("desc", ["id": description], text: summary(greatest))
      page.markup("<path class=\"grid\" d=\"M0 0H\(width)M0 50H\(width)\"/>")
      page.markup(isArea ? area(greatest) : bars(greatest))
      page.markup("<path class=\"base\" d=\"M0 100H\(width)\"/>")
    }
  }

  private func summary(_ greatest: Int) -> String {
    guard let first = buckets.first, let last = buckets.last else { return note }
    return "\(note); by \(span.rawValue) from \(first.label) to \(last.label), "
      + "at most \(QuantityText.count(greatest)). The numbers are in the table below."
  }

  private func bars(_ greatest: Int) -> String {
    buckets.enumerated().filter { $1.count > 0 }.map { place, bucket in
      let height = Self.thousandths(bucket.count, greatest)
      let label = HTMLText.escaped("\(bucket.label): \(QuantityText.count(bucket.count))")
      return "<rect x=\"\(place * 10 + 1)\" y=\"\(Self.tenths(1000 - height))\" width=\"8\" "
        + "height=\"\(Self.tenths(height))\"><title>\(label)</title></rect>"
    }.joined()
  }

  private func area(_ greatest: Int) -> String {
    let points = buckets.enumerated().map { place, bucket in
      let y = Self.tenths(1000 - Self.thousandths(bucket.count, greatest))
      return "L\(place * 10) \(y)H\(place * 10 + 10)"
    }.joined()
    let end = buckets.count * 10
    return "<path class=\"fill\" d=\"M0 100\(points)L\(end) 100Z\"/>"
      + "<path class=\"edge\" d=\"M\(points.dropFirst())\"/>"
  }

  /// A fraction of the maximum in thousandths; a nonzero number is always visible.
  private static func thousandths(_ count: Int, _ greatest: Int) -> Int {
    count > 0 ? max(15, Int((Double(count) / Double(greatest) * 1000).rounded())) : 0
  }

  /// Thousandths as a number up to 100.
  private static func tenths(_ thousandths: Int) -> String {
    thousandths % 10 == 0 ? "\(thousandths / 10)" : "\(thousandths / 10).\(thousandths % 10)"
  }

  /// The labels of the first, middle and last bucket.
  private func axis(_ page: inout HTMLText) {
    guard let first = buckets.first, let last = buckets.last else { return }
    page.element("div", ["class": "axis", "aria-hidden": "true"]) { page in
      page.element("span", text: first.label)
      if buckets.count > 4 { page.element("span", text: buckets[buckets.count / 2].label) }
      if buckets.count > 1 { page.element("span", text: last.label) }
    }
  }

  private func numbers(_ page: inout HTMLText) {
    page.element("details", ["class": "numbers"]) { page in
      page.element("summary") { page in
        page.write("Numbers")
        page.element("span", ["class": "hidden"], text: " of \(title)")
      }
      let filled = buckets.filter { isArea || $0.count > 0 }
      DataTable(
        caption: "\(title), by \(span.rawValue)", hidesCaption: true,
        columns: [(span.title, .text), (unit, .number)],
        rows: filled.map { [.text($0.label), DataTable.count($0.count)] }
      ).write(to: &page)
    }
  }
}

extension DateHistogram.Unit {
  /// The heading of a column for these units.
  fileprivate var title: String {
    switch self {
    case .day: "Day"
    case .week: "Week from"
    case .month: "Month"
    case .year: "Year"
    }
  }
}
