internal import CoreDataArchive

/// One kind of thing that must be true of a store.
///
/// A check is made for one run, sees every row once, and finishes with what it gathered. To add one:
/// write it in `Checks/`, give it a ``CheckName``, its codes a file in `Findings/Codes/`, and list it
/// in ``CheckList``.
///
/// Order of the calls: that of ``RunObserver``.
protocol Check: RunObserver {
  /// The name, by which the check is chosen and its codes name it.
  static var name: CheckName { get }
  /// Whether the check needs the model of the app: one that was inferred from the tables is no
  /// standard to measure them by.
  static var needsModel: Bool { get }
  /// Makes the check for a run.
  init(_ context: VerificationContext)
}

/// Most checks of what stands beside the objects need no model.
extension Check {
  static var needsModel: Bool { false }
}

/// What looks on while everything is read once: a check, or somebody who wants to know something else
/// of the same rows.
///
/// Order of the calls: ``prepare()``; for each table ``visitor(of:)`` and its rows; ``rowsDone()``;
/// the sorted records go to their consumers; ``finish()``.
protocol RunObserver: AnyObject {
  /// Looks at what is known before any row: the model and the layout.
  func prepare() throws
  /// What looks at the rows of a table; nil where there is nothing to be said about them.
  func visitor(of table: VerifiedTable) throws -> (any RowVisitor)?
  /// Adds the last records once all rows were seen.
  func rowsDone() throws
  /// Looks at what needs all rows, with the directories of keys complete and the records sorted.
  func finish() throws
}

/// Most observers need only some of the calls.
extension RunObserver {
  func prepare() throws {}
  func visitor(of table: VerifiedTable) throws -> (any RowVisitor)? { nil }
  func rowsDone() throws {}
  func finish() throws {}
}

/// Looks at every row of one table, in ascending order of primary keys.
protocol RowVisitor: AnyObject {
  /// Looks at a row; its values are lent until the call returns.
  func visit(_ row: Row) throws
  /// All rows of the table were seen.
  func tableDone() throws
}

/// Most visitors have nothing to do at the end.
extension RowVisitor {
  func tableDone() throws {}
}

/// Takes the sorted records of one topic: all with the same key come one behind the other.
protocol RecordConsumer: AnyObject {
  /// Takes the next record.
  func take(_ record: SortRecord) throws
  /// All records of the topic were taken.
  func topicDone() throws
}

/// Most consumers have nothing to do at the end.
extension RecordConsumer {
  func topicDone() throws {}
}
