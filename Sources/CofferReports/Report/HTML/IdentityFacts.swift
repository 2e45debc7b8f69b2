internal import CofferCore
internal import CoreDataModel

/// What a page is about, at its beginning: whether it is healthy, the app, the system, the path and the UUID.
struct IdentityFacts {
  let report: StoreReport

  /// Folders whose next component is the bundle identifier or the name of an app.
  private static let appFolders = ["Containers", "Group Containers", "Application Support"]

  /// Writes the facts.
  func write(to page: inout HTMLText) {
    health(&page)
    var facts = FactList()
    facts.add(.text("App"), app.map { .name($0) })
    let inspection = report.inspection
    if let version = inspection.frameworkVersion {
      facts.add(
        "System", (inspection.frameworkEra.map { "\($0), " } ?? "") + "framework \(version)")
    }
    facts.add(.text("Path"), .code(inspection.path))
    facts.add(.text("Store UUID"), inspection.storeUUID.map { .code($0) })
    facts.write(to: &page)
  }

  /// The app by the history, otherwise by the folder of the file.
  private var app: String? {
    if let app = report.lastWriter { return app }
    let parts = report.inspection.path.split(separator: "/").map(String.init)
    for folder in Self.appFolders {
      // A simulator's and a device's containers are named by UUIDs.
      if let place = parts.lastIndex(of: folder), place + 2 < parts.count,
        UUIDText.bytes(parts[place + 1]) == nil
      {
        return parts[place + 1]
      }
    }
    return nil
  }

  private func health(_ page: inout HTMLText) {
    let findings = report.findings
    let errors = findings.count(of: .error)
    let counts = FindingSeverity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count(of: severity)
      return count == 0 ? nil : QuantityText.count(count, severity.word)
    }.joined(separator: ", ")
    let isDamaged = findings.problem != nil || errors > 0
    page.element("p", ["class": isDamaged ? "health error" : "health good"]) { page in
      page.element("strong") { page in
        page.write(
          findings.problem != nil
            ? "✕ Damaged: not all rows could be read."
            : errors > 0 ? "✕ Not healthy." : counts.isEmpty ? "✓ Healthy." : "✓ No errors.")
      }
      page.write(" ")
      page.element(
        "a", ["href": "#findings"],
        text: counts.isEmpty
          ? "\(QuantityText.count(findings.checks.count, "check")) found nothing" : counts)
    }
  }
}
