internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Fills one table with rows that were decoded from its parts.
///
/// Two statements are compiled per table, one that inserts a row and one that inserts several; after
/// that a row costs its bindings and the insertion.
struct TableLoader: ~Copyable {
  /// The table.
  let shape: TableLayout
  private let place: LoadingPlace
  private let insertion: RowInsertion
  /// Takes what is lost; nil where nothing may be.
  private let salvage: Salvage?
  /// Takes the references as they pass; nil for a table without any.
  private let watch: TablePrefilter?

  /// How many rows were inserted.
  private(set) var rowCount = 0
  /// How many to-one relationships were set.
  private(set) var toOneCount = 0
  /// The values of the part that are entries of their own, since they were last asked for.
  private var pendingValues: [PendingValue] = []
  /// The references to external files since they were last asked for.
  private var externalReferences: [ExternalReference] = []
  /// How many lines of the part were read.
  private var lineCount = 0
  /// How many more bytes of the part's values to come get their place in the store beforehand.
  private var reservable = ArchiveLimits.reservedSize

  /// What errors name as their place.
  struct LoadingPlace {
    /// The archive.
    var archive: String
    /// What it may hold at most.
    var limits: ArchiveLimits
    /// The entities by their numbers.
    var entityNames: [Int64: String]
  }

  /// Prepares the filling of a table that has been created.
  init(
    _ shape: TableLayout, database: SQLiteDatabase, place: LoadingPlace, watch: TablePrefilter?,
    salvage: Salvage? = nil
  ) throws(CofferError) {
    self.shape = shape
    self.place = place
    self.watch = watch
    self.salvage = salvage
    insertion = try RowInsertion(shape, database)
  }

  /// Hands over the references to external files that were met since the last time.
  mutating func takeExternalReferences() -> [ExternalReference] {
    defer { externalReferences.removeAll() }
    return externalReferences
  }

  /// Hands over the values that are entries of their own, in the order of their rows.
  mutating func takePendingValues() -> [PendingValue] {
    defer { pendingValues.removeAll() }
    return pendingValues
  }

  /// Begins a part.
  mutating func beginPart() {
    lineCount = 0
    reservable = ArchiveLimits.reservedSize
  }

  /// Inserts rows of a part.
  ///
  /// - Parameters:
  ///   - decoded: the rows.
  ///   - entry: the name of the entry, for errors.
  /// - Throws: `CofferError` with the code `damaged-archive` for a line that is not one of this
  ///   table, `archive-limit`; `CofferError` when a row cannot be inserted.
  mutating func insert(_ decoded: DecodedRows, entry: String) throws {
    var failure = 0
    var extra = 0
    var row = 0
    let count = decoded.rows.count
    while row < count {
      try lose(&failure, before: row, of: decoded, entry)
      let isExtra = extra < decoded.extras.count && decoded.extras[extra].row == row
      let nextExtra = extra < decoded.extras.count ? decoded.extras[extra].row : count
      if !isExtra, salvage == nil {
        let end = failure < decoded.failures.count ? decoded.failures[failure].row : count
        let inserted = try insertSeveral(decoded, row..<min(nextExtra, end), entry)
        if inserted > 0 {
          note(decoded, row..<(row + inserted))
          lineCount += inserted
          row += inserted
          continue
        }
      }
      lineCount += 1
      try insert(decoded, row, isExtra ? decoded.extras[extra] : nil, entry)
      if isExtra { extra += 1 }
      row += 1
    }
    try lose(&failure, before: count, of: decoded, entry)
  }

