internal import CoreDataModel

/// What may be meant or not: equal identifiers, attributes without values, objects that nothing refers
/// to.
struct ReviewSection: HTMLSection {
  let report: StoreReport

  let identifier = "review"
  let title = "Worth a look"

  func write(to page: inout HTMLText) {
    page.element(
      "p", ["class": "lead"],
      text: report.findings.problem == nil
        ? "No defects, but perhaps not what was meant."
        : "Not all rows could be read, so nothing is known about these.")
    repeatedKeys(&page)
    unset(&page)
    unreferenced(&page)
  }

  private func repeatedKeys(_ page: inout HTMLText) {
    page.element("h3", ["id": "repeated-keys"], text: "Likely duplicates")
    let keys = report.repeatedKeys
    guard !keys.isEmpty else {
      return page.element(
        "p", ["class": "lead"],
        text: report.findings.problem == nil
          ? "No attribute that is called like an identifier has the same value twice." : "Unknown.")
    }
    page.element(
      "p", ["class": "lead"],
      text: "Attributes that are called like identifiers, with values that several objects have.")
    DataTable(
      caption: "Likely duplicates", hidesCaption: true,
      columns: [
        ("Attribute", .text), ("Objects", .number), ("Values", .number), ("For example", .text),
      ],
      rows: keys.map { key in
        [
          .name("\(key.entityName).\(key.name)"), DataTable.count(key.objectCount),
          DataTable.count(key.valueCount),
          .name(key.example.map(\.description).joined(separator: " and ")),
        ]
      }
    ).write(to: &page)
  }

  private func unset(_ page: inout HTMLText) {
    page.element("h3", ["id": "never-set"], text: "Never set")
    guard let unset = report.unsetAttributes, !unset.isEmpty else {
      return page.element(
        "p", ["class": "lead"],
        text: report.unsetAttributes == nil
          ? "Unknown." : "Every attribute has a value in some object.")
    }
    page.element(
      "p", ["class": "lead"], text: "Attributes that no object has a value of, by entity.")
    var entities: [(name: String, attributes: [String])] = []
    var places: [ExactString: Int] = [:]
    for attribute in unset {
      if let place = places[attribute.entityName] {
        entities[place].attributes.append(attribute.name)
      } else {
        places[attribute.entityName] = entities.count
        entities.append((attribute.entityName, [attribute.name]))
      }
    }
    DataTable(
      caption: "Attributes that are never set", hidesCaption: true, isStacked: true,
      columns: [("Entity", .text), ("Attributes", .text)],
      rows: entities.map { [.name($0.name), .name($0.attributes.joined(separator: ", "))] }
    ).write(to: &page)
  }

  private func unreferenced(_ page: inout HTMLText) {
    page.element("h3", ["id": "unreferenced"], text: "Objects that nothing refers to")
    guard let found = report.unreferenced, !found.isEmpty else {
      return page.element(
        "p", ["class": "lead"],
        text: report.unreferenced == nil
          ? "Unknown."
          : "A relationship leads to every object to which one could lead.")
    }
    page.element(
      "p", ["class": "lead"],
      text: "No relationship of another object leads to them, though one could.")
    DataTable(
      caption: "Objects that nothing refers to", hidesCaption: true,
      columns: [
        ("Entity", .text), ("Objects", .number), ("Not referred to", .bar), ("Share", .number),
      ],
      rows: found.map { one in
        [
          .name(one.entityName), DataTable.count(one.objectCount),
          DataTable.count(one.count, of: found.first?.count ?? 0),
          DataTable.share(one.count, of: one.objectCount),
        ]
      }
    ).write(to: &page)
  }
}
