internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Joins the changes of the persistent history with the times of their transactions.
///
/// The key of a record is the transaction. Rank 0 is its time, as the bits of a floating-point
/// number; a higher rank is a kind of change, with the number of consecutive ones.
final class HistorySurvey: SurveyPart, RecordConsumer {
  private var context: VerificationContext?
  private var topic: UInt32 = 0
  private var changes: ChangeVisitor?
  private var times: TimeVisitor?
  /// Whether all records were processed; before that, no change has a time.
  private var isComplete = false

  private var transaction: Int64?
  private var time: Double?
  private var transactionDays = DayCounter()
  /// By kind of change.
  private var changeDays = [DayCounter](repeating: DayCounter(), count: 3)

  func begin(_ context: VerificationContext) { self.context = context }

  func prepare() { topic = context?.topic(self) ?? 0 }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    guard table.shape.kind == .history, let context else { return nil }
    if let columns = ChangeColumns(table.shape) {
      let visitor = ChangeVisitor(columns, topic, context)
      changes = visitor
      return visitor
    }
    guard table.shape.storedName == StoredName.transactions,
      let column = table.column(named: StoredName.transactionTime)
    else { return nil }
    let visitor = TimeVisitor(column, topic, context)
    times = visitor
    return visitor
  }

  func take(_ record: SortRecord) {
    if record.key != transaction { (transaction, time) = (record.key, nil) }
    guard record.rank > 0 else {
      let seconds = Double(bitPattern: UInt64(bitPattern: record.first))
      time = seconds
      transactionDays.add(seconds)
      return
    }
    // A change without a transaction is a finding.
    guard let time, record.rank <= 3 else { return }
    changeDays[Int(record.rank) - 1].add(time, count: Int(clamping: record.first))
  }

  func finish() { isComplete = true }

  /// The history over time; nil without transactions, and if not all rows could be read.
  var growth: HistoryGrowth? {
    guard let times, isComplete, let context else { return nil }
    var counters = [transactionDays] + changeDays
    for index in counters.indices { counters[index].finish() }
    let spans = counters.compactMap(\.days)
    guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() else {
      return nil
    }
    let histograms = counters.map { $0.histogram(over: first...last) }
    return HistoryGrowth(
      transactions: histograms[0], insertions: histograms[1], updates: histograms[2],
      deletions: histograms[3], entities: changes?.entities(context) ?? [],
      outsideCount: counters.reduce(0) { $0 + $1.outsideCount },
      last: changes?.last(of: times, context))
  }

  /// Records the times of transactions.
  private final class TimeVisitor: RowVisitor {
    private let column: Int
    private let topic: UInt32
    private let sorter: RecordSorter
    /// The highest number of a transaction, with its time.
    private(set) var last: (number: Int64, seconds: Double)?

    init(_ column: Int, _ topic: UInt32, _ context: VerificationContext) {
      self.column = column
      self.topic = topic
      sorter = context.sorter
    }

    func visit(_ row: Row) throws {
      guard let key = row.primaryKey, let time = row.number(column) else { return }
      if key > last?.number ?? .min { last = (key, time) }
      try sorter.append(
        SortRecord(
          topic: topic, rank: 0, key: key, first: Int64(bitPattern: time.bitPattern), second: 0))
    }
  }

  /// Counts changes, and records runs of one transaction and kind.
  private final class ChangeVisitor: RowVisitor {
    private let columns: ChangeColumns
    private let topic: UInt32
    private let context: VerificationContext
    private var run: SortRecord
    /// By entity index, three numbers each.
    private var counts: [Int]
    private var latest: LatestChanges

    init(_ columns: ChangeColumns, _ topic: UInt32, _ context: VerificationContext) {
      self.columns = columns
      self.topic = topic
      self.context = context
      run = SortRecord(topic: topic, rank: 0, key: 0, first: 0, second: 0)
      counts = [Int](repeating: 0, count: 3 * context.entities.count)
      latest = LatestChanges(placeCount: counts.count)
    }

    func visit(_ row: Row) throws {
      guard let transaction = row.integer(columns.transaction),
        let kind = row.integer(columns.type).flatMap(RecordedChange.init(rawValue:)),
        let entity = row.integer(columns.entity).map(context.entities.index(of:)),
        Int(entity) < context.entities.count
      else { return }
      let rank = UInt32(kind.rawValue) + 1
      let place = 3 * Int(entity) + Int(kind.rawValue)
      counts[place] &+= 1
      latest.add(place, of: transaction, object: row.integer(columns.object))
      if run.key != transaction || run.rank != rank {
        try end()
        (run.key, run.rank) = (transaction, rank)
      }
      run.first &+= 1
    }

    func tableDone() throws { try end() }

    private func end() throws {
      if run.first > 0 { try context.sorter.append(run) }
      run.first = 0
    }

    func entities(_ context: VerificationContext) -> [HistoryGrowth.EntityChanges] {
      Self.entities(counts, context)
    }

    /// The last transaction; nil if the last changes do not belong to it.
    func last(of times: TimeVisitor, _ context: VerificationContext) -> LastTransaction? {
      guard let last = times.last, last.number == latest.transaction else { return nil }
      return LastTransaction(
        number: last.number, date: InspectionParts.text(ofDate: last.seconds),
        entities: Self.entities(latest.counts, context),
        objects: latest.objects.map { place, key in
          let name = context.entities.name(UInt16(clamping: place / 3)) ?? ""
          return ManagedObjectID(entityName: name, primaryKey: key)
        })
    }

    private static func entities(
      _ counts: [Int], _ context: VerificationContext
    ) -> [HistoryGrowth.EntityChanges] {
      let found = (0..<context.entities.count).map { index in
        HistoryGrowth.EntityChanges(
          name: context.entities.name(UInt16(clamping: index)) ?? "",
          insertionCount: counts[3 * index], updateCount: counts[3 * index + 1],
          deletionCount: counts[3 * index + 2])
      }
      return found.filter { $0.count > 0 }.sorted {
        $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name
      }
    }
  }
}

/// The changes of the transaction with the highest number so far.
private struct LatestChanges {
  private(set) var transaction = Int64.min
  /// By entity index, three numbers each.
  private(set) var counts: [Int]
  /// The first objects, with their places in the counts.
  private(set) var objects: [(place: Int, key: Int64)] = []
  /// The places of counts that are not zero.
  private var touched: [Int] = []

  init(placeCount: Int) { counts = [Int](repeating: 0, count: placeCount) }

  mutating func add(_ place: Int, of transaction: Int64, object: Int64?) {
    guard transaction >= self.transaction else { return }
    if transaction > self.transaction {
      self.transaction = transaction
      for place in touched { counts[place] = 0 }
      touched.removeAll(keepingCapacity: true)
      objects.removeAll(keepingCapacity: true)
    }
    if counts[place] == 0 { touched.append(place) }
    counts[place] &+= 1
    if let object, objects.count < LastTransaction.exampleLimit { objects.append((place, object)) }
  }
}
