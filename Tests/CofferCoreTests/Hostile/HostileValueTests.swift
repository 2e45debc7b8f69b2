internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Values at the ends of their ranges, of wrong kinds and of huge sizes, wherever coffer computes with the
/// content of a store.
@Suite struct HostileValueTests {
  private static let values = [
    "9223372036854775807", "-9223372036854775808", "9e999", "x'00ff'",
  ]
  private static let columns = [
    "Z_PRIMARYKEY": ["Z_ENT", "Z_SUPER", "Z_MAX", "Z_NAME"],
    "Z_METADATA": ["Z_VERSION", "Z_UUID", "Z_PLIST"], "Z_MODELCACHE": ["Z_CONTENT"],
    "ZITEMENTITY": ["Z_PK", "Z_ENT", "Z_OPT"], "ZTAGENTITY": ["Z_PK", "Z_OPT", "ZNAME"],
    "Z_4TAGS": ["Z_4TODOS", "Z_9TAGS"],
    "ACHANGE": ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"],
    "ATRANSACTION": ["Z_PK", "ZTIMESTAMP", "ZAUTHORTS"],
  ]

  @Test(arguments: columns.keys.sorted())
  func valuesAtTheEndsOfTheirRangesEndWithAResult(_ table: String) throws {
    for (number, column) in (Self.columns[table] ?? []).enumerated() {
      // Every column has half of the values, its neighbor the others.
      for (index, value) in Self.values.enumerated() where (index + number) % 2 == 0 {
        let sample = try SampleCopy(journal: .delete)
        let database = try GeneratorDatabase(path: sample.path)
        try database.registerCoreDataFunctions()
        try database.dropTriggers()
        // Some columns take integers only.
        guard
          (try? database.run(
            "UPDATE \(table) SET \(column) = \(value) WHERE rowid = (SELECT max(rowid) FROM \(table))"
          )) != nil
        else { continue }
        let found = try HostileOutcome(of: sample.path)
        #expect(found.contradictions == [], "\(table).\(column) = \(value)")
      }
    }
  }

  @Test(arguments: [
    ("UPDATE Z_METADATA SET Z_PLIST = zeroblob(270000000)", "unreadable-metadata"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(20000000)", "unreadable-model-cache"),
    ("UPDATE Z_METADATA SET Z_UUID = CAST(zeroblob(1000000) AS TEXT)", "invalid-store-uuid"),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = CAST(zeroblob(1000000) AS TEXT) WHERE Z_ENT = 1", ""),
  ])
  func hugeValuesOfTheAdministrationAreNotLoaded(_ sql: String, _ finding: String) throws {
    let sample = try SampleCopy(changedBy: sql)
    let found = try Verification(of: sample.path)
    #expect(finding.isEmpty || found.findings.contains { $0.code.text == finding })
    _ = try StoreInspector().inspect(sample.path)
  }
}
