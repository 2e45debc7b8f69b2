internal import CoreDataModel
internal import CoreDataStore
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
