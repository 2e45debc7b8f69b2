internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Takes the entries of parts, one after another.
protocol PartSink: AnyObject {
  /// Adds a whole entry with unchanged content.
  func addEntry(
    _ name: NumberedEntryName, _ content: inout JSONBuffer, attributes: ArchiveEntryAttributes
  ) throws
  func beginEntry(
    _ name: NumberedEntryName, size: Int, attributes: ArchiveEntryAttributes
  ) throws(CofferError)
  /// Takes the next bytes of the entry, borrowed for the call.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  func endEntry() throws
  /// Ends the part, with the number of rows of the range so far.
  func endPart(rowCount: Int) throws
}

extension ArchiveWriter: PartSink {
  func addEntry(
    _ name: NumberedEntryName, _ content: inout JSONBuffer, attributes: ArchiveEntryAttributes
  ) throws {
    try beginEntry(name, size: content.count, attributes: attributes)
    try unsafe content.withUnsafeBytes { bytes in unsafe try write(bytes) }
    try endEntry()
  }

  func endPart(rowCount: Int) {}
}

/// The facts about a range of rows that writing it has shown.
struct RangeOutcome: Sendable {
  var rowCount = 0
  var shortLineCount = 0
  var partCount = 0
  /// The number of to-one relationships with a destination.
  var toOneCount = 0
  var externalReferences: [ExternalReference] = []
  /// The first values that an import may insert in another storage class.
  var convertedValues: [ConvertedValue] = []
  /// Whether a key has a part that is no integer, so that its order is not known to be right.
  var isOrderUncertain = false
  /// The keys of the first row, and of the row after the range; nil if there is none.
  var first, behind: KeyNumbers?

  /// Adds the facts about the range after this one.
  mutating func add(_ next: RangeOutcome) {
    rowCount += next.rowCount
    shortLineCount += next.shortLineCount
    partCount += next.partCount
    toOneCount += next.toOneCount
    externalReferences += next.externalReferences
    convertedValues += next.convertedValues
    isOrderUncertain = isOrderUncertain || next.isOrderUncertain
    behind = next.behind
  }
}

/// Writes a table, or a range of its rows: its parts one after another, each with its values.
struct TableExporter: ~Copyable {
  private var table: TableEncoder
  var firstPart = 0

  init(
    _ source: TableSource, entities: NumberedEntities, database: SQLiteDatabase, rule: PartRule
  ) throws(CofferError) {
    table = try TableEncoder(source, entities: entities, database: database, rule: rule)
  }

  /// Writes all rows of a range; returns the facts about the rows.
  mutating func run(
    _ range: RowRange, to sink: some PartSink, record: (RowRecords) throws -> Void,
    progress: (Int) -> Void
  ) throws -> RangeOutcome {
    try table.begin(range)
    var outcome = RangeOutcome()
    while try table.nextPart(progress: progress) {
      try writePart(to: sink)
      outcome.partCount += 1
      let referenceCount = table.externalReferences.count
      if var records = table.recorder?.take() {
        records.refersToFiles = referenceCount > outcome.externalReferences.count
        try record(records)
      }
      outcome.externalReferences = table.externalReferences
      try sink.endPart(rowCount: table.rowCount)
    }
    outcome.rowCount = table.rowCount
    outcome.shortLineCount = table.shortLineCount
    outcome.toOneCount = table.toOneCount
    outcome.convertedValues = table.encoder.convertedValues
    outcome.isOrderUncertain = table.isOrderUncertain
    (outcome.first, outcome.behind) = (table.keyOfFirst, table.keyBehind)
    return outcome
  }

  /// Writes the part: its blobs, its lines, then its large values one by one.
  private mutating func writePart(to sink: some PartSink) throws {
    let none = ArchiveEntryAttributes()
    let (blobs, lines, attributes) = (name("blobs"), name("ndjson"), table.attributes)
    if table.encoder.blobs.count > 0 {
      try sink.addEntry(blobs, &table.encoder.blobs, attributes: none)
    }
    try sink.addEntry(lines, &table.encoder.lines, attributes: attributes)
    for (number, value) in table.outOfLineValues.enumerated() {
      var hasher = table.recorder.map { _ in ContentHasher() }
      try sink.beginEntry(name(value.name), size: value.length, attributes: none)
      unsafe try table.read(value) { bytes in
        unsafe hasher?.update(bytes)
        unsafe try sink.write(bytes)
      }
      try sink.endEntry()
      if let hasher { table.recorder?.add(hasher.digest, ofValue: number) }
    }
  }

  private func name(_ ending: String) -> NumberedEntryName {
    NumberedEntryName(
      folder: table.shape.folder, number: firstPart + table.encoder.part, ending: ending)
  }
}

extension CofferError {
  /// The error for rows that are not in the order of their keys.
  static func disorder(of shape: TableLayout, _ key: String = "", path: String) -> CofferError {
    CofferError(
      .damagedStore, path: path, item: "table \(shape.storedName)\(key)",
      detail: "its rows are out of order, or one comes twice", advice: .salvageStore)
  }
}
