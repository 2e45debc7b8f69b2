internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Random models with random tables, half of them wrong in one place: the store is right, or the error
/// names the place.
///
/// 30 models are tried (``Effort``).
@Suite struct SheetRandomTests {
  private static let count: UInt64 = Effort.tries(30)

  @Test func tablesBecomeTheRightStoreOrTheirFaultIsNamed() throws {
    for seed in 1...Self.count {
      var tables = RandomSheets(seed: seed)
      let folder = try TemporaryDirectory()
      let model = folder.file("Model.sqlite")
      try SampleStoreBuilder(path: model, model: tables.model, journal: .delete).finish()
      let source = folder.file("Tables")
      try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
      let fault = seed % 2 == 0 ? tables.fault() : nil
      let place = try tables.write(to: { "\(source)/\($0)" }, fault)
      var options = SheetImportOptions(model: model)
      options.tables.keyNames = tables.keyNames
      let store = folder.file("New.sqlite")
      do throws(any Error) {
        try SheetImporter(options: options).import(source, to: store)
        #expect(fault == nil, "seed \(seed): \(place) is wrong and was imported")
        try expect(tables, in: store, seed)
      } catch let error as CofferError {
        let file = error.place.path.split(separator: "/").last.map(String.init) ?? ""
        let found = [file, error.place.item ?? ""].joined(separator: ", ")
        #expect(found == place, "seed \(seed): \(error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["Model.sqlite", "Tables"], "seed \(seed)")
      }
    }
  }

  private func expect(_ tables: RandomSheets, in store: String, _ seed: UInt64) throws {
    let database = try GeneratorDatabase(path: store)
    for expected in tables.expectations {
      let rows = try database.rows(expected.query)
      #expect(rows == expected.rows, "seed \(seed): \(expected.query)")
    }
    let folder = try TemporaryDirectory()
    let exporter = DataExporter(options: DataExportOptions(format: .csv))
    let summary = try exporter.write(store, to: folder.file("T"))
    let pairs = summary.parts.reduce(0) { $0 + ($1.relationshipName == nil ? 0 : $1.count) }
    #expect(pairs == tables.pairCounts.reduce(0) { $0 + $1.count }, "seed \(seed)")
    var findings: [Finding] = []
    try Verifier().verify(store) { if $0.severity > .info { findings.append($0) } }
    #expect(findings == [], "seed \(seed)")
  }
}
