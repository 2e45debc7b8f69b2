internal import CofferCore
internal import CoreDataLayout
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison

/// Which rows of two states of a store are read, because their pages differ.
@Suite struct PageComparisonTests {
  private let folder: TemporaryDirectory
  private let old: String
  private let new: String

  init() throws {
    folder = try TemporaryDirectory()
    (old, new) = (folder.file("Old.sqlite"), folder.file("New.sqlite"))
    for path in [old, new] { try SampleStore.write(to: path) }
  }

  private func edit(_ statements: String) throws {
    let database = try GeneratorDatabase(path: new)
    try database.registerCoreDataFunctions()
    try database.run(statements)
  }

  /// Counts the rows that are read, by the names of the tables, with all objects that the tables have.
  private struct Count: SourcePairUse {
    let run: ComparisonRun

    func use(
      _ first: some RowSource, _ second: some RowSource
    ) throws -> (read: [String: Int], all: Int)? {
      guard let (first, second) = try run.differing(first, second) else { return nil }
      var (read, all) = ([String: Int](), 0)
      for shape in first.shapes {
        for source in [first, second] {
          let rows = try source.rows(of: shape)
          while try rows.next() { read[shape.storedName, default: 0] += 1 }
        }
        if shape.kind == .entity { all += try first.limitedRowCount(of: shape) ?? 0 }
      }
      return (read, all)
    }
  }

  private static let byKey = {
    var options = ComparisonOptions()
    options.matchesByObjectID = true
    return options
  }()

  private func count(
    _ options: ComparisonOptions = Self.byKey
  ) throws -> (read: [String: Int], all: Int)? {
    let run = ComparisonRun(options: options, progress: SilentProgress())
    return try run.open(old, new, for: Count(run: run))
  }

  @Test func onlyTheRowThatDiffersIsRead() throws {
    try edit("UPDATE ZTAGENTITY SET ZNAME = 'other' WHERE Z_PK = 1")
    let found = try #require(try count())
    #expect(found.read["ZTAGENTITY"] == 2)
    #expect(found.read.allSatisfy { $0.key == "ZTAGENTITY" || !$0.key.hasPrefix("Z") })
    #expect(found.all == 37)
    let summary = try StoreComparison(options: Self.byKey).compare(old, new)
    #expect(summary.firstObjectCount == 37 && summary.secondObjectCount == 37)
    #expect(summary.entities.map(\.counts.changed) == [1])
  }

  @Test func allRowsAreReadWhereTheSameBytesMayMeanSomethingElse() throws {
    #expect(try count() != nil)
    var options = ComparisonOptions()
    options.naturalKeys = [NaturalKey(entityName: "TagEntity", keyPaths: ["name"])]
    #expect(try count(options) == nil)
    options = Self.byKey
    options.entityNames = ["TagEntity"]
    #expect(try count(options) == nil)
    try edit("CREATE TABLE Other (a)")
    #expect(try count() == nil)
  }
}
