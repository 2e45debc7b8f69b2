internal import CoreDataArchive
internal import CoreDataModel
internal import Testing

/// Points in time in all forms of ISO 8601.
@Suite struct InstantFormTests {
  @Test(
    arguments: [
      ("2001", 0), ("2001-01-02", 86_400), ("20010102", 86_400), ("2001-002", 86_400),
      ("2001002", 86_400), ("2001-W01", 0), ("2001W012", 86_400), ("2000-W52-7", -86_400),
      ("2020-W53-5", 631_152_000), ("2021-01-01", 631_152_000), ("2000-02-29", -26_524_800),
      ("0001-01-01T00:00:00Z", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
      ("2001-01-01T01:30", 5_400), ("2001-01-01T0130", 5_400), ("2001-01-01T01.5", 5_400),
      ("2001-01-01T01:30,5", 5_430), ("2001-01-01T01:00+0130", -1_800),
      ("2001-01-01T01:00-01", 7_200), ("2001-01-01T24:00:00.0", 86_400),
    ])
  func aFormHasItsSeconds(_ text: String, _ seconds: Int64) throws {
    #expect(try Instant.Stored(iso8601: text) == .integer(seconds))
  }

  @Test(
    arguments: [
      "", "01", "2001-1-1", "2001-01-1", "200101", "2001-01-01T", "2001-01-01T1", "2001-01-01Z",
      "2001-01-01T01:00:00.", "2001-01-01T01:00:00.5x", "2001-01-01T01:00ZZ", "2001-01-01T01:0000",
      "2001-01-01  01:00", "2001-00", "2001-02-29", "1900-02-29", "2001-366", "2001-W00",
      "2001-W54",
      "2001-W01-8", "2001-W53", "2001-01-01T24:00:01", "2001-01-01T00:60", "+2001-01-01",
      "２００１", "2001-01-01T01:00+01:00:00", " 2001", "2001 ",
    ])
  func anyOtherTextIsAnError(_ text: String) {
    #expect(throws: Instant.Problem.self) { try Instant.Stored(iso8601: text) }
  }

  /// What is printed for a date is that date, in its own zone and in any other.
  @Test func printedDatesAreThemselves() throws {
    var random = JSONTestRandom(seed: 13)
    for _ in 0..<2_000 {
      let scale = [1e-3, 1, 1e3, 1e8, 6e10][Int.random(in: 0..<5, using: &random)]
      let seconds = Double.random(in: -0.5..<0.5, using: &random) * scale
      guard let text = Instant.Stored.text(of: seconds) else { continue }
      guard case .real(let found) = try Instant.Stored(iso8601: text) else {
        Issue.record("\(text) has no fraction")
        continue
      }
      #expect(found == seconds, "\(text)")
      let moved = text.dropLast() + "00000000000000000000z"
      #expect(try Instant.Stored(iso8601: String(moved)) == .real(seconds), "\(moved)")
    }
  }
}
