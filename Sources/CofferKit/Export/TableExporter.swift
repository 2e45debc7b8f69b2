internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Writes a table: its parts one after the other, each with its values.
struct TableExporter: ~Copyable {
  let shape: TableLayout
  private let writer: ArchiveWriter
  private var table: TableEncoder

  /// The number of rows written.
  var rowCount: Int { table.rowCount }
  /// Whether a key has a part that is no integer, so that its order is not known to be right.
  var isOrderUncertain: Bool { table.isOrderUncertain }
  /// The references to external files so far.
  var externalReferences: [ExternalReference] { table.externalReferences }
  /// The number of to-one relationships with a destination.
  var toOneCount: Int { table.toOneCount }

  /// Prepares the export of a table.
  ///
  /// - Throws: ``CofferError`` if the table cannot be read.
  init(
    _ source: TableSource, entities: NumberedEntities, database: SQLiteDatabase,
    writer: ArchiveWriter
  ) throws(CofferError) {
    shape = source.shape
    self.writer = writer
    table = try TableEncoder(source, entities: entities, database: database)
  }

  /// Writes all rows.
  ///
  /// - Parameter progress: called regularly with the number of rows written so far.
  /// - Throws: `CofferError` if the table cannot be read, `CofferError` if the archive cannot be
  ///   written, `CancellationError` if the task is canceled.
  mutating func run(progress: (Int) -> Void) throws {
    while try table.nextPart(progress: progress) { try writePart() }
  }

  /// Writes the part to the archive: its blobs, its lines, then its large values one by one.
  private func writePart() throws {
    let name = table.partName
    if table.encoder.blobs.count > 0 {
      try unsafe table.encoder.blobs.withUnsafeBytes { bytes in
        unsafe try writer.add(name: name + ".blobs", bytes: bytes)
      }
    }
    let attributes = table.attributes
    try unsafe table.encoder.lines.withUnsafeBytes { bytes in
      unsafe try writer.add(name: name + ".ndjson", bytes: bytes, attributes: attributes)
    }
    for value in table.outOfLineValues {
      try writer.beginEntry(name: "\(name).\(value.name)", size: value.length)
      unsafe try table.read(value) { unsafe try writer.write($0) }
      try writer.endEntry()
    }
  }
}
