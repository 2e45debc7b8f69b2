internal import CofferCore
internal import CoreDataStore

/// A step of a migration: with an inferred mapping, or with a mapping model.
protocol MigrationWork {
  var notes: [MigrationNote] { get }
  /// The numbers of objects, of pairs and of external files in the new store, once it is written.
  var objectCount: Int { get }
  var pairCount: Int { get }
  var fileCount: Int { get }
  /// The number of objects that the step loses.
  var lostCount: Int64 { get }

  /// Checks that the objects can be migrated.
  ///
  /// The loss includes the earlier steps; nil if it is allowed.
  ///
  /// - Throws: ``CofferError`` with all reasons if they cannot; `CancellationError`.
  func check(_ progress: any ProgressReporter, loss: ObjectLoss?) throws

  /// Writes the new store.
  mutating func write(to paths: StorePaths, progress: any ProgressReporter) throws
}
