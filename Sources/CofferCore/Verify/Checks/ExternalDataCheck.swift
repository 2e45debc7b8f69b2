internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Checks external binary data: the files and the values that refer to them.
final class ExternalDataCheck: Check {
  static let name = CheckName.externalData
  static let modelNeed = ModelNeed.whole
  private let context: VerificationContext
  private let files: ExternalFiles
  private var topic: UInt32 = 0

  init(_ context: VerificationContext) {
    self.context = context
    files = ExternalFiles(context)
  }

  func prepare() throws { topic = context.topic(files) }

  func visitor(of table: VerifiedTable) -> RowVisitor? {
    guard table.shape.kind == .entity else { return nil }
    let columns = table.shape.fields.indices.compactMap { ExternalColumn(table, $0) }
    if columns.isEmpty { return nil }
    let ranked = columns.map { (rank: files.rank(of: $0), column: $0) }
    return RowVisitor { [self] row in try visit(row, ranked) }
  }

  /// Checks the values that may be in files, and records references.
  ///
  /// Source of the format: store-format, section 6. The check of values reports values that are not
  /// blobs.
  private func visit(_ row: Row, _ columns: [(rank: UInt32, column: ExternalColumn)]) throws {
    for (rank, column) in columns where row.storageClass(column.column) == .blob {
      switch row.firstByte(column.column) {
      case 1: continue
      case 2:
        guard let file = fileName(row, column.column) else {
          try report(row, column, "the name of its file is invalid")
          continue
        }
        try context.sorter.append(
          ExternalFiles.record(topic: topic, rank: rank, file: file, second: row.primaryKey ?? 0))
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
      .invalidExternalMarker, entityName: column.table.shape.entityName,
      objectID: context.objectID(row, in: column.table), propertyName: column.propertyName,
      detail: detail)
  }

  func rowsDone() throws {
    for path in context.unreadableFiles {
      try context.report(.unreadableExternalData, detail: path)
    }
    for irregular in context.irregularFiles {
      try context.report(.irregularExternalData, detail: irregular.description)
    }
    for name in context.unknownCompanions {
      try context.report(.unknownCompanion, detail: name)
    }
    for file in context.supportFiles {
      // Other files in the support folder do not belong to objects.
      guard file.components.first == StorePaths.externalDataFolderName else { continue }
      if let name = file.externalName.flatMap(ExternalFileName.init) {
        try context.sorter.append(
          ExternalFiles.record(topic: topic, rank: 0, file: name, second: Int64(file.size)))
      } else {
        try context.report(.orphanedExternalData, detail: file.path)
      }
    }
  }
}

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

  init(_ context: VerificationContext) { self.context = context }

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
      try context.report(.orphanedExternalData, detail: file.name.text)
    }
    files.removeAll(keepingCapacity: true)
  }

  private func report(_ code: FindingCode, _ record: SortRecord, _ detail: String) throws {
    let (objectID, property) = try place(of: record)
    try context.report(code, objectID: objectID, propertyName: property, detail: detail)
  }

  /// The object and the attribute of a value.
  private func place(of record: SortRecord) throws -> (ManagedObjectID, Name) {
    let column = columns[Int(record.rank) - 1]
    return (try context.objectID(record.second, in: column.table), column.propertyName)
  }
}

/// A column whose values are either in the row or in a file.
struct ExternalColumn {
  let table: VerifiedTable
  let column: Int
  /// The path of the attribute.
  let propertyName: Name

  /// Describes a column; nil if its values are always in the row.
  init?(_ table: VerifiedTable, _ column: Int) {
    guard case .attribute(let path, _, true, _) = table.shape.fields[column].role else {
      return nil
    }
    self.table = table
    self.column = column
    propertyName = Name(path: path)
  }
}
