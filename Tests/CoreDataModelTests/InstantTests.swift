internal import CoreDataModel
internal import Testing

/// Times as people write them.
@Suite struct InstantTests {
  @Test(arguments: [
    ("2026-11-20Z", "2026-11-20T23:59:59Z"), ("2026-11-20T12:00Z", "2026-11-20T12:00:59Z"),
    ("2026-11-20T12:00:30Z", "2026-11-20T12:00:30Z"),
    ("2026-11-20T12:00:30+01:00", "2026-11-20T11:00:30Z"),
    ("2026-11-20 23:30-0130", "2026-11-21T01:00:59Z"), ("2024-02-29Z", "2024-02-29T23:59:59Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
  ])
  func aTimeIsTheEndOfWhatItNames(_ text: String, _ time: String) throws {
    #expect(try Instant(endOf: text).description == time)
  }

  @Test(arguments: ["", "yesterday", "2026-13-01", "2026-02-29", "2026-11-20T24:00", "20261120"])
  func otherTextsAreRefused(_ text: String) {
    let error = #expect(throws: CofferError.self) { try Instant(endOf: text) }
    #expect(error?.code == .invalidTime)
  }

  @Test func timesFollowTheCalendar() {
    #expect(Instant(secondsSince1970: 0).description == "1970-01-01T00:00:00Z")
    #expect(Instant(secondsSince1970: -1).description == "1969-12-31T23:59:59Z")
    #expect(Instant(secondsSince1970: .min).description == "0001-01-01T00:00:00Z")
    #expect(Instant(secondsSince1970: .max).description == "9999-12-31T23:59:59Z")
  }
}
