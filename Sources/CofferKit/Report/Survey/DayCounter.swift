internal import CoreDataArchive

/// Counts events per day, from 1900 to 2199.
///
/// A day with events costs a few bytes, so any number of dates needs at most some megabytes.
struct DayCounter {
  /// The days since 2001-01-01 that are counted.
  static let range =
    CalendarDay.number(
      year: 1900, month: 1, day: 1)..<CalendarDay.number(
      year: 2200, month: 1, day: 1)

  private var counts: [Int: Int] = [:]
  private var last = 0
  private var lastCount = 0
  /// The number of events before or after the range.
  private(set) var outsideCount = 0

  /// Adds one or more events at a time in seconds since 2001-01-01 00:00:00 UTC.
  mutating func add(_ seconds: Double, count: Int = 1) {
    let day = (seconds / 86_400).rounded(.down)
    guard day >= Double(Self.range.lowerBound), day < Double(Self.range.upperBound) else {
      outsideCount &+= count
      return
    }
    // Neighbours are often of one day.
    let number = Int(day)
    if number != last { settle(number) }
    lastCount &+= count
  }

  private mutating func settle(_ next: Int) {
    if lastCount > 0 { counts[last, default: 0] += lastCount }
    (last, lastCount) = (next, 0)
  }

  /// Ends the counting.
  mutating func finish() { settle(last) }

  /// The first and the last day; nil without any.
  var days: ClosedRange<Int>? {
    guard let first = counts.keys.min(), let last = counts.keys.max() else { return nil }
    return first...last
  }

  /// The counts in buckets of a unit that suits a span of days.
  func histogram(over days: ClosedRange<Int>?) -> DateHistogram {
    guard let days else { return DateHistogram(unit: .day, buckets: []) }
    let unit = DateHistogram.Unit(suiting: days)
    let first = unit.number(of: days.lowerBound)
    var sums = [Int](repeating: 0, count: unit.number(of: days.upperBound) - first + 1)
    for (day, count) in counts where days.contains(day) {
      sums[unit.number(of: day) - first] += count
    }
    return DateHistogram(
      unit: unit,
      buckets: sums.enumerated().map { .init(label: unit.label(of: first + $0), count: $1) })
  }
}
