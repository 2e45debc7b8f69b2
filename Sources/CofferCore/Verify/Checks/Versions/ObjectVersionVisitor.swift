internal import CoreDataLayout

/// Checks the version counter of every object of one table.
final class ObjectVersionVisitor: RowVisitor {
  private let table: VerifiedTable
  private let column: Int
  private let context: VerificationContext

  /// Creates a visitor of a table of objects; nil if the table has no version counters.
  init?(_ table: VerifiedTable, _ context: VerificationContext) {
    guard let column = table.versionColumn else { return nil }
    self.table = table
    self.column = column
    self.context = context
  }

  func visit(_ row: Row) throws {
    if let version = row.integer(column), version > 0 { return }
    var detail = row.isNull(column) ? "there is none" : "it is not an integer"
    if let version = row.integer(column) { detail = "it is \(version)" }
    try context.report(
      Finding(
        .invalidVersion, entityName: table.shape.entityName,
        objectID: context.objectID(row, in: table), detail: detail))
  }
}
