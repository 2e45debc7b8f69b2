internal import CoreDataArchive
internal import CoreDataModel

/// The values of one derived attribute and the expected values.
protocol DerivedValues: RecordConsumer {
  /// Finds the columns that the values are computed from; nil if the expression is of another kind
  /// or the store lacks a column.
  init?(_ attribute: DerivedAttribute, _ context: VerificationContext)
  /// The visitor of a table; nil if the table contains neither the values nor what they are
  /// computed from.
  func visitor(of table: VerifiedTable) -> (any RowVisitor)?
}

/// Passes each row to several visitors.
final class VisitorGroup: RowVisitor {
  private let visitors: [any RowVisitor]

  /// Groups visitors; nil if there are none.
  init?(_ visitors: [any RowVisitor]) {
    if visitors.isEmpty { return nil }
    self.visitors = visitors
  }

  func visit(_ row: Row) throws {
    for visitor in visitors { try visitor.visit(row) }
  }

  func tableDone() throws {
    for visitor in visitors { try visitor.tableDone() }
  }
}