  /// Inserts rows together, if there are enough.
  ///
  /// - Returns: how many were inserted.
  /// - Throws: the error about the first one that cannot be inserted.
  private mutating func insertSeveral(
    _ decoded: DecodedRows, _ rows: Range<Int>, _ entry: String
  ) throws(CofferError) -> Int {
    do throws(CofferError) {
      return try insertion.insertSeveral(decoded, from: rows.lowerBound, to: rows.upperBound)
    } catch {
      guard error.objectionToContent != nil else { throw error }
      // Which one it is shows one by one. Those before it may have been inserted.
      let done = max(0, try insertion.rowCount() - rowCount)
      lineCount += done
      for row in rows.dropFirst(done) {
        lineCount += 1
        do throws(CofferError) {
          try insertion.insert(decoded, row, [])
        } catch {
          throw fault(error, row, of: decoded, entry)
        }
      }
      throw error
    }
  }

  /// The error about a row that cannot be inserted, which the line is that was counted last.
  private func fault(
    _ error: CofferError, _ row: Int, of decoded: DecodedRows, _ entry: String
  ) -> CofferError {
    error.blaming(
      place.archive, entry: entry, item: object(row, of: decoded),
      "line \(lineCount) cannot be stored in \(shape.storedName)")
  }

  /// The object of a row; nil where it is none.
  private func object(_ row: Int, of decoded: DecodedRows) -> String? {
    func integer(_ role: FieldRole) -> Int64? {
      guard let column = shape.fields.firstIndex(where: { $0.role == role }) else { return nil }
      return decoded.cells[decoded.range(of: row)]
        .first { Int($0.parameter) == column + 1 && $0.kind == .integer }
        .map { Int64(bitPattern: $0.bits) }
    }
    guard shape.kind == .entity, let key = integer(.primaryKey) else { return nil }
    let name = integer(.entityNumber).flatMap { place.entityNames[$0] } ?? shape.entityName ?? ""
    return ManagedObjectID(entityName: name, primaryKey: key).description
  }

  /// Notes rows that were inserted.
  private mutating func note(_ decoded: DecodedRows, _ range: Range<Int>) {
    rowCount += range.count
    for row in range { toOneCount += Int(decoded.rows[row].toOneCount) }
    watch?.take(decoded, range)
  }

  /// Inserts one row, perhaps one with something of its own.
  private mutating func insert(
    _ decoded: DecodedRows, _ row: Int, _ extras: DecodedRows.Extras?, _ entry: String
  ) throws {
    var largeValues = extras?.largeValues ?? []
    for index in largeValues.indices {
      let length = largeValues[index].length
      largeValues[index].isReserved = !largeValues[index].isText && length <= reservable
      if largeValues[index].isReserved { reservable -= length }
    }
    do throws(CofferError) {
      try insertion.insert(decoded, row, largeValues)
    } catch {
      guard let salvage, error.objectionToContent != nil else {
        throw fault(error, row, of: decoded, entry)
      }
      return salvage.loseLine(
        shape, entry, lineCount, "its row cannot stand beside the others")
    }
    note(decoded, row..<(row + 1))
    guard let extras else { return }
    let number = insertion.lastInsertedRow
    for var value in largeValues {
      value.row = number
      pendingValues.append(value)
    }
    for var reference in extras.externalReferences {
      reference.primaryKey = number
      reference.entityNumber = extras.entity ?? 0
      externalReferences.append(reference)
    }
    let entityName = extras.entity.flatMap { place.entityNames[$0] }
    for column in extras.lostColumns {
      salvage?.loseValue(shape, entityName: entityName, row: number, column: column, entry: entry)
    }
  }

  /// Reports the lines before a row that are none.
  ///
  /// - Throws: `CofferError` where nothing may be lost.
  private mutating func lose(
    _ next: inout Int, before row: Int, of decoded: DecodedRows, _ entry: String
  ) throws(CofferError) {
    while next < decoded.failures.count, decoded.failures[next].row <= row {
      let error = decoded.failures[next].error
      next += 1
      lineCount += 1
      guard let salvage, error.limit == nil else {
        let place = ArchivePlace(path: place.archive, entry: entry, limits: place.limits)
        throw error.archiveError(line: lineCount, in: place)
      }
      salvage.loseLine(shape, entry, lineCount, "byte \(error.offset): \(error.detail)")
    }
  }
}
