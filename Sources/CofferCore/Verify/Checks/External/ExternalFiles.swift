internal import CoreDataModel
internal import CoreDataStore

/// Matches the files of external binary data with the values that refer to them.
///
/// The key of a record is the upper half of the file name, and its first number the lower half.
/// Files have rank 0 and their size as the second number; values have the rank of their column and
/// the primary key of their object.
final class ExternalFiles: RecordConsumer {
  private struct File {
    let name: ExternalFileName
    let isEmpty: Bool
    /// The first value that refers to the file.
    var user: SortRecord?
  }

  private let context: VerificationContext
  /// The columns by rank, from 1.
  private var columns: [ExternalColumn] = []
  /// The files with the same upper half as the last record, in ascending order; rarely more than
  /// one.
  private var files: [File] = []
  private var last: SortRecord?
  private var position = 0
  private lazy var links = context.irregularFiles.links

  /// Creates the matching for a run.
  init(_ context: VerificationContext) { self.context = context }

  /// Assigns a rank to a column.
  func rank(of column: ExternalColumn) -> UInt32 {
    columns.append(column)
    return UInt32(clamping: columns.count)
  }

  /// A record of a file, or of a value that refers to one.
  ///
  /// Records are sorted by file name.
  static func record(
    topic: UInt32, rank: UInt32, file: ExternalFileName, second: Int64
  ) -> SortRecord {
    SortRecord(
      topic: topic, rank: rank, key: Int64(bitPattern: file.high ^ sign),
      first: Int64(bitPattern: file.low ^ sign), second: second)
  }

  private static let sign: UInt64 = 1 << 63

  func take(_ record: SortRecord) throws {
    if record.key != last?.key { try endFiles() }
    if record.rank != last?.rank { position = 0 }
    last = record
    let name = ExternalFileName(
      high: UInt64(bitPattern: record.key) ^ Self.sign,
      low: UInt64(bitPattern: record.first) ^ Self.sign)
    guard record.rank > 0 else {
      if files.last?.name != name { files.append(File(name: name, isEmpty: record.second == 0)) }
      return
    }
    while position < files.count, files[position].name.low < name.low { position += 1 }
    guard position < files.count, files[position].name == name else {
      return try report(
        .missingExternalData, record, ExternalReference.detail(of: name.text, links: links))
    }
    if let user = files[position].user {
      let (other, property) = try place(of: user)
      try report(.sharedExternalData, record, "\(name.text), also used by \(other).\(property)")
    } else {
      files[position].user = record
      if files[position].isEmpty { try report(.emptyExternalData, record, name.text) }
    }
  }

  func topicDone() throws { try endFiles() }

  private func endFiles() throws {
    for file in files where file.user == nil {
      try context.report(Finding(.orphanedExternalData, detail: file.name.text))
    }
    files.removeAll(keepingCapacity: true)
  }

  private func report(_ code: FindingCode, _ record: SortRecord, _ detail: String) throws {
    let (objectID, property) = try place(of: record)
    try context.report(
      Finding(code, objectID: objectID, propertyName: property, detail: detail))
  }

  /// The object and the attribute of a value.
  private func place(of record: SortRecord) throws -> (ManagedObjectID, String) {
    let column = columns[Int(record.rank) - 1]
    return (try context.objectID(record.second, in: column.table), column.propertyName)
  }
}
