internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Values that are hard to carry come back bit by bit.
@Suite struct RoundTripValueTests {
  /// A column of the sample, and the other values that a row needs.
  struct Place: Sendable, CustomStringConvertible {
    let table: String
    let column: String
    /// The key column; empty where rows need none.
    var key = "Z_PK"
    /// The entity number; nil where rows have none.
    var entity: Int64?

    var description: String { "\(table).\(column)" }

    /// Adds a row with a value.
    func insert(_ value: StoreValue, key number: Int, into database: GeneratorDatabase) throws {
      var row: [String: StoreValue] = [:]
      if !key.isEmpty { row[key] = .integer(Int64(number)) }
      if let entity { (row["Z_ENT"], row["Z_OPT"]) = (.integer(entity), .integer(1)) }
      row[column] = value
      let columns = row.keys.sorted()
      let marks = columns.map { _ in "?" }.joined(separator: ",")
      try database.run(
        "INSERT INTO \(table) (\(columns.joined(separator: ","))) VALUES (\(marks))",
        columns.map { row[$0] ?? .null })
    }
  }

  /// One place for each form that a line has for a value.
  static let places = [
    Place(table: "ZPERSONENTITY", column: "ZAVATAR", entity: 7),
    Place(table: "ZATTACHMENTENTITY", column: "ZCONTENT", entity: 1),
    Place(table: "ZITEMENTITY", column: "ZEXTRA", entity: 3),
    Place(table: "ZPERSONENTITY", column: "ZNAME", entity: 7),
    Place(table: "ZITEMENTITY", column: "ZLINK", entity: 4),
    Place(table: "ZITEMENTITY", column: "ZUUID", entity: 5),
    Place(table: "ZITEMENTITY", column: "ZMODIFIEDAT", entity: 3),
    Place(table: "ZPERSONENTITY", column: "ZISACTIVE", entity: 7),
    Place(table: "ZITEMENTITY", column: "ZSEQUENCE", entity: 3),
    Place(table: "ZITEMENTITY", column: "ZESTIMATE", entity: 4),
    Place(table: "ZITEMENTITY", column: "ZPROGRESS", entity: 4),
    Place(table: "ZITEMENTITY", column: "ZCOST", entity: 4),
    Place(table: "ZLOCATIONENTITY", column: "ZCITY", entity: 6),
    Place(table: "ZITEMENTITY", column: "ZLOCATION", entity: 4),
    Place(table: "ZATTACHMENTENTITY", column: "ZITEM", entity: 1),
    Place(table: "ZATTACHMENTENTITY", column: "Z2_ITEM", entity: 1),
    Place(table: "ZATTACHMENTENTITY", column: "Z_FOK_ITEM", entity: 1),
    Place(table: "ZITEMENTITY", column: "Z_OPT", entity: 4),
    Place(table: "ZITEMENTITY", column: "Z_ENT", entity: 4),
    Place(table: "ZVISITENTITY", column: "Z6VISITS", entity: 10),
    Place(table: "Z_4TAGS", column: "Z_9TAGS", key: "Z_4TODOS"),
    Place(table: "Z_PRIMARYKEY", column: "Z_SUPER", key: "Z_ENT"),
    Place(table: "Z_PRIMARYKEY", column: "Z_NAME", key: "Z_ENT"),
    Place(table: "Z_MODELCACHE", column: "Z_CONTENT", key: ""),
    Place(table: "ACHANGE", column: "ZCOLUMNS", entity: 16001),
    Place(table: "APP", column: "a", key: ""),
    Place(table: "APP", column: "b", key: "k"),
    Place(table: "LIST", column: "a", key: "k"),
  ]

  /// The sample with two tables of the app's own, and with counters beyond all keys.
  private static func sample() throws -> SampleCopy {
    try SampleCopy(
      changedBy: """
        CREATE TABLE APP (a, b TEXT, k INTEGER);
        CREATE TABLE STRICT (a NOT NULL);
        CREATE TABLE LIST (k INTEGER, a, PRIMARY KEY (k, a)) WITHOUT ROWID;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_SUPER = 0
        """)
  }

