internal import Foundation
internal import StoreGenerator

/// Random edits of any store, with SQL alone: rows of every kind of table are changed, removed, added
/// and moved, objects change their entity and their place among others, settings are changed, and files
/// come, go, and are replaced.
package struct RandomEdits {
  private var random: SeededGenerator

  /// Whether files come and go too.
  package var editsFiles = true

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A table that can be edited.
  private struct Table {
    var name: String
    var columns: [String]
    /// The columns that identify a row: the primary key, or the row number.
    var keys: [String]
  }

  /// Makes edits in a store that no one has open.
  package mutating func make(_ count: Int, in path: String) throws {
    let database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    let tables = try Self.tables(database)
    guard !tables.isEmpty else { return }
    for _ in 0..<count {
      let table = tables[random.below(tables.count)]
      // What breaks a rule of the schema is not made.
      _ = try? edit(table, database)
    }
    if random.chance(0.2) {
      try database.run("PRAGMA user_version = \(random.below(1000))")
    }
    for table in tables where table.columns.contains("Z_ENT") && table.name != "Z_PRIMARYKEY" {
      if random.chance(0.3) { try moveInTree(table, database) }
      if random.chance(0.3) { try reorder(table, database) }
      if editsFiles, random.chance(0.5) { try replaceFile(table, database, StoreFiles(path)) }
    }
    if editsFiles { try editFiles(of: StoreFiles(path)) }
  }

  private static func tables(_ database: GeneratorDatabase) throws -> [Table] {
    let names = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
        + "AND name NOT LIKE 'sqlite_%' AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE') "
        + "ORDER BY name")
    return try names.compactMap { row -> Table? in
      guard case .text(let bytes) = row[0] else { return nil }
      let name = String(decoding: bytes, as: UTF8.self)
      let columns = try database.rows(
        "SELECT name, pk FROM pragma_table_info(?)", [.string(name)])
      var keys: [(Int64, String)] = []
      var all: [String] = []
      for column in columns {
        guard case .text(let bytes) = column[0], case .integer(let position) = column[1] else {
          continue
        }
        let name = String(decoding: bytes, as: UTF8.self)
        all.append(name)
        if position > 0 { keys.append((position, name)) }
      }
      let sorted = keys.sorted { $0.0 < $1.0 }.map(\.1)
      return Table(name: name, columns: all, keys: sorted.isEmpty ? ["rowid"] : sorted)
    }
  }

  private mutating func edit(_ table: Table, _ database: GeneratorDatabase) throws {
    let name = "\"\(table.name)\""
    let count = Int(try database.integer("SELECT count(*) FROM \(name)") ?? 0)
    guard count > 0 else { return }
    if table.name == "Z_PRIMARYKEY" {
      // Without its entities and their numbers, it is another store.
      return try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT % 3 = \(random.below(3))")
    }
    let keys = table.keys.map { $0 == "rowid" ? $0 : "\"\($0)\"" }
    let key = try database.rows(
      "SELECT \(keys.joined(separator: ", ")) FROM \(name) LIMIT 1 OFFSET \(random.below(count))")[
        0]
    let condition = keys.map { "\($0) IS ?" }.joined(separator: " AND ")
    let column = table.columns[random.below(table.columns.count)]
    switch random.below(8) {
    case 0:
      guard count > 1 || random.chance(0.2) else { return }
      try database.run("DELETE FROM \(name) WHERE \(condition)", key)
    case 1:
      // A copy under another key.
      let others = table.columns.filter { !table.keys.contains($0) }.map { "\"\($0)\"" }
      let list = (keys.filter { $0 != "rowid" } + others).joined(separator: ", ")
      let values = keys.filter { $0 != "rowid" }.map { _ in "\(1000 + random.below(100_000))" }
      try database.run(
        "INSERT INTO \(name) (\(list)) SELECT \((values + others).joined(separator: ", ")) "
          + "FROM \(name) WHERE \(condition)", key)
    case 2 where !table.keys.contains(column):
      // Two rows exchange a value.
      let other = try database.rows(
        "SELECT \(keys.joined(separator: ", ")), \"\(column)\" FROM \(name) "
          + "LIMIT 1 OFFSET \(random.below(count))")[0]
      let own = try database.rows(
        "SELECT \"\(column)\" FROM \(name) WHERE \(condition)", key)[0][0]
      let set = "UPDATE \(name) SET \"\(column)\" = ? WHERE \(condition)"
      try database.run(set, [.null] + key)
      try database.run(set, [own] + other.dropLast())
      try database.run(set, [other[other.count - 1]] + key)
    default:
      guard !table.keys.contains(column) else { return }
      try database.run(
        "UPDATE \(name) SET \"\(column)\" = ? WHERE \(condition)", [value()] + key)
    }
  }

  /// Makes an object one of another entity of its tree.
  private mutating func moveInTree(_ table: Table, _ database: GeneratorDatabase) throws {
    let all = try database.rows(
      """
      WITH RECURSIVE
        top(e, s) AS (
          SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY
          WHERE Z_ENT = (SELECT Z_ENT FROM "\(table.name)" LIMIT 1)
          UNION SELECT p.Z_ENT, p.Z_SUPER FROM Z_PRIMARYKEY AS p JOIN top ON p.Z_ENT = top.s),
        tree(e) AS (
          SELECT e FROM top WHERE s = 0
          UNION SELECT p.Z_ENT FROM Z_PRIMARYKEY AS p JOIN tree ON p.Z_SUPER = tree.e)
      SELECT e FROM tree ORDER BY e
      """)
    guard all.count > 1 else { return }
    try database.run(
      "UPDATE \"\(table.name)\" SET Z_ENT = ? WHERE rowid = (SELECT rowid FROM \"\(table.name)\" "
        + "LIMIT 1 OFFSET \(random.below(6)))", all[random.below(all.count)])
  }

  /// Lets two neighbors in an ordered relationship change places.
  private mutating func reorder(_ table: Table, _ database: GeneratorDatabase) throws {
    guard let order = table.columns.first(where: { $0.hasPrefix("Z_FOK") }) else { return }
    let rows = try database.rows(
      "SELECT rowid, \(order) FROM \"\(table.name)\" WHERE \(order) IS NOT NULL "
        + "ORDER BY \(order) LIMIT 2 OFFSET \(random.below(4))")
    guard rows.count == 2 else { return }
    for (one, other) in [(rows[0], rows[1]), (rows[1], rows[0])] {
      try database.run(
        "UPDATE \"\(table.name)\" SET \(order) = ? WHERE rowid = ?", [one[1], other[0]])
    }
  }

  /// Replaces the file of an external value by another one, under a name of its own.
  private mutating func replaceFile(
    _ table: Table, _ database: GeneratorDatabase, _ store: StoreFiles
  ) throws {
    for column in table.columns {
      let rows = try database.rows(
        "SELECT rowid FROM \"\(table.name)\" WHERE typeof(\"\(column)\") = 'blob' "
          + "AND length(\"\(column)\") = 38 AND substr(\"\(column)\", 1, 1) = x'02' ORDER BY rowid")
      guard !rows.isEmpty else { continue }
      let name = UUID().uuidString
      try FileManager.default.createDirectory(
        atPath: store.externalDataFolder, withIntermediateDirectories: true)
      try Data(bytes(2000)).write(to: URL(fileURLWithPath: "\(store.externalDataFolder)/\(name)"))
      try database.run(
        "UPDATE \"\(table.name)\" SET \"\(column)\" = ? WHERE rowid = ?",
        [.external(name), rows[random.below(rows.count)][0]])
    }
  }

  /// A value of any storage class, sometimes a large one.
  private mutating func value() -> StoreValue {
    switch random.below(12) {
    case 0: .null
    case 1: .integer(Int64(bitPattern: random.next()))
    case 2: .integer(Int64(random.below(20)))
    case 3: .real(Double(random.below(1_000_000)) / 7)
    case 4: .real(Double(bitPattern: random.next() & 0x7fef_ffff_ffff_ffff))
    case 5: .blob(bytes(random.below(40)))
    case 6: .blob(bytes(1000 + random.below(3000)))
    case 7: .inline(bytes(1500))
    case 8: .text([0xff, 0x61, 0x00, 0x62])
    case 9 where random.chance(0.05): .blob(bytes((4 << 20) + 100))
    case 10 where random.chance(0.05):
      .text(Array(repeating: UInt8(ascii: "x"), count: (4 << 20) + 10))
    default: .string("new \(random.next()) “é\u{301}”")
    }
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    let start = random.next()
    return (0..<count).map { UInt8(truncatingIfNeeded: start &+ UInt64($0) &* 31) }
  }

  private mutating func editFiles(of store: StoreFiles) throws {
    let folder = store.externalDataFolder
    let names = store.externalFileNames
    if let name = names.first, random.chance(0.3) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    if let name = names.last, names.count > 1, random.chance(0.3) {
      try Data(bytes(3000)).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    if random.chance(0.3) {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data(bytes(200)).write(to: URL(fileURLWithPath: "\(folder)/\(UUID().uuidString)"))
    }
  }
}
