internal import CoreDataArchive
internal import CoreDataModel

/// The values of one derived attribute and the expected values.
protocol DerivedValues: RecordConsumer {
  /// Finds the columns that the values are computed from; nil if the expression is of another kind
  /// or the store lacks a column.
  init?(_ attribute: DerivedAttribute, _ context: VerificationContext)
  /// The visitor of a table; nil if the table contains neither the values nor the data that they are
  /// computed from.
  func visitor(of table: VerifiedTable) -> (any RowVisitor)?
}
