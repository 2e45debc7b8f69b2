package import CofferComparison
package import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// A change file: the changes from one state of a store to another.
///
/// ```swift
/// let changes = try StoreChanges("Day.coffer-changes.tar.gz")
/// try changes.inspect { print($0) }
/// try changes.reverse(to: .file("Back.coffer-changes.tar.gz"))
/// ```
package struct StoreChanges: Sendable {
  private let path: String
  private let environment: WorkEnvironment

  /// Names a change file.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which is opened when it is used.
  ///   - environment: how it is read.
  package init(_ path: String, environment: WorkEnvironment = WorkEnvironment()) {
    self.path = path
    self.environment = environment
  }

  /// Reads the changes as differences between the two states.
  ///
  /// - Parameters:
  ///   - includesValues: whether differences include the values.
  ///   - onDifference: called for every difference. If it throws, the work ends with that error.
  /// - Returns: the number of changes.
  /// - Throws: ``CofferError`` if the file cannot be read completely; errors from the closure;
  ///   `CancellationError`.
  @discardableResult
  package func inspect(
    includesValues: Bool = false, onDifference: (Difference) throws -> Void = { _ in }
  ) throws -> ChangesSummary {
    let file = try ChangesFile(path: path, environment: environment)
    return try withoutActuallyEscaping(onDifference) { onDifference in
      try ChangesInspection(file, includesValues: includesValues, onDifference: onDifference).run()
    }
  }

  /// Reads the findings that the changes fix, and how.
  ///
  /// Only the plan of a repair has them.
  ///
  /// - Parameter body: called for every repair, in the order in which they are made. If it throws, the
  ///   work ends with that error.
  /// - Throws: ``CofferError`` if the file cannot be read; errors from the closure; `CancellationError`.
  package func repairs(_ body: (RecordedRepair) throws -> Void) throws {
    try ChangesFile(path: path, environment: environment).forEachRepair(body)
  }

  /// Reads the changes of the objects of an entity, with their values.
  ///
  /// - Parameters:
  ///   - entityName: the entity; objects of its subentities count too.
  ///   - primaryKey: the key of the only object; nil for all.
  ///   - onDifference: called for every change. If it throws, the work ends with that error.
  /// - Throws: ``CofferError`` with `no-such-entity`, or if the file cannot be read; errors from the
  ///   closure; `CancellationError`.
  package func show(
    _ entityName: Name, primaryKey: Int64? = nil,
    onDifference: (ObjectDifference) throws -> Void
  ) throws {
    let file = try ChangesFile(path: path, environment: environment)
    let selection = try EntitySelection(
      [entityName], of: [(file.documents.model, file.documents.layout.entities)], path: path)
    try withoutActuallyEscaping(onDifference) { onDifference in
      let inspection = ChangesInspection(file, includesValues: true) { difference in
        guard case .object(let object) = difference,
          selection.contains(object.objectID.entityName),
          primaryKey.map({ $0 == object.objectID.primaryKey }) ?? true
        else { return }
        try onDifference(object)
      }
      try inspection.readObjects(of: selection)
    }
  }

  /// Reads the file completely: every line, and every value and file against its digest.
  ///
  /// - Returns: the number of changed objects, and the checked entries.
  /// - Throws: ``CofferError`` with `damaged-archive` or another code if the file is not whole;
  ///   `CancellationError`.
  @discardableResult
  package func verify() throws -> VerificationSummary {
    let file = try ChangesFile(path: path, environment: environment)
    for entry in file.archive.file.index.entries {
      try Task<Never, Never>.checkCancellation()
      try unsafe file.archive.file.readPieces(of: entry.name) { _ in }
    }
    let found = try ChangesInspection(file, includesValues: false, onDifference: { _ in }).run()
    var summary = VerificationSummary(kind: .changes)
    summary.objectCount = found.differences.objects.total
    summary.checks = [.archive]
    summary.storeUUID = found.storeUUID
    return summary
  }

  /// Writes the opposite changes.
  ///
  /// - Returns: the number of changes.
  /// - Throws: ``CofferError`` if the file cannot be read or the other cannot be written;
  ///   `CancellationError`. Nothing remains of an incomplete file.
  @discardableResult
  package func reverse(
    to target: ArchiveTarget, options: ChangesOptions = ChangesOptions()
  ) throws -> ChangesSummary {
    try ChangesFile(path: path, environment: environment, isReversed: true).write(
      to: target, options)
  }

  /// Concatenates changes that follow each other into one change file with the same effect.
  ///
  /// - Parameters:
  ///   - paths: the change files, in the order in which they follow each other.
  ///   - environment: how they are read.
  ///   - target: where the file goes.
  ///   - options: how it is written.
  /// - Returns: the number of changes.
  /// - Throws: ``CofferError``: `wrong-state` if changes do not follow each other, `model-mismatch` if
  ///   their models or schemas differ; errors from reading and writing; `CancellationError`. Nothing
  ///   remains of an incomplete file.
  @discardableResult
  package static func concatenate(
    _ paths: [String], environment: WorkEnvironment = WorkEnvironment(), to target: ArchiveTarget,
    options: ChangesOptions = ChangesOptions()
  ) throws -> ChangesSummary {
    let files = try paths.map { path in try ChangesFile(path: path, environment: environment) }
    return try ChangesConcatenation(files).write(to: target, options)
  }
}
