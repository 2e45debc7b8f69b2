internal import Foundation
internal import StoreGenerator

/// Compares two stores bit by bit, with SQLite alone and without any code of the product.
///
/// Both are copied first, with their `-wal` and `-journal`, so that neither is touched. Compared are
/// the schema as a set of statements; every row of every table by storage class and exact bits, in
/// the order of the primary key, or of the rowid where there is none (which is then compared too);
/// page size, auto-vacuum, encoding, user version, application id and journal mode; and the files in
/// the support folder. Rows of virtual tables are those of their shadow tables.
package struct StoreComparer: Sendable {
  /// The maximum number of differences to report for one table.
  private static let toldPerTable = 3

  /// The tables whose rows are not compared.
  package var ignoredTables: Set<String> = []
  /// Whether the files of the support folder are compared.
  package var comparesFiles = true

  /// Creates a comparer of everything.
  package init() {}

  /// The differences in words, one each; empty when the stores are the same.
  package static func differences(_ first: String, _ second: String) throws -> [String] {
    try StoreComparer().differences(first, second)
  }

  /// The differences in words, one each; empty when the stores are the same.
  ///
  /// - Throws: when one of them is not there or not readable.
  package func differences(_ first: String, _ second: String) throws -> [String] {
    let folder = try TemporaryDirectory()
    let a = try Self.open(first, as: "a", in: folder)
    let b = try Self.open(second, as: "b", in: folder)
    var found = try schemaDifferences(a, b)
    found += try settingDifferences(a, b)
    for table in try Self.tables(a) where try Self.tables(b).contains(table) {
      if ignoredTables.contains(table) { continue }
      found += try rowDifferences(a, b, table)
    }
    let integrity = try b.integrity()
    if integrity != "ok" { found.append("integrity: \(integrity)") }
    if comparesFiles { found += try Self.fileDifferences(first, second) }
    return found
  }

  private static func open(
    _ path: String, as name: String, in folder: TemporaryDirectory
  ) throws -> ComparerDatabase {
    let copy = folder.file(name)
    for suffix in ["", "-wal", "-journal"]
    where FileManager.default.fileExists(atPath: path + suffix) {
      let data = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
      try data.write(to: URL(fileURLWithPath: copy + suffix))
    }
    return try ComparerDatabase(path: copy)
  }

  private func schemaDifferences(_ a: ComparerDatabase, _ b: ComparerDatabase) throws -> [String] {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master"
    let (first, second) = (Set(try a.texts(sql)), Set(try b.texts(sql)))
    func text(_ row: [String?]) -> String {
      row.map { $0 ?? "NULL" }.joined(separator: " | ")
    }
    return first.subtracting(second).map { "schema: only in the first: \(text($0))" }.sorted()
      + second.subtracting(first).map { "schema: only in the second: \(text($0))" }.sorted()
  }

  private func settingDifferences(_ a: ComparerDatabase, _ b: ComparerDatabase) throws -> [String] {
    let names = [
      "page_size", "auto_vacuum", "encoding", "user_version", "application_id", "journal_mode",
    ]
    return try names.compactMap { name in
      let (first, second) = (try a.texts("PRAGMA \(name)"), try b.texts("PRAGMA \(name)"))
      return first == second ? nil : "\(name): \(first) became \(second)"
    }
  }

  /// The tables that hold rows of their own.
  private static func tables(_ database: ComparerDatabase) throws -> [String] {
    let rows = try database.texts(
      """
      SELECT name FROM sqlite_master WHERE type = 'table'
      AND upper(sql) NOT LIKE 'CREATE VIRTUAL%' ORDER BY name
      """)
    return rows.compactMap { $0.first.flatMap(\.self) }
  }

  private func rowDifferences(
    _ a: ComparerDatabase, _ b: ComparerDatabase, _ table: String
  ) throws -> [String] {
    let columns = try Self.columns(of: table, a)
    let (first, second) = (try a.prepare(columns.query), try b.prepare(columns.query))
    var found: [String] = []
    var number = 0
    while found.count < Self.toldPerTable {
      let (hasFirst, hasSecond) = (try first.step(), try second.step())
      guard hasFirst, hasSecond else {
        if hasFirst != hasSecond {
          found.append("\(table): row \(number) is only in the \(hasFirst ? "first" : "second")")
        }
        break
      }
      for column in 0..<first.columnCount {
        if let difference = first.difference(from: second, column) {
          found.append("\(table): row \(number), \(columns.names[Int(column)]): \(difference)")
        }
      }
      number += 1
    }
    return found
  }

  private static func columns(
    of table: String, _ database: ComparerDatabase
  ) throws -> (names: [String], query: String) {
    let quoted = quote(table)
    let info = try database.texts("PRAGMA table_xinfo(\(quoted))")
    // Hidden columns of kind 1 belong to virtual tables; 2 and 3 are generated ones.
    let all = info.filter { $0[6] != "1" }.map { $0[1] ?? "" }
    let key = info.filter { $0[5] != "0" }
      .sorted { (Int($0[5] ?? "") ?? 0) < (Int($1[5] ?? "") ?? 0) }.map { $0[1] ?? "" }
    var names = all
    var results = all.map(quote)
    var order = (key + all).map(quote)
    if key.isEmpty {
      let taken = Set(all.map { $0.lowercased() })
      let rowID = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } ?? "rowid"
      (names, results, order) = (names + ["rowid"], results + [rowID], [rowID])
    }
    return (
      names,
      "SELECT \(results.joined(separator: ", ")) FROM \(quoted) "
        + "ORDER BY \(order.joined(separator: ", "))"
    )
  }

  private static func quote(_ name: String) -> String {
    "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
  }

  private static func fileDifferences(_ first: String, _ second: String) throws -> [String] {
    let (a, b) = (try SupportFiles(of: first).files, try SupportFiles(of: second).files)
    return Set(a.keys).union(b.keys).sorted().compactMap { name in
      switch (a[name], b[name]) {
      case (nil, _): "file \(name): only in the second"
      case (_, nil): "file \(name): only in the first"
      case (let one, let other): one == other ? nil : "file \(name): differs"
      }
    }
  }
}
