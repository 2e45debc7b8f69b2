internal import CoreDataArchive
internal import CoreDataModel
internal import Foundation
internal import Testing

@testable internal import CofferReports

@Suite struct DayCounterTests {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: "UTC") ?? .current
    return calendar
  }()

  @Test func daysAreThoseOfTheCalendar() {
    var generator = SystemRandomNumberGenerator()
    let days =
      [-36_889, -1, 0, 1, 6, 7, 58, 59, 60, 1154, 1155, 72_683]
      + (0..<500).map { _ in Int.random(in: DayCounter.range, using: &generator) }
    for day in days {
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
      let parts = Self.calendar.dateComponents([.year, .month, .day, .weekday], from: date)
      let found = Instant.Day.date(day)
      #expect(
        [found.year, found.month, found.day] == [parts.year, parts.month, parts.day], "\(day)")
      #expect(Instant.Day.number(year: found.year, month: found.month, day: found.day) == day)
      // A week begins on Monday, on the day or at most six before it.
      let monday = DateHistogram.Unit.week.number(of: day) * 7
      #expect((0..<7).contains(day - monday))
      #expect((monday - (monday / 7) * 7) == 0)
      if parts.weekday == 2 { #expect(monday == day, "\(day)") }
    }
  }

  @Test(
    arguments: [
      (1, DateHistogram.Unit.day), (60, .day), (300, .week), (2000, .month), (9000, .year),
    ])
  func unitsSuitTheSpan(_ days: Int, _ unit: DateHistogram.Unit) {
    var counter = DayCounter()
    let moments = [0.0, 0.0, Double(days - 1) * 86_400 + 86_399]
    for moment in moments { counter.add(moment) }
    counter.add(-1e15)
    counter.add(.infinity)
    counter.add(.nan)
    counter.finish()
    let histogram = counter.histogram(over: counter.days)
    #expect(histogram.unit == unit)
    #expect(histogram.count == 3)
    #expect(histogram.buckets.count <= 125)
    #expect(counter.outsideCount == 3)
  }

  @Test func labelsSayWhenABucketBegins() {
    #expect(DateHistogram.Unit.day.label(of: 59) == "2001-03-01")
    #expect(
      DateHistogram.Unit.week.label(of: DateHistogram.Unit.week.number(of: -1)) == "2000-12-25")
    #expect(
      DateHistogram.Unit.month.label(of: DateHistogram.Unit.month.number(of: -1)) == "2000-12")
    #expect(DateHistogram.Unit.year.label(of: DateHistogram.Unit.year.number(of: 366)) == "2002")
  }

  @Test func nothingHasNoBuckets() {
    var counter = DayCounter()
    counter.finish()
    #expect(counter.histogram(over: counter.days).buckets.isEmpty)
  }
}
