internal import CofferKit
package import CoreDataArchive
internal import CoreDataLayout
internal import Foundation
internal import StoreGenerator
package import TestSupport
internal import Testing

/// Compares the result of a salvage with the sound twin: nothing is invented or lost silently.
package struct StoreSalvageOracle {
  package let store: SalvagedStore

  package init(store: SalvagedStore) { self.store = store }

  /// Records a deviation.
  package func expectNoProblems() throws {
    let problems = try problems()
    #expect(problems == [], "\(store.damage)")
  }

  /// What is not as it should be, in words.
  package func problems() throws -> [String] {
    let document = try Self.document(of: store.archive)
    let layout = try Self.layout(of: store.archive)
    let database = try GeneratorDatabase(path: store.twin)
    var problems: [String] = []
    for row in try database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table'") {
      guard case .text(let bytes) = row[0] else { continue }
      let table = String(decoding: bytes, as: UTF8.self)
      // Counters are raised, and SQLite keeps its own.
      guard table != "Z_PRIMARYKEY", !table.hasPrefix("sqlite_"), !table.hasPrefix("Z_RT_") else {
        continue
      }
      guard let shape = layout.tables.first(where: { $0.storedName == table }) else {
        if document?.isSchemaWhole != false { problems.append("\(table) was lost in silence") }
        continue
      }
      let losses = document?.tables.first { $0.folder == shape.folder }
      problems += try self.problems(of: shape, losses)
    }
    return problems
  }

  private func problems(
    of shape: TableLayout, _ losses: SalvageDocument.Table?
  ) throws -> [String] {
    let table = shape.storedName
    let columns = try GeneratorDatabase(path: store.twin)
      .rows("SELECT name FROM pragma_table_info('\(table)')").compactMap { row -> String? in
        if case .text(let name) = row[0] { String(decoding: name, as: UTF8.self) } else { nil }
      }
    let all = try SalvagedStore.rows(of: table, in: store.twin)
    let left = try SalvagedStore.rows(of: table, in: store.restored)
    // Pairs get new row numbers.
    if shape.kind == .relationship {
      return pairProblems(table, Set(all.values), Set(left.values), losses)
    }
    var problems: [String] = []
    let doubtful = Self.doubtfulRows(of: table, store.map, store.damage)
    let unread = Set((losses?.values ?? []).map(\.key))
    for (key, values) in left {
      guard let expected = all[key] else {
        problems.append("\(table): row \(key) is invented")
        continue
      }
      guard values != expected, !doubtful.contains(key) else { continue }
      let differing = zip(columns, zip(values, expected)).filter { $1.0 != $1.1 }
      if !unread.contains(key) || !differing.allSatisfy({ $1.0 == .null }) {
        problems.append("\(table): row \(key) differs in \(differing.map(\.0))")
      }
    }
    let lost = Set(all.keys).subtracting(left.keys)
    for key in lost.sorted() where !(losses.map { Self.reports(key, $0) } ?? false) {
      problems.append("\(table): row \(key) was lost in silence")
    }
    for rows in losses?.rows ?? [] where rows.isExact {
      for key in rows.first...(rows.last ?? rows.first) where !lost.contains(key) {
        problems.append("\(table): row \(key) was not lost")
      }
    }
    return problems
  }

  private func pairProblems(
    _ table: String, _ all: Set<[StoreValue]>, _ left: Set<[StoreValue]>,
    _ losses: SalvageDocument.Table?
  ) -> [String] {
    var problems: [String] = []
    if !left.isSubset(of: all) { problems.append("\(table): pairs are invented") }
    let lost = all.count - all.intersection(left).count
    if lost > (losses?.lostCount ?? 0), losses?.rows.contains(where: { $0.last == nil }) != true {
      problems.append("\(table): \(lost) pairs were lost, \(losses?.lostCount ?? 0) are told")
    }
    return problems
  }

  private static func reports(_ key: Int64, _ losses: SalvageDocument.Table) -> Bool {
    losses.rows.contains { $0.first <= key && key <= $0.last ?? .max }
  }

  /// The rows whose values SQLite cannot know to be wrong: the end of a chain of overflow pages has no
  /// mark of its own.
  package static func doubtfulRows(
    of table: String, _ map: PageMap, _ damage: [PageDamage]
  ) -> Set<Int64> {
    var rows: Set<Int64> = []
    for change in damage {
      let pages: [Int] =
        switch change {
        case .zeros(let page), .noise(let page, _): [page]
        case .swap(let first, let second): [first, second]
        case .copy(_, let page): [page]
        case .cut(let count): Array((count + 1)...(max(count + 1, map.pages.count)))
        }
      for number in pages {
        guard let page = map.pages.first(where: { $0.number == number }) else { continue }
        if page.kind == .overflow, page.object == table { rows.formUnion(page.rows) }
      }
    }
    return rows
  }

  /// The losses that an archive lists; nil if it lists none.
  package static func document(of archive: String) throws -> SalvageDocument? {
    guard
      let entry = try ArchiveRewriter(archive).entries.first(where: { $0.name == "salvage.json" })
    else { return nil }
    return try SalvageDocument(JSONValue.parse(entry.bytes))
  }

  private static func layout(of archive: String) throws -> LayoutDocument {
    let entries = try ArchiveRewriter(archive).entries
    guard let entry = entries.first(where: { $0.name == "store/layout.json" }) else {
      throw GeneratorError("no layout")
    }
    return try LayoutDocument(JSONValue.parse(entry.bytes))
  }
}
