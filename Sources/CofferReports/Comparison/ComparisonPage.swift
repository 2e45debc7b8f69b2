public import CofferComparison
internal import CoreDataArchive
internal import CoreDataModel

/// The differences between two stores as a page: one HTML file for people, with old and new values
/// side by side.
///
/// ```swift
/// let comparison = StoreComparison(options: ComparisonOptions(includesValues: true))
/// let page = Mutex(ComparisonPage(first: "Monday.sqlite", second: "Tuesday.sqlite"))
/// let summary = try await comparison.compare("Monday.sqlite", "Tuesday.sqlite") { difference in
///   page.withLock { $0.add(difference) }
/// }
/// let html = page.withLock { $0.html(summary) }
/// ```
///
/// Memory is bounded for any number of differences: differences beyond the page's limits are only
/// counted.
public struct ComparisonPage: Sendable {
  /// The maximum number of objects, and of pairs, in a section for each kind of change.
  static let maxInSection = 200
  /// The maximum size of all values in bytes.
  static let maxValueBytes = 8 << 20
  /// The maximum size of a value that is shown whole, in characters.
  static let longestValue = 4000

  /// The path of the first source.
  let first: String
  /// The path of the second source.
  let second: String
  private(set) var objects: [Name: [ObjectDifference]] = [:]
  private(set) var pairs: [Name: [PairDifference]] = [:]
  private(set) var facts: [StoreDifference] = []
  private(set) var files: [FileDifference] = []
  private var counts: [String: Int] = [:]
  private var valueBytes = 0

  /// Creates a page without differences.
  ///
  /// - Parameters:
  ///   - first: the path of the first source.
  ///   - second: the path of the second source.
  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }

  /// Adds a difference.
  public mutating func add(_ difference: Difference) {
    switch difference {
    case .object(let object):
      let entity = object.objectID.entityName
      guard hasRoom("object \(entity) \(object.kind)") else { return }
      objects[entity, default: []].append(fitted(object))
    case .pair(let pair):
      let name = "\(pair.entityName).\(pair.relationshipName)"
      guard hasRoom("pair \(name) \(pair.kind)") else { return }
      pairs[Name(name), default: []].append(pair)
    case .store(let fact):
      guard hasRoom("store") else { return }
      var fact = fact
      (fact.oldValue, fact.newValue) = (fitted(fact.oldValue), fitted(fact.newValue))
      facts.append(fact)
    case .externalData(let file):
      if hasRoom("file") { files.append(file) }
    case .rows: break
    }
  }

  private mutating func hasRoom(_ group: String) -> Bool {
    let count = counts[group, default: 0]
    guard count < Self.maxInSection, valueBytes < Self.maxValueBytes else { return false }
    counts[group] = count + 1
    return true
  }

  private mutating func fitted(_ object: ObjectDifference) -> ObjectDifference {
    var object = object
    for index in object.properties.indices {
      object.properties[index].oldValue = fitted(object.properties[index].oldValue)
      object.properties[index].newValue = fitted(object.properties[index].newValue)
    }
    return object
  }

  /// A value as text, cut where it is very long.
  private mutating func fitted(_ value: String?) -> String? {
    guard let value else { return nil }
    var text = value
    // Twelve bytes are the longest spelling of a character in JSON.
    if value.utf8.count <= 12 * Self.longestValue, value.hasPrefix("\""),
      case .string(let content)? = try? JSONValue.parse(Array(value.utf8))
    {
      text = content
    }
    if text.utf8.count > Self.longestValue, text.count > Self.longestValue {
      let rest = QuantityText.count(text.count - Self.longestValue, "more character")
      text = "\(text.prefix(Self.longestValue))… (\(rest))"
    }
    valueBytes += text.utf8.count
    return text
  }

  /// The text of the page.
  ///
  /// - Parameter summary: the result of the comparison whose differences were added.
  /// - Returns: a page that loads nothing and runs nothing but its search box.
  public func html(_ summary: ComparisonSummary) -> String {
    let names = [first, second].map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return HTMLPage(
      title: "\(names[0]) and \(names[1]) – differences", kind: "Differences",
      style: HTMLStyle.text + DifferenceStyle.text, sections: sections(summary)
    ).text { page in
      page.element("h1") { page in
        page.name(names[0])
        page.write(" → ")
        page.name(names[1])
      }
      tiles(summary, &page)
    }
  }

  private func sections(_ summary: ComparisonSummary) -> [any HTMLSection] {
    var sections: [any HTMLSection] = [MatchingSection(summary: summary, paths: [first, second])]
    for (number, entity) in summary.entities.enumerated() {
      sections.append(
        ObjectDifferenceSection(
          identifier: "entity-\(number + 1)", counts: entity,
          differences: objects[entity.entityName] ?? []))
    }
    for (number, relationship) in summary.relationships.enumerated() {
      let name = "\(relationship.entityName).\(relationship.relationshipName)"
      sections.append(
        PairDifferenceSection(
          identifier: "relationship-\(number + 1)", title: name, counts: relationship.counts,
          differences: pairs[Name(name)] ?? []))
    }
    if summary.store.total > 0 || !summary.tables.isEmpty || summary.externalData.total > 0 {
      sections.append(StoreDifferenceSection(summary: summary, facts: facts, files: files))
    }
    return sections
  }

  private func tiles(_ summary: ComparisonSummary, _ page: inout HTMLText) {
    let counts = summary.objects
    page.element("dl", ["class": "tiles"]) { page in
      for (name, count) in [
        ("Objects added", counts.added), ("Objects removed", counts.removed),
        ("Objects changed", counts.changed), ("Pairs", summary.pairs.total),
      ] {
        page.element("div") { page in
          page.element("dt", text: name)
          page.element("dd", ["class": "figure"], text: QuantityText.count(count))
        }
      }
    }
    page.line()
  }
}

/// The style rules of a comparison page, in addition to the rules of a report.
///
/// Their colors come from the palettes of ``HTMLStyle``. Removed text is also struck through, and
/// added text underlined, for people who do not see colors.
enum DifferenceStyle {
  static let text = """
    .sides{table-layout:fixed}.sides th:first-child{width:22%}
    .sides td{white-space:pre-wrap}
    .sides del{color:var(--error);text-decoration:line-through}
    .sides ins{color:var(--good);text-decoration:underline}
    .quiet{color:var(--muted);font-size:.85rem}.quiet th{font-weight:400}
    .none{color:var(--muted);font-style:italic}
    .objects{columns:14rem;padding-left:1.2rem}
    @media screen and (max-width:40rem){.sides thead{display:none}.sides,.sides tbody,.sides tr{display:block}
    .sides th,.sides td{display:block;width:auto!important;max-width:none;border:0;padding:.1rem 0;
    overflow-wrap:anywhere}
    .sides tr{padding:.4rem 0;border-bottom:1px solid var(--line)}
    .sides td::before{content:attr(data-title)": ";color:var(--muted)}.one td::before{content:none}}
    @media print{.sides del,.sides ins{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
