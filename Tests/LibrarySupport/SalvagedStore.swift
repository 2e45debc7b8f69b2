package import CofferKit
internal import Foundation
package import StoreGenerator
package import TestSupport

/// A store, a damaged copy of it, and the result of a salvage of the copy.
package struct SalvagedStore {
  package let folder: TemporaryDirectory
  /// The sound store.
  package let twin: String
  package let damaged: String
  package let archive: String
  package let restored: String
  package let map: PageMap
  package let damage: [PageDamage]
  package let summary: ExportSummary
  package let imported: ImportSummary

  /// Damages a copy of a store, exports its readable part, and restores it.
  ///
  /// - Parameters:
  ///   - twin: the sound store; it has no companions.
  ///   - damage: what to do to the copy, from the map of its pages.
  /// - Throws: what the export and the import throw.
  package init(of twin: String, _ damage: (PageMap) throws -> [PageDamage]) throws {
    folder = try TemporaryDirectory()
    self.twin = twin
    damaged = folder.file("Damaged.sqlite")
    archive = folder.file("Salvaged.coffer.tar.gz")
    restored = folder.file("Restored.sqlite")
    map = try PageMap(twin)
    self.damage = try damage(map)
    try FileManager.default.copyItem(atPath: twin, toPath: damaged)
    for change in self.damage { try change.apply(to: damaged, pageSize: map.pageSize) }
    let before = try Data(contentsOf: URL(fileURLWithPath: damaged))
    summary = try Self.export(damaged, to: archive)
    imported = try StoreImporter().import(archive, to: restored)
    let after = try Data(contentsOf: URL(fileURLWithPath: damaged))
    if before != after { throw GeneratorError("the damaged store was changed") }
  }

  /// Exports the readable part of a store.
  package static func export(_ store: String, to archive: String) throws -> ExportSummary {
    try StoreExporter(options: ExportOptions(threads: 1, salvages: true))
      .export(try PersistentStore(salvaging: store), to: archive)
  }

  /// The codes of the findings, each once, in ascending order.
  package var codes: [String] { Set(summary.findings.map(\.code.text)).sorted() }

  /// The places of findings of a code.
  package func places(of code: FindingCode) -> [String] {
    summary.findings.filter { $0.code == code }.map(\.place)
  }

  /// The rows of a table of a store by their numbers.
  package static func rows(of table: String, in path: String) throws -> [Int64: [StoreValue]] {
    let database = try GeneratorDatabase(path: path)
    var found: [Int64: [StoreValue]] = [:]
    for row in try database.rows("SELECT rowid, * FROM \"\(table)\" NOT INDEXED ORDER BY rowid") {
      if case .integer(let key) = row[0] { found[key] = Array(row.dropFirst()) }
    }
    return found
  }

  /// The numbers of the rows that the restored store lacks.
  package func lost(from table: String) throws -> [Int64] {
    let all = try Self.rows(of: table, in: twin)
    let left = try Self.rows(of: table, in: restored)
    return all.keys.filter { left[$0] == nil }.sorted()
  }
}

/// A generated store without companions, made once for all tests.
package enum SalvageTwin {
  /// The store: 1500 objects, among them values with pages of their own.
  package static let folder = Result<TemporaryDirectory, any Error> {
    let folder = try TemporaryDirectory()
    var options = GeneratorOptions()
    options.objectCount = 1500
    options.journal = .delete
    try StoreMaker.write(to: folder.file("Twin.sqlite"), options)
    let database = try GeneratorDatabase(path: folder.file("Twin.sqlite"))
    try database.registerCoreDataFunctions()
    // A value on many pages, and one that is too large to be read with its row.
    for (key, size) in [(7, 50_000), (100, 5_000_000)] {
      let bytes = [1] + (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7 + key) }
      try database.run(
        "UPDATE ZATTACHMENTENTITY SET ZCONTENT = ? WHERE Z_PK = ?",
        [.blob(bytes), .integer(Int64(key))])
    }
    return folder
  }

  /// The path of the store.
  package static func path() throws -> String { try folder.get().file("Twin.sqlite") }
}
