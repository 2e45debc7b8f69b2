import CoreDataArchive
import CoreDataLayout
import CoreDataModel
import CoreDataStore
internal import LibrarySupport
import StoreGenerator
import TestSupport
import Testing

@testable import CofferCore

/// Where parts end, and that a change of one row changes its part and at most the next one.
@Suite struct PartRuleTests {
  /// The examples of archive-format.md, section 3.2.
  @Test(
    arguments: [
      ([1], 297_042), ([2], 309_954), ([3], 59_481), ([7], 204_384), ([558], 181),
      ([-1], 468_684), ([.max], 86_847), ([1, 2], 386_767), ([2, 1], 459_631),
    ] as [([Int64], Int)])
  func aRowOfThisSizeIsTheSmallestThatEndsItsPart(_ key: [Int64], _ size: Int) {
    var rule = PartRule.standard
    rule.begin()
    for number in key { rule.add(number) }
    #expect(rule.ends(after: size))
    #expect(!rule.ends(after: size - 1))
  }

  @Test func aKeyThatIsNoIntegerEndsNoPart() {
    var rule = PartRule.standard
    rule.begin()
    rule.add(558)
    rule.add(nil)
    #expect(!rule.ends(after: 1 << 30))
    rule.begin()
    rule.add(558)
    #expect(rule.ends(after: 1 << 19))
  }

  /// One change after the other, of each kind, in stores whose tables have many parts: the rule is that
  /// of the format but for its average.
  @Test(arguments: 1...Effort.tries(UInt64(1)))
  func oneChangedRowChangesAtMostTwoParts(_ seed: UInt64) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Parts.sqlite")
    var options = GeneratorOptions()
    options.objectCount = 400
    options.seed = seed
    options.journal = .delete
    try StoreMaker.write(to: path, options)
    try Self.change(path, count: 330, seed: seed)
  }

  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func oneChangedRowOfARealStoreChangesAtMostTwoParts() throws {
    for (number, store) in RealStores.all.enumerated() where number % 6 == 0 {
      let folder = try TemporaryDirectory()
      try Self.change(
        try RealStores.copy(store, to: folder), count: 22, seed: UInt64(number), least: 0)
    }
  }

  /// Changes rows, and compares the parts of the table before and after each change.
  private static func change(
    _ path: String, count: Int, seed: UInt64, least: Int? = nil
  ) throws {
    var random = SeededGenerator(seed: seed)
    var parts = try Parts(of: path)
    var changed = 0
    for _ in 0..<(count * 40) where changed < count {
      guard let table = parts.tables.randomElement(using: &random) else { return }
      let change = RowChange.allCases.randomElement(using: &random) ?? .delete
      guard try change.make(in: table, of: path, &random) else { continue }
      let after = try Parts(of: path)
      let (old, new) = (
        parts.parts[table.storedName] ?? [], after.parts[table.storedName] ?? []
      )
      let (gone, came) = (old.subtracting(new).count, new.subtracting(old).count)
      #expect(
        gone <= 2 && came <= 2,
        "seed \(seed): \(change) in \(table.storedName): \(gone) of \(old.count) parts became \(came)"
      )
      if gone + came > 0 { changed += 1 }
      parts = after
    }
    #expect(changed >= least ?? count, "seed \(seed): only \(changed) changes")
  }
}

/// The parts of the tables with objects and pairs, with parts of 1 KiB on average.
private struct Parts {
  /// A table whose rows are changed.
  struct Table {
    var storedName: String
    var key: [String]
    var columns: [String]
  }

  var tables: [Table] = []
  /// By table, the bytes of each part.
  var parts: [String: Set<ContiguousArray<UInt8>>] = [:]

  init(of path: String) throws {
    let store = try PersistentStore.opened(path, .copy)
    let all = StoreTables(store)
    try store.use { database in
      for source in all.sources where [.entity, .relationship].contains(source.shape.kind) {
        var encoder = try TableEncoder(
          source, entities: all.entities, database: database, rule: PartRule(averageBits: 10))
        var found: Set<ContiguousArray<UInt8>> = []
        while try encoder.nextPart(progress: { _ in }) {
          let lines = unsafe encoder.encoder.lines.withUnsafeBytes { unsafe ContiguousArray($0) }
          let blobs = unsafe encoder.encoder.blobs.withUnsafeBytes { unsafe ContiguousArray($0) }
          found.insert(lines + blobs)
        }
        guard !found.isEmpty else { continue }
        parts[source.shape.storedName] = found
        let columns = source.shape.fields.map(\.storedName)
        tables.append(
          Table(
            storedName: source.shape.storedName,
            key: (source.plan.rowNumberColumn.map { [$0] } ?? source.plan.keyColumns)
              .map { columns[Int($0)] }, columns: columns))
      }
    }
  }
}

/// A change of a single row.
private enum RowChange: CaseIterable {
  case insertFirst, insertLast, insertBetween, delete, lengthen, shorten, blob

  /// Makes the change.
  ///
  /// - Returns: false where the table has no row or column for it, or a constraint forbids it.
  func make(
    in table: Parts.Table, of path: String, _ random: inout SeededGenerator
  ) throws -> Bool {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    let name = "\"\(table.storedName)\""
    let row = "(SELECT rowid FROM \(name) LIMIT 1 OFFSET \(random.below(100)))"
    let column = "\"\(table.columns[random.below(table.columns.count)])\""
    guard !table.key.contains(where: { "\"\($0)\"" == column }) else { return false }
    let statement =
      switch self {
      case .insertFirst: insert(table, "(SELECT min(\(table.key[0])) - 1 FROM \(name))", row)
      case .insertLast: insert(table, "(SELECT max(\(table.key[0])) + 1 FROM \(name))", row)
      case .insertBetween: insert(table, "\(random.below(900))", row)
      case .delete: "DELETE FROM \(name) WHERE rowid = \(row)"
      case .lengthen:
        "UPDATE \(name) SET \(column) = \(column) || '\(String(repeating: "x", count: random.below(3000)))' "
          + "WHERE rowid = \(row) AND typeof(\(column)) = 'text'"
      case .shorten:
        "UPDATE \(name) SET \(column) = substr(\(column), 1, 3) "
          + "WHERE rowid = \(row) AND typeof(\(column)) = 'text'"
      case .blob:
        "UPDATE \(name) SET \(column) = randomblob(\(random.below(4000))) "
          + "WHERE rowid = \(row) AND typeof(\(column)) = 'blob'"
      }
    guard (try? database.run(statement)) != nil else { return false }
    return try database.integer("SELECT changes()") == 1
  }

  private func insert(_ table: Parts.Table, _ key: String, _ row: String) -> String {
    let columns = table.columns.map { "\"\($0)\"" }
    let values = table.columns.map { $0 == table.key[0] ? key : "\"\($0)\"" }
    let name = "\"\(table.storedName)\""
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) SELECT "
      + "\(values.joined(separator: ", ")) FROM \(name) WHERE rowid = \(row)"
  }
}
