internal import CofferComparison
internal import CoreDataModel

/// The matching of the objects, and the number of differences of each entity.
struct MatchingSection: HTMLSection {
  let summary: ComparisonSummary
  /// The paths of both sources.
  let paths: [String]

  let identifier = "overview"
  let title = "Overview"

  func write(to page: inout HTMLText) {
    if summary.isEqual {
      return page.element("p", ["class": "good"], text: "✓ There are no differences.")
    }
    let counts = Dictionary(summary.entities.map { ($0.entityName, $0.counts) }) { $1 }
    let most = summary.entities.map(\.counts.total).max() ?? 0
    let shown = summary.matching.filter { counts[$0.entityName] != nil }
    DataTable(
      caption: "Entities with differences",
      columns: [
        ("Entity", .text), ("Matched by", .text), ("Added", .number), ("Removed", .number),
        ("Changed", .number), ("Total", .bar),
      ],
      rows: shown.map { matching in
        let count = counts[matching.entityName] ?? .init()
        return [
          .name(matching.entityName.text), matching.rule.cell, DataTable.count(count.added),
          DataTable.count(count.removed), DataTable.count(count.changed),
          DataTable.count(count.total, of: most),
        ]
      }
    ).write(to: &page)
    unmatchable(&page)
    if summary.matchesKeysOfDifferentStores {
      page.element(
        "p", ["class": "problem"],
        text: "The stores have different UUIDs. Where objects were matched by primary key, objects "
          + "with the same key may have nothing in common.")
    }
  }

  private func unmatchable(_ page: inout HTMLText) {
    let rows = summary.matching.flatMap { matching in
      zip(paths, [matching.first, matching.second]).filter { $0.1.count > 0 }.map {
        path, side -> [DataTable.Cell] in
        [
          .name(matching.entityName.text), .name(path), DataTable.count(side.incompleteCount),
          DataTable.count(side.repeatedCount),
          .name(side.examples.map(\.description).joined(separator: ", ")),
        ]
      }
    }
    guard !rows.isEmpty else { return }
    DataTable(
      caption: "Objects without a match because of their keys",
      columns: [
        ("Entity", .text), ("In", .text), ("Without a value", .number),
        ("Same key as another", .number), ("Examples", .text),
      ], rows: rows
    ).write(to: &page)
  }
}

extension MatchingRule {
  fileprivate var cell: DataTable.Cell {
    switch self {
    case .naturalKey(let paths), .uniquenessConstraint(let paths):
      .name(paths.joined(separator: ", "))
    case .objectID: .text("primary key")
    }
  }
}

/// The differing objects of an entity.
struct ObjectDifferenceSection: HTMLSection {
  let identifier: String
  let counts: ComparisonSummary.EntityCounts
  let differences: [ObjectDifference]

  var title: String { counts.entityName.text }

  /// The number of objects shown with their values before the rest is folded.
  private static let most = 3

  func write(to page: inout HTMLText) {
    let changed = differences.filter { $0.kind == .changed }
    for difference in changed where !difference.isOfVersionOnly { write(difference, &page) }
    versions(changed.filter(\.isOfVersionOnly), &page)
    rest(.changed, counts.counts.changed, &page)
    list(.added, "Added", counts.counts.added, &page)
    list(.removed, "Removed", counts.counts.removed, &page)
  }

  private func write(_ difference: ObjectDifference, _ page: inout HTMLText) {
    page.element("h3") { page in
      page.name(difference.objectID.description)
      if let old = difference.oldObjectID { page.write(" (was p\(old.primaryKey))") }
    }
    ValueTable(values: difference.properties.map(Self.value)).write(to: &page)
  }

  private static func value(_ property: PropertyDifference) -> ValueTable.Value {
    .init(
      name: property.words, old: property.oldValue, new: property.newValue,
      isQuiet: property.subject == .version)
  }

  /// Objects that were saved without changing a value.
  private func versions(_ differences: [ObjectDifference], _ page: inout HTMLText) {
    guard !differences.isEmpty else { return }
    let count = QuantityText.count(differences.count, "object")
    page.fold("\(count) with another version, and the same values") { page in
      page.names(differences.map(\.objectID.description))
    }
  }

