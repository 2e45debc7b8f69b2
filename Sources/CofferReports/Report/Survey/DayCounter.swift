internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Counts events per day, from 1900 to 2199.
///
/// A day with events costs a few bytes, so any number of dates needs at most some megabytes.
struct DayCounter {
  /// The days since 2001-01-01 that are counted.
  static let range =
    Instant.Day.number(
      year: 1900, month: 1, day: 1)..<Instant.Day.number(
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

/// Counts the days of all date attributes.
final class DateSurvey: SurveyPart {
  private var context: VerificationContext?
  private var visitors: [Visitor] = []

  func begin(_ context: VerificationContext) { self.context = context }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .entity, let context else { return nil }
    let columns = AttributeColumn.all(of: table, context.subject.model).filter { $0.type == .date }
    guard !columns.isEmpty else { return nil }
    let visitor = Visitor(columns)
    visitors.append(visitor)
    return visitor
  }

  /// The attributes with values, sorted by their number of values.
  var growth: [DateGrowth] {
    let found = visitors.flatMap(\.growth)
    return found.sorted { left, right in
      let counts = (left.histogram.count, right.histogram.count)
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      if left.entityName != right.entityName {
        return left.entityName < right.entityName
      }
      return left.name < right.name
    }
  }

  /// Counts the days of a table.
  private final class Visitor: RowVisitor {
    private let columns: [AttributeColumn]
    private let positions: [Int]
    private var counters: [DayCounter]

    init(_ columns: [AttributeColumn]) {
      self.columns = columns
      positions = columns.map(\.column)
      counters = columns.map { _ in DayCounter() }
    }

    func visit(_ row: Row) {
      for place in positions.indices {
        if let seconds = row.number(positions[place]) { counters[place].add(seconds) }
      }
    }

    var growth: [DateGrowth] {
      zip(columns, counters).compactMap { column, counter in
        var counter = counter
        counter.finish()
        let histogram = counter.histogram(over: counter.days)
        guard !histogram.buckets.isEmpty || counter.outsideCount > 0 else { return nil }
        return DateGrowth(
          entityName: column.entityName, name: column.name, histogram: histogram,
          outsideCount: counter.outsideCount,
          lastDay: counter.days.map { DateHistogram.Unit.day.label(of: $0.upperBound) })
      }
    }
  }
}

/// The calendar unit of a day, and its label.
extension DateHistogram.Unit {
  /// A unit that gives a suitable number of buckets for a span of days.
  init(suiting days: ClosedRange<Int>) {
    switch days.count {
    case ...70: self = .day
    case ...500: self = .week
    case ...3700: self = .month
    default: self = .year
    }
  }

  /// The number of the unit of a day.
  func number(of day: Int) -> Int {
    switch self {
    case .day: return day
    case .week: return day >= 0 ? day / 7 : (day - 6) / 7
    case .month:
      let date = Instant.Day.date(day)
      return date.year * 12 + date.month - 1
    case .year: return Instant.Day.date(day).year
    }
  }

  /// The beginning of a unit.
  func label(of number: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    switch self {
    case .day, .week:
      let date = Instant.Day.date(self == .day ? number : number * 7)
      return "\(date.year)-\(two(date.month))-\(two(date.day))"
    case .month: return "\(number / 12)-\(two(number % 12 + 1))"
    case .year: return "\(number)"
    }
  }
}
