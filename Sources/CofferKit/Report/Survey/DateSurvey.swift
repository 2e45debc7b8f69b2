internal import CoreDataLayout
internal import CoreDataModel

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

  /// The attributes with values, those with most values first.
  var growth: [DateGrowth] {
    let found = visitors.flatMap(\.growth)
    return found.sorted { left, right in
      let counts = (left.histogram.count, right.histogram.count)
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      if left.entityName != right.entityName {
        return codeUnitsAscend(left.entityName, right.entityName)
      }
      return codeUnitsAscend(left.name, right.name)
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
          outsideCount: counter.outsideCount)
      }
    }
  }
}
