internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Finds the last transaction of the persistent history, and counts its changes.
final class HistorySurvey: SurveyPart {
  private var context: VerificationContext?
  private var changes: LastChanges?
  private var times: LastTime?
  /// Whether all rows were read; before that, the last transaction is unknown.
  private var isComplete = false

  func begin(_ context: VerificationContext) { self.context = context }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .history, let context else { return nil }
    if let columns = ChangeColumns(table.shape) {
      let changes = LastChanges(columns, context)
      self.changes = changes
      return RowVisitor(visit: changes.visit)
    }
    guard table.shape.storedName == StoredName.transactions,
      let column = table.column(named: StoredName.transactionTime)
    else { return nil }
    let times = LastTime(column)
    self.times = times
    return RowVisitor(visit: times.visit)
  }

  func finish() { isComplete = true }

  /// The last transaction; nil without one, if the last changes do not belong to it, and if not all rows
  /// could be read.
  var last: LastTransaction? {
    guard isComplete, let last = times?.last, let changes, last.number == changes.transaction
    else { return nil }
    return LastTransaction(
      date: InspectionParts.text(ofDate: last.seconds), entities: changes.entities)
  }

  /// Finds the highest number of a transaction, with its time.
  private final class LastTime {
    private let column: Int
    private(set) var last: (number: Int64, seconds: Double)?

    init(_ column: Int) { self.column = column }

    func visit(_ row: Row) {
      guard let key = row.primaryKey, let time = row.number(column), key > last?.number ?? .min
      else { return }
      last = (key, time)
    }
  }

  /// Counts the changes of the transaction with the highest number.
  private final class LastChanges {
    private let columns: ChangeColumns
    private let context: VerificationContext
    private(set) var transaction = Int64.min
    /// The insertions, updates and deletions by entity index.
    private var counts: [Int: [Int]] = [:]

    init(_ columns: ChangeColumns, _ context: VerificationContext) {
      self.columns = columns
      self.context = context
    }

    func visit(_ row: Row) {
      guard let transaction = row.integer(columns.transaction), transaction >= self.transaction,
        let kind = row.integer(columns.type).flatMap(RecordedChange.init(rawValue:)),
        let entity = row.integer(columns.entity).map(context.entities.index(of:)),
        Int(entity) < context.entities.count
      else { return }
      if transaction > self.transaction {
        self.transaction = transaction
        counts.removeAll(keepingCapacity: true)
      }
      counts[Int(entity), default: [0, 0, 0]][Int(kind.rawValue)] &+= 1
    }

    var entities: [LastTransaction.EntityChanges] {
      counts.map { index, counts in
        LastTransaction.EntityChanges(
          name: context.entities.name(UInt16(clamping: index)) ?? "", insertionCount: counts[0],
          updateCount: counts[1], deletionCount: counts[2])
      }.sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
    }
  }
}

/// Finds the latest date of all attributes whose names suggest the time of a change.
final class DateSurvey: SurveyPart {
  /// Dates before 1900 and after 2199 usually mean "never".
  private static let start = Double(Instant.Day.number(year: 1900, month: 1, day: 1)) * 86_400
  private static let end = Double(Instant.Day.number(year: 2200, month: 1, day: 1)) * 86_400

  private var context: VerificationContext?
  private var tables: [LatestOfTable] = []

  func begin(_ context: VerificationContext) { self.context = context }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity, let context else { return nil }
    let columns = AttributeColumn.all(of: table, context.subject.model)
      .filter { $0.type == .date && Self.isChange($0.name.text) }
    guard !columns.isEmpty else { return nil }
    let found = LatestOfTable(columns)
    tables.append(found)
    return RowVisitor(visit: found.visit)
  }

  private static func isChange(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["modif", "updat", "chang", "edit", "creat", "added"].contains { name.contains($0) }
  }

  /// The latest date; nil without any.
  var latest: LatestDate? {
    guard let latest = tables.compactMap(\.latest).max(by: { $0.seconds < $1.seconds }) else {
      return nil
    }
    let date = Instant.Day.date(Int((latest.seconds / 86_400).rounded(.down)))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return LatestDate(
      entityName: latest.column.entityName, name: latest.column.name,
      day: "\(date.year)-\(two(date.month))-\(two(date.day))")
  }

  /// Finds the latest date of a table.
  private final class LatestOfTable {
    private let columns: [AttributeColumn]
    private(set) var latest: (seconds: Double, column: AttributeColumn)?

    init(_ columns: [AttributeColumn]) { self.columns = columns }

    func visit(_ row: Row) {
      for column in columns {
        if let seconds = row.number(column.column), seconds >= DateSurvey.start,
          seconds < DateSurvey.end, seconds > latest?.seconds ?? -.infinity
        {
          latest = (seconds, column)
        }
      }
    }
  }
}
