internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The laws of removing duplicates, on stores in which every object exists twice.
@Suite struct DeduplicationLawTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func pair(seed: UInt64) throws -> (original: String, doubled: String) {
    let original = directory.file("Original-\(seed).sqlite")
    try DoubledStore.prepare(original, seed: seed)
    let doubled = try StoreFiles(original).copy(to: directory.file("Doubled-\(seed).sqlite"))
    try DoubledStore.double(StoreFiles(doubled))
    return (original, doubled)
  }

  private var options: DeduplicationOptions {
    var options = DeduplicationOptions()
    options.naturalKeys = DoubledStore.keys
    return options
  }

  private func errors(of store: String) throws -> Set<Finding> {
    let found = FoundErrors()
    try Verifier().verify(store) { if $0.severity == .error { found.errors.insert($0) } }
    return found.errors
  }

  private final class FoundErrors: @unchecked Sendable {
    var errors: Set<Finding> = []
  }

  /// Bit by bit, files included: the objects that remain were not changed at all.
  @Test func whatWasAddedTwiceIsRemovedWithoutATrace() throws {
    for seed: UInt64 in 1...3 {
      let (original, doubled) = try pair(seed: seed)
      let summary = try StoreDeduplicator(options: options).deduplicate(doubled)
      #expect(summary.duplicateCount > 100)
      #expect(summary.movedCount == 0)
      #expect(summary.findings == [])
      var comparer = StoreComparer()
      comparer.ignoredTables = [
        "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
      ]
      #expect(try comparer.differences(original, doubled) == [], "seed \(seed)")
      #expect(try errors(of: doubled) == errors(of: original))
    }
  }

  /// Whatever led to a copy leads to the original again; only the order of some lists differs.
  @Test func whatLedToCopiesLeadsToOriginals() throws {
    for seed: UInt64 in 11...16 {
      let (original, doubled) = try pair(seed: seed)
      try DoubledStore.mix(doubled, seed: seed)
      let before = try errors(of: doubled)
      let summary = try StoreDeduplicator(options: options).deduplicate(doubled)
      #expect(summary.movedCount > 0)
      #expect(try errors(of: doubled).subtracting(before) == [])
      #expect(try graph(of: doubled) == graph(of: original), "seed \(seed)")
      // Once more there is nothing to do, and nothing is done.
      let bytes = try Data(contentsOf: URL(fileURLWithPath: doubled))
      let again = try StoreDeduplicator(options: options).deduplicate(doubled)
      #expect(again.duplicateCount == 0)
      #expect(try Data(contentsOf: URL(fileURLWithPath: doubled)) == bytes)
    }
  }

  /// All references and pairs of a store as texts, without positions.
  private func graph(of path: String) throws -> Set<String> {
    let database = try GeneratorDatabase(path: path)
    var found: Set<String> = []
    for (table, column) in RenumberedStore.references.flatMap(\.columns)
    where table.hasSuffix("ENTITY") {
      for row in try database.rows(
        "SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL")
      {
        found.insert("\(table).\(column) \(row[0].integer ?? 0) \(row[1].integer ?? 0)")
      }
    }
    for (table, first, second) in [
      ("Z_3BACKLINKS", "Z_3LINKS", "Z_3BACKLINKS"),
      ("Z_4ASSIGNEES", "Z_4ASSIGNMENTS", "Z_7ASSIGNEES"), ("Z_4TAGS", "Z_4TODOS", "Z_9TAGS"),
      ("Z_7FRIENDS", "Z_7FRIENDS", "REFLEXIVE"),
    ] {
      for row in try database.rows("SELECT \(first), \(second) FROM \(table)") {
        let (one, other) = (row[0].integer ?? 0, row[1].integer ?? 0)
        let isReflexive = second == "REFLEXIVE"
        let (low, high) = isReflexive ? (min(one, other), max(one, other)) : (one, other)
        found.insert("\(table) \(low) \(high)")
      }
    }
    return found
  }

  @Test func aPreviewEqualsAComparison() throws {
    let (_, doubled) = try pair(seed: 21)
    try DoubledStore.mix(doubled, seed: 21)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: doubled))
    let comparison = ComparisonOptions(includesValues: true)
    var previewed: [Difference] = []
    let preview = try StoreDeduplicator(options: options).preview(doubled, comparison: comparison) {
      previewed.append($0)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: doubled)) == bytes)
    let new = directory.file("New.sqlite")
    let summary = try StoreDeduplicator(options: options).deduplicate(doubled, at: new)
    #expect(try Data(contentsOf: URL(fileURLWithPath: doubled)) == bytes)
    var compared: [Difference] = []
    let differences = try StoreComparison(options: comparison).compare(doubled, new) {
      compared.append($0)
    }
    #expect(previewed == compared)
    #expect(!compared.isEmpty)
    #expect(preview.differences == differences)
    #expect(summary.duplicateCount == preview.duplicateCount)
  }

  /// An archive contains it to the last bit, and its recorded history is sound.
  @Test func theResultIsAsGoodAsAnyOtherStore() throws {
    let (_, doubled) = try pair(seed: 41)
    try DoubledStore.mix(doubled, seed: 41)
    let before = try GeneratorDatabase(path: doubled).integer("SELECT max(Z_PK) FROM ACHANGE") ?? 0
    try StoreDeduplicator(options: options).deduplicate(doubled)
    let recorded = try GeneratorDatabase(path: doubled).integer(
      "SELECT count(*) FROM ACHANGE AS c JOIN ATRANSACTION AS t ON t.Z_PK = c.ZTRANSACTIONID "
        + "JOIN ATRANSACTIONSTRING AS s ON s.Z_PK = t.ZAUTHORTS WHERE s.ZNAME = 'coffer' "
        + "AND c.Z_PK > \(before)")
    #expect(recorded ?? 0 > 100)
    let found = try Verification(of: doubled).findings
    #expect(found.filter { [.history, .versions].contains($0.code.check) } == [])
    let archives = ["One", "Two"].map { directory.file("\($0).coffer.tar.gz") }
    let restored = directory.file("Restored.sqlite")
    let digest = try StoreExporter().export(storeAt: doubled, to: archives[0]).contentDigest
    try StoreImporter().import(archives[0], to: restored)
    #expect(try StoreComparer.differences(doubled, restored) == [])
    #expect(
      try StoreExporter().export(storeAt: restored, to: archives[1]).contentDigest == digest)
  }

  @Test func theUndoLeadsBack() throws {
    let (_, doubled) = try pair(seed: 31)
    try DoubledStore.mix(doubled, seed: 31)
    let before = try StoreFiles(doubled).copy(to: directory.file("Before.sqlite"))
    var options = self.options
    options.editing.undo = .file(directory.file("Undo.coffer-changes.tar.gz"))
    try StoreDeduplicator(options: options).deduplicate(doubled)
    #expect(try StoreComparer.differences(doubled, before) != [])
    try ChangesApplier().apply(directory.file("Undo.coffer-changes.tar.gz"), to: doubled)
    #expect(try StoreComparer.differences(doubled, before) == [])
  }
}
