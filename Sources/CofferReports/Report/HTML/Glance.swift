internal import CofferCore
internal import CoreDataModel

/// The facts that people look for first, in a few lines below the key figures.
struct Glance {
  let report: StoreReport

  /// The number of names in a line.
  private static let maxCount = 4

  private var inspection: Inspection { report.inspection }
  private var isComplete: Bool { report.findings.problem == nil }

  func write(to page: inout HTMLText) {
    page.element("section", ["class": "glance", "aria-labelledby": "glance-title"]) { page in
      page.element("h2", ["id": "glance-title"], text: "At a glance")
      page.element("dl") { page in
        findings(&page)
        line("Changed last", &page, isWhole: true, changed)
        if inspection.kind == .store {
          if inspection.freeByteCount ?? 0 > 0 { line("Free pages", &page) { $0.write(free) } }
          if inspection.logByteCount ?? 0 > 0 { line("Write-ahead log", &page) { $0.write(log) } }
        }
        if isComplete, !report.repeatedKeys.isEmpty {
          line("Likely duplicates", &page, duplicates)
        }
        if let unset = report.unsetAttributes, !unset.isEmpty {
          line("Never set", &page) { self.unset(unset, &$0) }
        }
      }
    }
    page.line()
  }

  private func line(
    _ name: String, _ page: inout HTMLText, isWhole: Bool = false,
    _ body: (inout HTMLText) -> Void
  ) {
    page.element("div", isWhole ? ["class": "whole"] : [:]) { page in
      page.element("dt", text: name)
      page.element("dd") { body(&$0) }
    }
  }

  private func findings(_ page: inout HTMLText) {
    let groups = report.findings.groups
    guard !groups.isEmpty else { return }
    line("Findings", &page, isWhole: true) { page in
      for (place, group) in groups.prefix(Self.maxCount).enumerated() {
        if place > 0 { page.write(", ") }
        let severity = group.code.severity
        page.element("span", ["class": "badge \(severity.rawValue)"], text: severity.sign)
        page.write(" \(QuantityText.count(group.count)) ")
        page.element(
          "a", ["href": "#\(FindingSection.identifier(of: group.code))"], text: group.code.text)
      }
      if groups.count > Self.maxCount {
        page.write(" and \(QuantityText.count(groups.count - Self.maxCount, "more kind"))")
      }
    }
  }

  // MARK: The file

  private var free: String {
    let (free, all) = (inspection.freeByteCount ?? 0, inspection.byteCount ?? 0)
    let share = all > 0 ? Int((Double(free) / Double(all) * 100).rounded()) : 0
    return "\(QuantityText.bytes(free)), \(share) % of the file"
  }

  private var log: String {
    "\(QuantityText.bytes(inspection.logByteCount ?? 0)) in addition to the main file"
  }

  // MARK: The objects

  private func changed(_ page: inout HTMLText) {
    if let last = report.lastTransaction {
      page.write((last.date.map(Self.plain) ?? "At an unknown time") + ": ")
      for (place, entity) in last.entities.prefix(Self.maxCount).enumerated() {
        if place > 0 { page.write(", ") }
        let counts = [
          (entity.insertionCount, "inserted"), (entity.updateCount, "updated"),
          (entity.deletionCount, "deleted"),
        ].filter { $0.0 > 0 }.map { "\(QuantityText.count($0.0)) \($0.1)" }
        page.name(entity.name.text)
        page.write(" \(counts.joined(separator: ", "))")
      }
      more(last.entities.count, &page)
    } else if let date = report.latestDate {
      page.write("\(date.day), the latest ")
      page.name("\(date.entityName).\(date.name)")
    } else {
      page.write("not recorded")
    }
  }

  /// A time for people, to the second.
  private static func plain(_ date: String) -> String {
    String(date.prefix(19).replacing("T", with: " "))
  }

  private func duplicates(_ page: inout HTMLText) {
    for (place, key) in report.repeatedKeys.prefix(Self.maxCount).enumerated() {
      if place > 0 { page.write(", ") }
      page.write("\(QuantityText.count(key.objectCount, "object")) with equal ")
      page.name("\(key.entityName).\(key.name)")
    }
    more(report.repeatedKeys.count, &page)
    look("repeated-keys", "likely duplicates", &page)
  }

  private func unset(_ unset: [AttributeSize], _ page: inout HTMLText) {
    let entities = Set(unset.map { $0.entityName }).count
    page.write(
      "\(QuantityText.count(unset.count, "attribute")) of "
        + QuantityText.count(entities, "entity", "entities"))
    look("never-set", "attributes that are never set", &page)
  }

  private func more(_ count: Int, _ page: inout HTMLText) {
    if count > Self.maxCount {
      page.write(" and \(QuantityText.count(count - Self.maxCount)) more")
    }
  }

  private func look(_ identifier: String, _ words: String, _ page: inout HTMLText) {
    page.write(" ")
    page.element("a", ["href": "#\(identifier)"]) { page in
      page.write("Show")
      page.element("span", ["class": "hidden"], text: " \(words)")
    }
  }
}
