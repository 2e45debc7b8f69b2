internal import CoreDataModel

/// How the objects were matched, and the number of differences of each entity.
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
    let counts = Dictionary(
      summary.entities.map { (ExactString($0.entityName), $0.counts) }
    ) { $1 }
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
          .name(matching.entityName), matching.rule.cell, DataTable.count(count.added),
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
          .name(matching.entityName), .name(path), DataTable.count(side.incompleteCount),
          DataTable.count(side.repeatedCount),
          .name(side.examples.map(\.description).joined(separator: ", ")),
        ]
      }
    }
    guard !rows.isEmpty else { return }
    DataTable(
      caption: "Objects that match nothing because of their keys",
      columns: [
        ("Entity", .text), ("In", .text), ("Without a value", .number),
        ("Same key as another", .number), ("Examples", .text),
      ], rows: rows
    ).write(to: &page)
  }
}

extension MatchingRule {
  /// The rule in a table.
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

  var title: String { counts.entityName }

  func write(to page: inout HTMLText) {
    for difference in differences where difference.kind == .changed {
      write(difference, &page)
    }
    rest(.changed, counts.counts.changed, &page)
    list(.added, "Added", counts.counts.added, &page)
    list(.removed, "Removed", counts.counts.removed, &page)
  }

  private func write(_ difference: ObjectDifference, _ page: inout HTMLText) {
    page.element("h3") { page in
      page.name(difference.objectID.description)
      if let old = difference.oldObjectID { page.write(" (was p\(old.primaryKey))") }
    }
    ValueTable(
      values: difference.properties.map { ($0.words, $0.oldValue, $0.newValue) }
    ).write(to: &page)
  }

  private func list(_ kind: ChangeKind, _ title: String, _ count: Int, _ page: inout HTMLText) {
    guard count > 0 else { return }
    page.element("h3", text: "\(title): \(QuantityText.count(count, "object"))")
    page.element("ul", ["class": "objects"]) { page in
      for difference in differences where difference.kind == kind {
        page.element("li") { $0.name(difference.objectID.description) }
      }
    }
    page.line()
    rest(kind, count, &page)
  }

  private func rest(_ kind: ChangeKind, _ count: Int, _ page: inout HTMLText) {
    let hidden = count - differences.count { $0.kind == kind }
    guard hidden > 0 else { return }
    page.element(
      "p", ["class": "lead"], text: "… and \(QuantityText.count(hidden)) more \(kind.rawValue)")
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

/// What differs besides the objects.
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
          return (
            fact.name.isEmpty ? subject : "\(subject): \(fact.name)", fact.oldValue, fact.newValue
          )
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

/// Values before and after, side by side, with the differing words marked.
struct ValueTable {
  var values: [(name: String, old: String?, new: String?)]

  func write(to page: inout HTMLText) {
    page.element("div", ["class": "scroll"]) { page in
      page.element("table", ["class": "sides"]) { page in
        page.element("thead") { page in
          page.element("tr") { page in
            for title in ["Property", "Before", "After"] {
              page.element("th", ["scope": "col"], text: title)
            }
          }
        }
        page.element("tbody") { page in
          for value in values {
            page.element("tr") { page in
              page.element("th", ["scope": "row"]) { $0.name(value.name) }
              write(value.old, value.new, &page)
            }
            page.line()
          }
        }
      }
    }
    page.line()
  }

  private func write(_ old: String?, _ new: String?, _ page: inout HTMLText) {
    let words: WordDifference? = if let old, let new { WordDifference(old, new) } else { nil }
    page.element("td") { Self.write(old, words?.old, "del", &$0) }
    page.element("td") { Self.write(new, words?.new, "ins", &$0) }
  }

  private static func write(
    _ text: String?, _ pieces: [WordDifference.Piece]?, _ mark: StaticString,
    _ page: inout HTMLText
  ) {
    guard let text else {
      return page.element("span", ["class": "none"], text: "nothing")
    }
    page.element("bdi") { page in
      for piece in pieces ?? [.init(text: text, isCommon: false)] {
        if piece.isCommon {
          page.write(piece.text)
        } else {
          page.element(mark, text: piece.text)
        }
      }
    }
  }
}
