/// One kind of rule that a store must satisfy.
///
/// A check is created for one run, sees every row once, and finishes with its results. To add
/// one, write it in `Checks/`, give it a ``CheckName``, put its codes in a file in
/// `Findings/Codes/`, and list it in ``CheckList``.
///
/// For the order of calls, see ``RunObserver``.
protocol Check: RunObserver {
  /// The name that selects the check and that its codes refer to.
  static var name: CheckName { get }
  /// The part of the app's model that the check needs; most checks need none.
  static var modelNeed: ModelNeed { get }
  /// Makes the check for a run.
  init(_ context: VerificationContext)
}

extension Check {
  static var modelNeed: ModelNeed { .none }
}

/// What checks have in common: the run that they belong to.
class RunCheck {
  let context: VerificationContext

  required init(_ context: VerificationContext) { self.context = context }
}

/// The part of the app's model that a check needs, and the consequence if the model was inferred from the
/// tables.
enum ModelNeed {
  case none
  /// Relationships: the check runs for the inferred ones.
  case relationships
  /// The whole model: an inferred one is no standard to measure the tables by.
  case whole
}

/// An observer of a single pass over all rows: a check, or another evaluation of the same rows.
///
/// The order of calls is: ``prepare()``; for each table, ``visitor(of:)`` and its rows;
/// ``rowsDone()``; the sorted records, to their consumers; ``finish()``.
package protocol RunObserver: AnyObject {
  /// Checks the facts that are known before the first row: the model and the layout.
  func prepare() throws
  /// The visitor of a table's rows; nil if the observer does not need them.
  func visitor(of table: VerifiedTable) throws -> RowVisitor?
  /// Adds the last records after all rows.
  func rowsDone() throws
  /// Makes the tests that need all rows. The key directories are complete and the records are sorted.
  func finish() throws
}

/// Most observers need only some of the calls.
extension RunObserver {
  package func prepare() throws {}
  package func visitor(of table: VerifiedTable) throws -> RowVisitor? { nil }
  package func rowsDone() throws {}
  package func finish() throws {}
}

/// Visits every row of one table, in ascending order of primary keys.
package struct RowVisitor {
  /// Visits a row, whose values are borrowed until the call returns.
  let visit: (Row) throws -> Void
  /// Is called after the last row of the table.
  let tableDone: () throws -> Void

  /// Creates a visitor; most have nothing to do at the end.
  package init(tableDone: @escaping () throws -> Void = {}, visit: @escaping (Row) throws -> Void) {
    self.visit = visit
    self.tableDone = tableDone
  }

  /// The visitor that passes each row to several, one after another; nil if there are none.
  ///
  /// It is a chain because its links cannot change: calling the elements of an array costs a reference
  /// count for each visitor and row.
  static func chain(_ visitors: ArraySlice<RowVisitor>) -> RowVisitor? {
    guard let first = visitors.first, let rest = chain(visitors.dropFirst()) else {
      return visitors.first
    }
    return RowVisitor {
      try first.tableDone()
      try rest.tableDone()
    } visit: { row in
      try first.visit(row)
      try rest.visit(row)
    }
  }
}

/// Receives the sorted records of one topic; records with the same key are adjacent.
package protocol RecordConsumer: AnyObject {
  /// Receives the next record.
  func take(_ record: SortRecord) throws
  /// Is called after the last record of the topic.
  func topicDone() throws
}

/// Most consumers have nothing to do at the end.
extension RecordConsumer {
  package func topicDone() throws {}
}
