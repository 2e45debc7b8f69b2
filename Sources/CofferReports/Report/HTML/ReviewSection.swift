internal import CoreDataModel

/// Observations that may or may not be intended: repeated identifiers and attributes without values.
struct ReviewSection: HTMLSection {
  let report: StoreReport

  let identifier = "review"
  let title = "Worth a look"

  /// The number of names above which a list is folded.
  private static let maxCount = 20

  var isEmpty: Bool {
    report.repeatedKeys.isEmpty && report.unsetAttributes?.isEmpty ?? true
  }

  func write(to page: inout HTMLText) {
    page.element("p", ["class": "lead"], text: "Not defects, but perhaps unintended.")
    repeatedKeys(&page)
    unset(&page)
  }

  private func repeatedKeys(_ page: inout HTMLText) {
    let keys = report.repeatedKeys
    if keys.isEmpty { return }
    page.element("h3", ["id": "repeated-keys"], text: "Likely duplicates")
    page.element(
      "p", ["class": "lead"],
      text: "Attributes with names like identifiers whose values repeat.")
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
    guard let unset = report.unsetAttributes, !unset.isEmpty else { return }
    page.element("h3", ["id": "never-set"], text: "Never set")
    page.element("p", ["class": "lead"], text: "Attributes without any values, by entity.")
    var entities: [(name: Name, attributes: [Name])] = []
    var places: [Name: Int] = [:]
    for attribute in unset {
      if let place = places[attribute.entityName] {
        entities[place].attributes.append(attribute.name)
      } else {
        places[attribute.entityName] = entities.count
        entities.append((attribute.entityName, [attribute.name]))
      }
    }
    let table = DataTable(
      caption: "Attributes that are never set", hidesCaption: true,
      columns: [("Entity", .text), ("Attributes", .text)],
      rows: entities.map { [.name($0.name.text), .name($0.attributes.joined(separator: ", "))] })
    guard unset.count > Self.maxCount else { return table.write(to: &page) }
    let names = QuantityText.count(entities.count, "entity", "entities")
    page.fold("\(QuantityText.count(unset.count, "attribute")) of \(names)") {
      table.write(to: &$0)
    }
  }
}
