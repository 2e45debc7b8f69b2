internal import CoreDataModel

/// The relationships and their numbers of destinations.
struct RelationshipSection: HTMLSection {
  let report: StoreReport

  let identifier = "relationships"
  let title = "Relationships"

  var isEmpty: Bool { report.relationships.isEmpty && report.findings.problem == nil }

  func write(to page: inout HTMLText) {
    let all = report.relationships
    let used = all.filter { $0.ownerCount > 0 }
    if report.findings.problem != nil {
      page.element(
        "p", ["class": "lead"],
        text: "Not all rows could be read, so destinations were not counted.")
    } else if used.isEmpty {
      page.element("p", ["class": "lead"], text: "No object has a relationship.")
    }
    toMany(used.filter(\.relationship.isToMany), &page)
    toOne(used.filter { !$0.relationship.isToMany }, &page)
    let unused = all.filter { $0.ownerCount == 0 }
    guard !unused.isEmpty else { return }
    page.element("details") { page in
      page.element(
        "summary",
        text: "\(QuantityText.count(unused.count, "relationship")) of entities without objects")
      page.names(unused.map { "\($0.entityName).\($0.relationship.name)" })
    }
    page.line()
  }

  // MARK: To-many

  private func toMany(_ all: [RelationshipFanOut], _ page: inout HTMLText) {
    guard !all.isEmpty else { return }
    page.element("h3", text: "To-many")
    page.element(
      "p", ["class": "lead"],
      text: "The number of destinations of an object: minimum, median, mean and maximum.")
    DataTable(
      caption: "Fan-out of the to-many relationships", hidesCaption: true,
      columns: [
        ("Relationship", .text), ("Destination", .text), ("Objects", .number), ("Not empty", .bar),
        ("Minimum", .number), ("Median", .number), ("Mean", .number), ("Maximum", .number),
      ],
      rows: all.map { one in
        [
          .name("\(one.entityName).\(one.relationship.name)"),
          .name(
            one.relationship.destinationName.text + (one.relationship.isOrdered ? ", ordered" : "")),
          DataTable.count(one.ownerCount), DataTable.share(one.filledCount, of: one.ownerCount),
          DataTable.count(one.least), .number(Self.text(median: one.median)),
          .number(Self.text(one.mean)),
          DataTable.count(one.greatest),
        ]
      }
    ).write(to: &page)
    for one in all where one.greatest > 1 { distribution(one, &page) }
  }

  /// A median, which is a whole number or half of one.
  private static func text(median: Double) -> String {
    let halves = Int(min(median, 1e15) * 2)
    return QuantityText.count(halves / 2) + (halves % 2 == 0 ? "" : ".5")
  }

  private static func text(_ mean: Double) -> String {
    guard mean < 1_000_000 else { return QuantityText.count(Int(mean)) }
    let hundredths = Int((mean * 100).rounded())
    let fraction = hundredths % 100
    return "\(QuantityText.count(hundredths / 100)).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  private func distribution(_ one: RelationshipFanOut, _ page: inout HTMLText) {
    page.element("details") { page in
      page.element("summary") { page in
        page.write("Distribution of ")
        page.name("\(one.entityName).\(one.relationship.name)")
      }
      let most = one.steps.map(\.ownerCount).max() ?? 0
      DataTable(
        caption: "Objects by number of destinations",
        columns: [("Destinations", .text), ("Objects", .bar)],
        rows: one.steps.map { step in
          let text =
            step.least == step.greatest
            ? QuantityText.count(step.least)
            : "\(QuantityText.count(step.least)) to \(QuantityText.count(step.greatest))"
          return [.text(text), DataTable.count(step.ownerCount, of: most)]
        }
      ).write(to: &page)
      DataTable(
        caption: "Objects with the most destinations",
        columns: [("Object", .text), ("Destinations", .bar)],
        rows: one.hubs.map {
          [.name($0.objectID.description), DataTable.count($0.count, of: one.greatest)]
        }
      ).write(to: &page)
    }
    page.line()
  }

  // MARK: To-one

  private func toOne(_ all: [RelationshipFanOut], _ page: inout HTMLText) {
    guard !all.isEmpty else { return }
    page.element("h3", text: "To-one")
    DataTable(
      caption: "To-one relationships", hidesCaption: true,
      columns: [
        ("Relationship", .text), ("Destination", .text), ("Objects", .number), ("Not empty", .bar),
        ("Empty", .number),
      ],
      rows: all.map { one in
        [
          .name("\(one.entityName).\(one.relationship.name)"),
          .name(one.relationship.destinationName.text), DataTable.count(one.ownerCount),
          DataTable.share(one.filledCount, of: one.ownerCount), DataTable.count(one.emptyCount),
        ]
      }
    ).write(to: &page)
  }
}
