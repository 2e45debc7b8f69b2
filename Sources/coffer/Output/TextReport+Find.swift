internal import CofferKit
internal import Foundation

extension TextReport {
  /// How many names of entities are shown of a store.
  private static let shownEntities = 6

  func found(_ store: FoundStore) throws {
    try line(style.bold(printable(store.path)))
    if let place = store.devicePath { try line("  on the device: \(printable(place))") }
    if let problem = store.problem {
      try line("  \(style.yellow(printable(problem)))")
    } else {
      let objects = QuantityText.count(store.objectCount, "object")
      let entities = QuantityText.count(store.entityNames.count, "entity", "entities")
      try line("  \(objects) of \(entities): \(names(store.entityNames))")
    }
    let date = store.modified.map {
      Date(timeIntervalSince1970: $0).formatted(.iso8601.year().month().day())
    }
    let facts = [
      QuantityText.bytes(store.byteCount), store.frameworkEra, date.map { "written \($0)" },
    ]
    try line("  \(printable(facts.compactMap(\.self).joined(separator: ", ")))")
  }

  private func names(_ names: [String]) -> String {
    let more = names.count - Self.shownEntities
    let shown = names.prefix(Self.shownEntities).joined(separator: ", ")
    return printable(shown) + (more > 0 ? " and \(more) more" : "")
  }

  func searched(_ summary: FindSummary, status: ExitStatus) throws {
    let stores = QuantityText.count(summary.storeCount, "store")
    try line("\(stores) in \(QuantityText.count(summary.fileCount, "file"))")
  }
}
