internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport

extension FuzzTarget {
  /// The pages of a database, searched for rows without SQLite.
  static let pages = FuzzTarget(
    "pages", "the pages of a damaged store; rows have the layout of a table, and are found again",
    words: ["\u{d}", "\u{2}\u{1}"],
    seeds: { [try FuzzSamples.smallStore.get()] }
  ) { input in
    let layouts = try smallLayouts.get()
    let found = try rows(of: input, layouts)
    try hold(found.map(\.values) == rows(of: input, layouts).map(\.values), "other rows")
    for row in found {
      try hold(row.key > 0 && row.version > 0, "a row without a key or a version")
      try hold(row.layout.entityNumbers.contains(row.entityNumber), "a row of a foreign entity")
      try hold(row.values.count == row.layout.columns.count, "a row with other columns")
    }
    // It waits until a later change would show in time stamps: too long for every input.
    if input.count & 31 == 0 { try follow(input) }
  }

  /// Looks for the rows that differ between a sound store and its replacement.
  private static func follow(_ input: [UInt8]) throws {
    let path = try FuzzFolder.current().empty("followed") + "/Store.sqlite"
    try Data(FuzzSamples.smallStore.get()).write(to: URL(fileURLWithPath: path))
    let follower = try StoreFollower(of: path, copiesIn: nil, waiting: 0)
    try Data(input).write(to: URL(fileURLWithPath: path))
    if case .changed(let change) = try follower.look() { _ = try follower.changedRows(change) }
  }

  /// The layouts of the tables of the small store.
  private static let smallLayouts = Result {
    let folder = try TemporaryDirectory()
    let path = try folder.write(FuzzSamples.smallStore.get(), to: "Store.sqlite")
    return try PersistentStore(readingFrom: path).rowLayouts
  }

  private static func rows(of input: [UInt8], _ layouts: [RowLayout]) throws -> [FoundRow] {
    let pages = try DatabasePages(byteCount: input.count) { offset, count throws(CofferError) in
      Array(input.dropFirst(offset).prefix(count))
    }
    guard let pages else { return [] }
    var found: [FoundRow] = []
    try PageScan(pages, layouts).run(where: { _, _ in true }, found: { found.append($0) })
    return found
  }
}
