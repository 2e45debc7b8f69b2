internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Spatial indexes, small and deep, in stores and in archives.
@Suite struct SpatialIndexTests {
  private static var options: VerificationOptions {
    var options = VerificationOptions()
    options.checks = [.spatialIndex]
    return options
  }

  private let index = Damage.spatialIndex

  /// The findings in a store, which must be the same in its archive.
  private func findings(in path: String) throws -> [Finding] {
    let found = try Verification(of: path, options: Self.options).findings
    let archive = try Verification.ofArchive(of: path, options: Self.options)
    #expect(archive.findings == found)
    return found
  }

  /// Locations beyond the three of the sample, with coordinates of all kinds and an index.
  private func indexed(_ count: Int, then statements: String = "") throws -> SampleCopy {
    let sample = try SampleCopy(
      changedBy: """
        WITH RECURSIVE n (k) AS (VALUES (4) UNION ALL SELECT k + 1 FROM n WHERE k < \(count))
        INSERT INTO ZLOCATIONENTITY (Z_PK, Z_ENT, Z_OPT, ZRADIUS, ZNAME, ZLATITUDE, ZLONGITUDE)
        SELECT k, 6, 1, 1, 'n', (k * 7919 % 180000) / 1000.0 - 90 + 1e-9 * k,
        (k * 104729 % 360000) / 1000.0 - 180 FROM n
        """)
    try Damage.addSpatialIndex(sample.path, then: statements)
    return sample
  }

  @Test(arguments: [4, 51, 52, 4000]) func soundIndexesHaveNoFindings(_ count: Int) throws {
    let sample = try indexed(count)
    #expect(try findings(in: sample.path) == [])
    let depth = try SampleCopy.rows(
      sample.path, "SELECT hex(substr(data, 1, 2)) FROM \(index)_node WHERE nodeno = 1")
    #expect(depth == [[.string(count > 2000 ? "0002" : count > 51 ? "0001" : "0000")]])
  }

  @Test func everyDefectOfADeepIndexIsFound() throws {
    let sample = try indexed(
      4000,
      then: """
        DELETE FROM \(index) WHERE Z_PK = 7; DELETE FROM ZLOCATIONENTITY WHERE Z_PK = 9;
        INSERT INTO \(index) VALUES (9, 1, 1, 1, 1); INSERT INTO \(index) VALUES (-5, 1, 1, 1, 1);
        UPDATE \(index) SET ZLONGITUDE_MAX = ZLONGITUDE_MAX + 0.01 WHERE Z_PK = 2000;
        UPDATE \(index) SET ZLATITUDE_MIN = ZLATITUDE_MIN - 0.01 WHERE Z_PK = 3000
        """)
    let found = try findings(in: sample.path)
    #expect(
      found.map { "\(Verification.text($0)): \($0.detail)" } == [
        "error spatial-index-mismatch LocationEntity/p-5.bounds: "
          + "the entry has no object",
        "error spatial-index-mismatch LocationEntity/p7.bounds: the object has no entry",
        "error spatial-index-mismatch LocationEntity/p9.bounds: "
          + "the entry has no object",
        "error spatial-index-mismatch LocationEntity/p2000.bounds: "
          + "the coordinates of the entry and the object differ",
        "error spatial-index-mismatch LocationEntity/p3000.bounds: "
          + "the coordinates of the entry and the object differ",
      ])
  }

  @Test func objectsWithoutCoordinatesNeedNoEntry() throws {
    let sample = try indexed(4, then: "DELETE FROM \(index) WHERE Z_PK = 3")
    #expect(try SampleCopy.rows(sample.path, "SELECT * FROM \(index)").count == 3)
    #expect(try findings(in: sample.path) == [])
  }

  @Test func aNodeThatIsCutOffIsOneFinding() throws {
    let sample = try indexed(4, then: "UPDATE \(index)_node SET data = substr(data, 1, 60)")
    let found = try findings(in: sample.path)
    #expect(found.map(Verification.text) == ["error spatial-index-mismatch LocationEntity.bounds"])
    #expect(found.first?.detail == "node 1 of the index cannot be read")
  }

  @Test func anEntryThatStandsInNoNodeIsFound() throws {
    let sample = try indexed(4, then: "UPDATE \(index)_rowid SET nodeno = 77 WHERE rowid = 2")
    #expect(
      try findings(in: sample.path).map(\.detail)
        == ["the index has contradictory data for the entry"])
  }

  @Test func anIndexOfAnotherFormIsNotChecked() throws {
    let sample = try indexed(
      4,
      then: """
        DROP TABLE \(index);
        CREATE VIRTUAL TABLE \(index) USING rtree_i32 (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX,
        ZLONGITUDE_MIN, ZLONGITUDE_MAX)
        """)
    #expect(
      try findings(in: sample.path).map(\.detail)
        == ["spatial-index: the index of LocationEntity.bounds has an unknown form"])
  }
}
