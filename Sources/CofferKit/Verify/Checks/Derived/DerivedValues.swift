internal import CoreDataArchive
internal import CoreDataModel

/// The values of one derived attribute, with what they should be.
protocol DerivedValues: RecordConsumer {
  /// Finds what the values are computed from; nil where the expression is not of this kind or leads
  /// to something that the store has no column for.
  init?(_ attribute: DerivedAttribute, _ context: VerificationContext)
  /// What looks at the rows of a table; nil where neither the values nor what they are computed from
  /// are in it.
  func visitor(of table: VerifiedTable) -> (any RowVisitor)?
}

/// Shows each row to several visitors.
final class VisitorGroup: RowVisitor {
  private let visitors: [any RowVisitor]

  /// Groups visitors; nil where there are none.
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
