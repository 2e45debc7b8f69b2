internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks the values of one table that may be in files.
///
/// Source of the format: store-format, section 6. The check of values reports values that are not
/// blobs.
final class ExternalValueVisitor: RowVisitor {
  /// The columns, each with the rank of its records.
  private let columns: [(rank: UInt32, column: ExternalColumn)]
  private let topic: UInt32
  private let context: VerificationContext

  /// Checks columns of one table, and records references under a topic of ``ExternalFiles``.
  init(
    _ columns: [(rank: UInt32, column: ExternalColumn)], topic: UInt32,
    _ context: VerificationContext
  ) {
    self.columns = columns
    self.topic = topic
    self.context = context
  }

  func visit(_ row: Row) throws {
    for (rank, column) in columns where row.storageClass(column.column) == .blob {
      switch row.firstByte(column.column) {
      case 1: continue
      case 2:
        guard let file = fileName(row, column.column) else {
          try report(row, column, "the name of its file is invalid")
          continue
        }
        try context.sorter.append(
          ExternalFiles.record(
            topic: topic, rank: rank, file: file, second: row.primaryKey ?? 0))
      case nil: try report(row, column, "it is empty and has no marker")
      default: try report(row, column, "its marker is unknown")
      }
    }
  }

  private func fileName(_ row: Row, _ column: Int) -> ExternalFileName? {
    guard let bytes = unsafe row.bytes(column), bytes.count > 1 else { return nil }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[1...])
    return unsafe ExternalReference(rest, column: 0, primaryKey: 0, entityNumber: 0)?.file
  }

  private func report(_ row: Row, _ column: ExternalColumn, _ detail: String) throws {
    try context.report(
      Finding(
        .invalidExternalMarker, entityName: column.table.shape.entityName,
        objectID: context.objectID(row, in: column.table), propertyName: column.propertyName,
        detail: detail))
  }
}