  static let values: [StoreValue] = [
    .null, .integer(0), .integer(1), .integer(2), .integer(-1), .integer(.max), .integer(.min),
    .integer(1 << 53 + 1), .real(0.5), .real(-0.0), .real(3), .real(1e300), .real(.infinity),
    .real(-.infinity), .real(.leastNonzeroMagnitude), .real(-.leastNormalMagnitude / 3),
    .real(.greatestFiniteMagnitude), .real(0.1 + 0.2), .real(757_414_800), .real(757_414_800.25),
    .real(1e18), .real(-63_114_076_800), .real(-0.001), .string(""), .string("plain"),
    .string("NaN"), .string("2025-01-01T09:00:00Z"), .string("12"), .string("{\"$pk\":1}"),
    .string("line\nfeed\r\t\u{0}NUL \u{7f}\u{85}\u{2028}\u{feff}"), .string("👩‍👩‍👧‍👦 e\u{301} \"\\/"),
    .text([0xff, 0xfe, 0x41]), .text([0xed, 0xa0, 0x80]), .text([0xc0, 0x80]), .text([0x41, 0]),
    .blob([]), .blob([0]), .blob([1]), .blob([2]), .blob([1, 65]), .blob([2, 65, 0]),
    .blob(Array("plain".utf8)), .blob(Array(repeating: 7, count: 15)),
    .blob(Array(repeating: 7, count: 16)), .blob(Array(repeating: 7, count: 17)),
    .blob(Array(repeating: 1, count: 1023)), .blob(Array(repeating: 1, count: 1024)),
    .blob(Array(repeating: 1, count: 1025)), .blob(Array(repeating: 9, count: 1024)),
    .external("0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"),
    .external("0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f1"), .external("../../../../../../etc/passwd"),
    .string(String(repeating: "x", count: 70_000)), .text(Array(repeating: 0xff, count: 3000)),
  ]

  @Test(arguments: places) func everyValueComesBack(_ place: Place) throws {
    let sample = try Self.sample()
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    for (number, value) in Self.values.enumerated() where value != .null || place.table != "LIST" {
      try place.insert(value, key: 1000 + number, into: database)
    }
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  /// The largest value that shares an entry with others, and the smallest value with a separate entry.
  @Test(arguments: [4 << 20, 4 << 20 + 1]) func largeValuesComeBack(_ count: Int) throws {
    // Neither one byte over and over nor noise, and valid UTF-8.
    let block = (0..<4096).map { UInt8(truncatingIfNeeded: ($0 &* $0 >> 7) & 0x7f) }
    var bytes = [UInt8]()
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    let sample = try Self.sample()
    let database = try GeneratorDatabase(path: sample.path)
    try database.registerCoreDataFunctions()
    let columns = ["ZAVATAR", "ZCONTENT", "ZNAME", "ZUUID", "Z_9TAGS", "Z_CONTENT", "a", "b"]
    for (number, place) in Self.places.enumerated() where columns.contains(place.column) {
      let isText = ["ZNAME", "b"].contains(place.column)
      try place.insert(isText ? .text(bytes) : .blob(bytes), key: 1000 + number, into: database)
    }
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  @Test func veryLargeValuesComeBack() throws {
    var bytes = [UInt8](repeating: 0xa5, count: 20 << 20)
    (bytes[0], bytes[5 << 20]) = (1, 0xff)
    let sample = try Self.sample()
    let database = try GeneratorDatabase(path: sample.path)
    try Self.places[1].insert(.blob(bytes), key: 1000, into: database)
    try Self.places[1].insert(.blob([2] + bytes), key: 1001, into: database)
    try Self.places[3].insert(.text(bytes), key: 1002, into: database)
    let noNull = Place(table: "STRICT", column: "a", key: "")
    try noNull.insert(.text(bytes), key: 0, into: database)
    try noNull.insert(.blob(bytes), key: 0, into: database)
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }

  /// Many values of a few KiB: several parts, each with blobs of its own.
  @Test func manyBlobsFillManyParts() throws {
    let sample = try SampleCopy(
      changedBy: """
        WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO ZPERSONENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAVATAR)
        SELECT i, 7, 1, printf('%.*c', i, 'x'), zeroblob(900 + i) || CAST(i AS BLOB) FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 3000 WHERE Z_NAME = 'PersonEntity'
        """)
    #expect(try RoundTrip(of: sample.path).problems() == [])
  }
}
