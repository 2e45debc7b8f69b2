internal import CofferCore
internal import CoreDataModel

/// The growth of the store: from its persistent history and its date attributes.
struct GrowthSection: HTMLSection {
  let report: StoreReport

  let identifier = "growth"
  let title = "Growth over time"

  /// The number of charts that are visible at once.
  private static let most = 6

  var isEmpty: Bool {
    report.history == nil && report.dates.isEmpty && report.findings.problem == nil
  }

  func write(to page: inout HTMLText) {
    history(&page)
    dates(&page)
  }

  // MARK: History

  private func history(_ page: inout HTMLText) {
    guard let history = report.history else {
      if report.findings.problem != nil {
        page.element("p", ["class": "lead"], text: "Not all of the history could be read.")
      }
      return
    }
    page.element("h3", text: "From the persistent history")
    if history.transactions.buckets.count > 1 {
      charts(history, &page)
    } else {
      page.element("p", text: Self.words(history))
    }
    if history.outsideCount > 0 {
      page.element(
        "p",
        text: "\(QuantityText.count(history.outsideCount)) of them have no date from 1900 to 2199.")
    }
    changes(history, &page)
  }

  /// A history on a single day, in one sentence.
  private static func words(_ history: HistoryGrowth) -> String {
    let insertions = QuantityText.count(history.insertions.count, "insertion")
    let updates = QuantityText.count(history.updates.count, "update")
    let deletions = QuantityText.count(history.deletions.count, "deletion")
    let transactions = QuantityText.count(history.transactions.count, "transaction")
    let day = history.transactions.buckets.first?.label ?? ""
    return "All on \(day): \(insertions), \(updates) and \(deletions) in \(transactions)."
  }

  private func charts(_ history: HistoryGrowth, _ page: inout HTMLText) {
    let unit = history.transactions.unit
    let current = report.inspection.objectCount
    if let counts = history.objectCounts(now: current) {
      let buckets = zip(history.insertions.buckets, counts).map {
        DateHistogram.Bucket(label: $0.label, count: $1)
      }
      page.element("div", ["class": "wide"]) { page in
        TimeChart(
          title: "Objects",
          note:
            "at the end of each \(unit.rawValue), counted back from \(QuantityText.count(current))",
          unit: "Objects", buckets: buckets, span: unit, isArea: true
        ).write(to: &page)
      }
    }
    page.element("div", ["class": "charts"]) { page in
      chart("Insertions", history.insertions, &page)
      chart("Updates", history.updates, &page)
      chart("Deletions", history.deletions, &page)
      chart("Transactions", history.transactions, &page)
    }
  }

  private func chart(_ title: String, _ histogram: DateHistogram, _ page: inout HTMLText) {
    guard histogram.count > 0 else { return }
    TimeChart(
      title: title,
      note: "\(QuantityText.count(histogram.count)) by \(histogram.unit.rawValue)",
      unit: title, buckets: histogram.buckets, span: histogram.unit
    ).write(to: &page)
  }

  private func changes(_ history: HistoryGrowth, _ page: inout HTMLText) {
    guard !history.entities.isEmpty else { return }
    let most = history.entities.first?.count ?? 0
    DataTable(
      caption: "Changes of each entity",
      columns: [
        ("Entity", .text), ("Changes", .bar), ("Inserted", .number), ("Updated", .number),
        ("Deleted", .number),
      ],
      rows: history.entities.map { entity in
        [
          .name(entity.name.text), DataTable.count(entity.count, of: most),
          DataTable.count(entity.insertionCount), DataTable.count(entity.updateCount),
          DataTable.count(entity.deletionCount),
        ]
      }
    ).write(to: &page)
  }

  // MARK: Dates

  private func dates(_ page: inout HTMLText) {
    let dates = report.dates
    if dates.isEmpty { return }
    page.element("h3", text: "From date attributes")
    page.element(
      "p", ["class": "lead"],
      text:
        "The number of values in each period. These charts often show growth even if there is no "
        + "history.")
    let courses = dates.filter { $0.histogram.buckets.count > 1 }
    charts(courses.prefix(Self.most), &page)
    if courses.count > Self.most {
      page.element("details") { page in
        let count = QuantityText.count(courses.count - Self.most, "attribute")
        page.element("summary", text: "\(count) with fewer values")
        charts(courses.dropFirst(Self.most), &page)
      }
      page.line()
    }
    single(dates.filter { $0.histogram.buckets.count <= 1 }, &page)
  }

  private func charts(_ dates: some Collection<DateGrowth>, _ page: inout HTMLText) {
    guard !dates.isEmpty else { return }
    page.element("div", ["class": "charts"]) { page in
      for date in dates { chart(date, &page) }
    }
  }

  private func chart(_ date: DateGrowth, _ page: inout HTMLText) {
    let histogram = date.histogram
    var note = "\(QuantityText.count(histogram.count, "value")) by \(histogram.unit.rawValue)"
    if date.outsideCount > 0 {
      note += "; \(QuantityText.count(date.outsideCount)) before 1900 or after 2199, not drawn"
    }
    TimeChart(
      title: "\(date.entityName).\(date.name)", isNamed: true, note: note, unit: "Values",
      buckets: histogram.buckets, span: histogram.unit
    ).write(to: &page)
  }

  /// A table of the attributes with values on a single day.
  private func single(_ dates: [DateGrowth], _ page: inout HTMLText) {
    guard !dates.isEmpty else { return }
    DataTable(
      caption: "Attributes with values on a single day",
      columns: [
        ("Attribute", .text), ("Values", .number), ("Day", .text),
        ("Before 1900 or after 2199", .number),
      ],
      rows: dates.map { date in
        [
          .name("\(date.entityName).\(date.name)"), DataTable.count(date.histogram.count),
          .text(date.histogram.buckets.first?.label ?? "–"), DataTable.count(date.outsideCount),
        ]
      }
    ).write(to: &page)
  }
}
