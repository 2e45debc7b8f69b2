internal import CofferKit
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Values that do not stand in their line, and parts that end in other places.
@Suite struct LargeValueTests {
  let samples: SampleSources
  let sample: String

  init() throws {
    let original = try Self.made.get()
    var samples = try SampleSources()
    samples.archives = original.samples.archives
    (self.samples, sample) = (samples, original.sample)
  }

  /// The store with its archive, made by the first who asks; only read afterwards.
  private static let made = Result { try make() }

  /// Makes a copy of the sample with several parts of lines and of values out of line.
  private static func make() throws -> (samples: SampleSources, sample: String) {
    var samples = try SampleSources(in: .untilExit())
    let numbers = "WITH n(i) AS (SELECT 1600 UNION ALL SELECT i + 1 FROM n WHERE i < 3200)"
    let sample = try samples.copy(
      named: "Large",
      changing: [
        """
        \(numbers) INSERT INTO ZPERSONENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT i, 7, 1, printf('%02000d', i) FROM n
        """,
        """
        \(numbers) INSERT INTO ZATTACHMENTENTITY (Z_PK, Z_ENT, Z_OPT, ZCHECKSUM, ZCONTENT)
        SELECT i, 1, 1, CAST(printf('%02000d', i) AS BLOB),
        CAST(x'01' || printf('%0\(1200)d', i) AS BLOB) FROM n
        """,
        "UPDATE ZATTACHMENTENTITY SET ZCHECKSUM = zeroblob(5000000) WHERE Z_PK = 2",
        """
        UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(6000000) AS BLOB)
        WHERE Z_PK = 3
        """,
        "UPDATE ZPERSONENTITY SET ZNAME = printf('%.*c', 5000000, 'x') WHERE Z_PK = 3",
        "UPDATE ZPERSONENTITY SET ZAVATAR = zeroblob(5000000) WHERE Z_PK = 3",
        // Counters that lag behind would be raised in a restored copy.
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3200
        WHERE Z_NAME IN ('PersonEntity', 'AttachmentEntity')
        """,
      ])
    samples.archives[sample] = try samples.archive(of: sample)
    return (samples, sample)
  }

  private func expect(
    _ expected: [String], _ statement: String, _ form: Form,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let changed = try samples.copy(of: sample, changing: [statement])
    let (first, second) = try form.sources(sample, changed, samples)
    #expect(try differences(first, second).texts == expected, sourceLocation: location)
  }

  @Test func largeStoreEqualsItsArchiveAndItsCopy() throws {
    let archive = try samples.archive(of: sample)
    let restored = try samples.restored(archive)
    for other in [sample, archive, restored] {
      #expect(try differences(sample, other).texts == [])
      #expect(try differences(other, archive).texts == [])
    }
  }

  @Test(arguments: Form.allCases) func onlyTheObjectThatShiftsAllOthersDiffers(_ form: Form) throws
  {
    try expect(
      ["added AttachmentEntity/p-7"],
      """
      INSERT INTO ZATTACHMENTENTITY (Z_PK, Z_ENT, Z_OPT, ZCHECKSUM)
      VALUES (-7, 1, 1, zeroblob(3000))
      """, form)
  }

  @Test(arguments: Form.allCases) func onlyTheObjectThatShiftsAllPartsDiffers(_ form: Form) throws {
    try expect(["removed PersonEntity/p2"], "DELETE FROM ZPERSONENTITY WHERE Z_PK = 2", form)
  }

  @Test(
    arguments: [
      ("ZCHECKSUM = CAST(printf('%02000d', 7) AS BLOB)", 2000, "checksum"),
      ("ZCONTENT = CAST(x'01' || printf('%01200d', 7) AS BLOB)", 3200, "content"),
      ("ZCHECKSUM = CAST(zeroblob(4999999) || 'x' AS BLOB)", 2, "checksum"),
      ("ZCONTENT = CAST(x'01' || zeroblob(5999999) || 'x' AS BLOB)", 3, "content"),
      ("ZCONTENT = CAST(x'00' || zeroblob(6000000) AS BLOB)", 3, "content"),
      ("ZCHECKSUM = zeroblob(5000001)", 2, "checksum"),
    ] as [(String, Int, String)], [Form.storeAndArchive, .archives])
  func changedBytesAreFound(_ change: (String, Int, String), _ form: Form) throws {
    try expect(
      ["changed AttachmentEntity/p\(change.1) attribute:\(change.2)"],
      "UPDATE ZATTACHMENTENTITY SET \(change.0) WHERE Z_PK = \(change.1)", form)
  }

  @Test(arguments: Form.allCases) func changedTextIsFound(_ form: Form) throws {
    try expect(
      ["changed PersonEntity/p3 attribute:name"],
      "UPDATE ZPERSONENTITY SET ZNAME = printf('%.*c', 4999999, 'x') || 'y' WHERE Z_PK = 3", form)
  }

  @Test func largeValueIsShownByItsSize() throws {
    let changed = try samples.copy(
      of: sample,
      changing: ["UPDATE ZATTACHMENTENTITY SET ZCHECKSUM = zeroblob(2000) WHERE Z_PK = 2"])
    #expect(
      try differences(sample, changed, values: true).texts == [
        #"changed AttachmentEntity/p2 attribute:checksum {"$blob":5000000} > {"$bytes":2000}"#
      ])
  }
}