  /// Objects that only one source has, with their titles and values.
  private func list(_ kind: ChangeKind, _ title: String, _ count: Int, _ page: inout HTMLText) {
    guard count > 0 else { return }
    page.element("h3", text: "\(title): \(QuantityText.count(count, "object"))")
    let shown = differences.filter { $0.kind == kind }
    let described = shown.filter { !$0.properties.isEmpty }
    page.element("div", ["class": "entity-list"]) { page in
      for difference in described {
        page.element("details", described.count <= Self.most ? ["open": ""] : [:]) { page in
          page.element("summary") { page in
            page.element("span", ["class": "title"]) { page in
              page.name(difference.title ?? difference.objectID.description)
            }
            guard difference.title != nil else { return }
            page.write(" ")
            page.element("span", ["class": "note"]) { $0.name(difference.objectID.description) }
          }
          ValueTable(
            values: difference.properties.filter { $0.subject != .version }.map(Self.value),
            sides: kind == .added ? [.after] : [.before]
          ).write(to: &page)
        }
      }
    }
    page.line()
    let others = shown.filter(\.properties.isEmpty)
    if !others.isEmpty { page.names(others.map(\.objectID.description)) }
    rest(kind, count, &page)
  }

  private func rest(_ kind: ChangeKind, _ count: Int, _ page: inout HTMLText) {
    let hidden = count - differences.count { $0.kind == kind }
    guard hidden > 0 else { return }
    page.element(
      "p", ["class": "lead"], text: "… and \(QuantityText.count(hidden)) more \(kind.rawValue)")
  }
}

extension ObjectDifference {
  /// Whether only the version counter differs.
  fileprivate var isOfVersionOnly: Bool {
    !properties.isEmpty && properties.allSatisfy { $0.subject == .version }
  }

  /// A readable name for an object that only one source has: the text of an attribute with a name such
  /// as `title`; nil if there is none.
  fileprivate var title: String? {
    let texts = properties.filter { $0.subject == .attribute }.compactMap { property in
      (property.newValue ?? property.oldValue).map {
        (name: property.name.text.lowercased(), text: $0)
      }
    }
    for word in ["title", "name", "label", "subject", "text"] {
      let found = texts.first { $0.name == word } ?? texts.first { $0.name.hasSuffix(word) }
      if let text = found?.text, !text.isEmpty {
        return text.count > 80 ? text.prefix(80) + "…" : text
      }
    }
    return nil
  }
}

/// The differing pairs of a relationship.
struct PairDifferenceSection: HTMLSection {
  let identifier: String
  let title: String
  let counts: ComparisonSummary.Counts
  let differences: [PairDifference]

  func write(to page: inout HTMLText) {
    page.element("ul", ["class": "objects"]) { page in
      for pair in differences {
        let ends = [pair.source, pair.destination].map { $0.map { "p\($0)" } ?? "(no key)" }
        page.element("li", text: "\(pair.kind.rawValue): \(ends.joined(separator: " → "))")
      }
    }
    page.line()
    let hidden = counts.total - differences.count
    guard hidden > 0 else { return }
    page.element("p", ["class": "lead"], text: "… and \(QuantityText.count(hidden)) more")
  }
}

/// The differences outside the objects.
struct StoreDifferenceSection: HTMLSection {
  let summary: ComparisonSummary
  let facts: [StoreDifference]
  let files: [FileDifference]

  let identifier = "store"
  let title = "Store"

  func write(to page: inout HTMLText) {
    if !facts.isEmpty {
      ValueTable(
        values: facts.map { fact in
          let subject = fact.subject.rawValue.replacing("-", with: " ")
          return .init(
            name: fact.name.isEmpty ? subject : "\(subject): \(fact.name)", old: fact.oldValue,
            new: fact.newValue)
        }
      ).write(to: &page)
    }
    if !summary.tables.isEmpty {
      DataTable(
        caption: "Other tables",
        columns: [
          ("Table", .text), ("Added", .number), ("Removed", .number), ("Changed", .number),
        ],
        rows: summary.tables.map {
          [
            .name($0.tableName), DataTable.count($0.added), DataTable.count($0.removed),
            DataTable.count($0.changed),
          ]
        }
      ).write(to: &page)
    }
    if !files.isEmpty {
      DataTable(
        caption: "Files of external binary data",
        columns: [("File", .text), ("Change", .text), ("Before", .number), ("After", .number)],
        rows: files.map { file in
          let sizes = [file.oldByteCount, file.newByteCount].map {
            $0.map { DataTable.bytes($0) } ?? .empty
          }
          return [.name(file.name), .text(file.kind.rawValue)] + sizes
        }
      ).write(to: &page)
    }
    let hidden = summary.store.total + summary.externalData.total - facts.count - files.count
    if hidden > 0 {
      page.element("p", ["class": "lead"], text: "… and \(QuantityText.count(hidden)) more")
    }
  }
}
