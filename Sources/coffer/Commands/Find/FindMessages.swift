internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation

/// A store that a search found.
struct FoundStoreMessage: Message {
  /// The maximum number of entity names in text.
  private static let shownEntities = 6

  var store: FoundStore

  func write(to printer: TextPrinter) throws {
    try printer.line(printer.style.bold(Terminal.printable(store.path)))
    if let place = store.devicePath {
      try printer.line("  on the device: \(Terminal.printable(place))")
    }
    if let problem = store.problem {
      try printer.line("  \(printer.style.yellow(Terminal.printable(problem)))")
    } else {
      let objects = QuantityText.count(store.objectCount, "object")
      let entities = QuantityText.count(store.entityNames.count, "entity", "entities")
      try printer.line("  \(objects) of \(entities): \(names)")
    }
    let date = store.modified.map {
      Date(timeIntervalSince1970: $0).formatted(.iso8601.year().month().day())
    }
    let facts = [
      QuantityText.bytes(store.byteCount), store.frameworkEra, date.map { "written \($0)" },
    ]
    try printer.line("  \(Terminal.printable(facts.compactMap(\.self).joined(separator: ", ")))")
  }

  func write(to printer: JSONPrinter) throws {
    var object: JSONObject = [
      "path": .string(store.path), "bytes": .number(store.byteCount),
    ]
    object.append("devicePath", .text(store.devicePath))
    let date = store.modified.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) }
    object.append("modified", .text(date))
    object.append("uuid", .text(store.storeUUID))
    object.append("frameworkVersion", store.frameworkVersion.map { .integer($0) })
    object.append("frameworkEra", .text(store.frameworkEra))
    object.append("entities", .array(store.entityNames.map { .string($0) }))
    object.append("objects", .number(store.objectCount))
    object.append("problem", .text(store.problem))
    try printer.line("found", object)
  }

  /// The names of a few entities.
  private var names: String {
    Terminal.printable(store.entityNames.listed(most: Self.shownEntities))
  }
}

/// The result of a search.
struct FindMessage: Message {
  var summary: FindSummary

  func write(to printer: TextPrinter) throws {
    let stores = QuantityText.count(summary.storeCount, "store")
    try printer.line("\(stores) in \(QuantityText.count(summary.fileCount, "file"))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      .done,
      [
        "stores": .number(summary.storeCount), "files": .number(summary.fileCount),
        "unreadableFolders": .number(summary.unreadableFolders.count),
      ])
  }
}
