internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Fills one table from its parts.
///
/// One statement is compiled per table and one plan made per entity; after that a line costs its
/// parsing, its bindings and the insertion.
struct TableLoader: ~Copyable {
  /// The table.
  var shape: TableShape { lineReader.shape }
  private let archive: String
  private let limits: ArchiveLimits
  private let statement: SQLiteStatement
  private let lineReader: LineReader
  /// Takes what is lost; nil where nothing may be.
  private let salvage: Salvage?

  /// How many rows were inserted.
  private(set) var rowCount = 0
  /// How many to-one relationships were set.
  private(set) var toOneCount = 0
  /// The values of the last part that are entries of their own, in the order of their names.
  private(set) var pendingValues: [PendingValue] = []
  /// The references to external files since they were last asked for.
  private var externalReferences: [ExternalReference] = []

  /// Hands over the references to external files that were met since the last time.
  mutating func takeExternalReferences() -> [ExternalReference] {
    defer { externalReferences.removeAll() }
    return externalReferences
  }

  /// Prepares the filling of a table that has been created.
  init(
    _ shape: TableShape, entities: ArchiveEntities, database: SQLiteDatabase, archive: String,
    limits: ArchiveLimits, salvage: Salvage? = nil
  ) throws(StoreError) {
    self.archive = archive
    self.limits = limits
    self.salvage = salvage
    statement = try database.prepareInsertion(
      table: shape.storedName, columns: shape.fields.map(\.storedName),
      hasRowNumbers: shape.hasRowNumbers)
    lineReader = LineReader(shape, entities: entities)
  }

  /// Inserts the rows of a part.
  ///
  /// - Parameters:
  ///   - lines: the lines of the part; they are changed.
  ///   - blobs: its values out of line.
  ///   - place: the name of the entry, for errors.
  /// - Throws: `ArchiveError` with the code `damaged-archive` for a line that is not one of this
  ///   table, `archive-limit`; `StoreError` when a row cannot be inserted.
  mutating func load(
    lines: UnsafeMutableRawBufferPointer, blobs: UnsafeRawBufferPointer, place: String
  ) throws {
    pendingValues.removeAll()
    var decoder = unsafe LineDecoder(
      blobs: blobs, entityNumbers: lineReader.entityNumbers, limits: limits)
    decoder.toleratesLostBlobs = salvage != nil
    var start = 0
    var lineNumber = 0
    while start < lines.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[start...])
      let length = unsafe rest.lineLength
      lineNumber += 1
      let toOneCount = decoder.toOneCount
      var entity: Int64?
      do throws(LineError) {
        let line = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<length])
        entity = unsafe try lineReader.read(line, &decoder, into: statement)
      } catch {
        guard let salvage, error.limit == nil else {
          throw error.archiveError(limits, path: archive, entry: place, line: lineNumber)
        }
        salvage.loseLine(shape, place, lineNumber, "byte \(error.offset): \(error.detail)")
        decoder.toOneCount = toOneCount
        start += length + 1
        continue
      }
      start += length + 1
      do throws(StoreError) {
        try statement.run()
      } catch {
        guard let salvage, error.isConstraintViolation else { throw error }
        salvage.loseLine(shape, place, lineNumber, "its row cannot stand beside the others")
        decoder.toOneCount = toOneCount
        continue
      }
      rowCount += 1
      noteValuesElsewhere(decoder, entity)
      if !decoder.lostColumns.isEmpty { noteLostValues(decoder, entity, place) }
    }
    toOneCount += decoder.toOneCount
  }

  /// Notes what the line that was inserted last refers to.
  private mutating func noteValuesElsewhere(_ decoder: borrowing LineDecoder, _ entity: Int64?) {
    guard !decoder.largeValues.isEmpty || !decoder.externalReferences.isEmpty else { return }
    let row = statement.lastInsertedRow
    for var value in decoder.largeValues {
      value.row = row
      pendingValues.append(value)
    }
    for var reference in decoder.externalReferences {
      reference.primaryKey = row
      reference.entityNumber = entity ?? 0
      externalReferences.append(reference)
    }
  }

  /// Reports the values of the line that was inserted last that are lost with the part's blobs.
  private func noteLostValues(
    _ decoder: borrowing LineDecoder, _ entity: Int64?, _ place: String
  ) {
    let name = entity.flatMap { number in
      lineReader.entityNumbers.first { $0.value == number }?.key
    }
    for column in decoder.lostColumns {
      salvage?.loseValue(
        shape, entityName: name, row: statement.lastInsertedRow, column: column, entry: place)
    }
  }
}
