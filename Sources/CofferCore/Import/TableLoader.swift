internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Inserts decoded rows into one table.
///
/// Compiles two statements per table, one that inserts a row and one that inserts several. After
/// that, a row costs only its bindings and the insertion.
struct TableLoader: ~Copyable {
  let shape: TableLayout
  private let place: LoadingPlace
  private let insertion: RowInsertion
  private let conversionCheck: ConversionCheck
  /// Records losses; nil if losses are errors.
  private let salvage: Salvage?

  /// The number of inserted rows.
  private(set) var rowCount = 0
  /// The number of to-one relationships that are not nil.
  private(set) var toOneCount = 0
  /// The values of the part in their own entries, since ``takeOutOfLineValues()`` was last called.
  private var outOfLineValues: [OutOfLineValue] = []
  /// The references to external files since ``takeExternalReferences()`` was last called.
  private var externalReferences: [ExternalReference] = []
  /// The values that SQLite may have converted since ``takeConvertedValues()`` was last called.
  private var convertedValues: [ConvertedValue] = []
  /// The number of lines read from the part.
  private var lineCount = 0
  /// The number of bytes to reserve in the store for later values of this
  /// part.
  private var reservable = ArchiveLimits.reservedSize

  /// The place that errors name.
  struct LoadingPlace {
    var archive: String
    var limits: ArchiveLimits
    var entityNames: [Int64: Name]
  }

  /// Prepares to fill an existing table, whose columns the schema declares.
  init(
    _ shape: TableLayout, _ columns: SchemaTable?, database: SQLiteDatabase, place: LoadingPlace,
    salvage: Salvage? = nil
  ) throws(CofferError) {
    self.shape = shape
    conversionCheck = ConversionCheck(shape, columns)
    self.place = place
    self.salvage = salvage
    insertion = try RowInsertion(shape, database)
  }

  /// Returns the references to external files since the last call.
  mutating func takeExternalReferences() -> [ExternalReference] {
    defer { externalReferences.removeAll() }
    return externalReferences
  }

  /// Returns the values that have their own entries, in the order of their rows.
  mutating func takeOutOfLineValues() -> [OutOfLineValue] {
    defer { outOfLineValues.removeAll() }
    return outOfLineValues
  }

  /// Returns the values that SQLite may have converted since the last call.
  mutating func takeConvertedValues() -> [ConvertedValue] {
    defer { convertedValues.removeAll() }
    return convertedValues
  }

  mutating func beginPart() {
    lineCount = 0
    reservable = ArchiveLimits.reservedSize
  }

  /// Inserts the rows of a part.
  ///
  /// - Throws: `CofferError` with `damaged-archive` if a line does not belong to this table, with
  ///   `archive-limit`, or with another code if a row cannot be inserted.
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
    convertedValues += conversionCheck.values(of: decoded)
  }

  /// Inserts rows together, if there are enough; returns the number of inserted rows.
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

  /// The error for a row that cannot be inserted, with the last counted line as its place.
  private func fault(
    _ error: CofferError, _ row: Int, of decoded: DecodedRows, _ entry: String
  ) -> CofferError {
    error.blaming(
      place.archive, entry: entry, item: object(row, of: decoded),
      "line \(lineCount) cannot be stored in \(shape.storedName)")
  }

  /// The object of a row; nil if the row is not an object.
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
  }

  /// Inserts one row, which may have extras.
  private mutating func insert(
    _ decoded: DecodedRows, _ row: Int, _ extras: DecodedRows.Extras?, _ entry: String
  ) throws {
    var values = extras?.outOfLineValues ?? []
    for index in values.indices {
      let length = values[index].length
      values[index].isReserved = !values[index].isText && length <= reservable
      if values[index].isReserved { reservable -= length }
    }
    do throws(CofferError) {
      try insertion.insert(decoded, row, values)
    } catch {
      guard let salvage, error.objectionToContent != nil else {
        throw fault(error, row, of: decoded, entry)
      }
      return salvage.loseLine(shape, entry, lineCount, "its row conflicts with other rows")
    }
    note(decoded, row..<(row + 1))
    guard let extras else { return }
    let number = insertion.lastInsertedRow
    for var value in values {
      value.row = number
      outOfLineValues.append(value)
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

  /// Reports the invalid lines before a row.
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
