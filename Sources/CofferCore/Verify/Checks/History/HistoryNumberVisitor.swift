internal import CoreDataLayout
internal import CoreDataStore

/// Compares the entity numbers in a table of the persistent history with the one that belongs to its name.
///
/// In an archive, that number is known only after all rows. So the rows of each number are counted.
final class HistoryNumberVisitor: RowVisitor {
  /// The maximum number of different numbers that are told apart.
  private static let mostNumbers = 16

  private let tableName: String
  private let column: Int
  private var counts: [(number: Int64?, count: Int)] = []
  private var latest = 0

  /// Creates a visitor of a table; nil if its rows have no entity numbers.
  init?(_ table: VerifiedTable) {
    guard let column = table.entityColumn else { return nil }
    self.column = column
    tableName = table.shape.storedName
  }

  func visit(_ row: Row) {
    let number = row.integer(column)
    if latest >= counts.count || counts[latest].number != number { find(number) }
    counts[latest].count &+= 1
  }

  private func find(_ number: Int64?) {
    if let known = counts.firstIndex(where: { $0.number == number }) {
      latest = known
      return
    }
    if counts.count < Self.mostNumbers { counts.append((number, 0)) }
    latest = counts.count - 1
  }

  /// Reports the rows with other numbers than the table's, once all rows were seen.
  func report(to context: VerificationContext) throws {
    let rows = context.administration.registry?.systemRows ?? []
    guard
      let own = rows.first(where: { StoredName.systemTable(ofEntity: $0.name) == tableName })
    else { return }
    for (number, count) in counts where number != own.number {
      let text = number.map { "the number \($0)" } ?? "no number"
      try context.report(
        Finding(
          .wrongHistoryEntity, entityName: own.name,
          detail: "\(count == 1 ? "one row" : "\(count) rows") with \(text), not \(own.number)"))
    }
  }
}
