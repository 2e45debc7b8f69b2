internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataStore

/// Fills one table from its parts.
///
/// One statement is compiled per table and one plan made per entity; after that a line costs its
/// parsing, its bindings and the insertion.
struct TableLoader: ~Copyable {
  private static let primaryKey = JSONKey("$pk")
  private static let version = JSONKey("$opt")
  private static let entity = JSONKey("$entity")
  private static let number = JSONKey("$number")
  private static let row = JSONKey("$row")

  let shape: TableShape
  private let archive: String
  private let statement: SQLiteStatement
  private let plans: TablePlans
  private let entityNumbers: [String: Int64]
  private let primaryKeyParameter: Int32?
  private let entityParameter: Int32?
  private let versionParameter: Int32?
  private let rowParameter: Int32

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
    _ shape: TableShape, entities: ArchiveEntities, database: SQLiteDatabase, archive: String
  ) throws(StoreError) {
    self.shape = shape
    self.archive = archive
    statement = try database.prepareInsertion(
      table: shape.storedName, columns: shape.fields.map(\.storedName),
      hasRowNumbers: shape.hasRowNumbers)
    plans = TablePlans(shape, entities)
    entityNumbers = entities.numbers
    func parameter(_ role: FieldRole) -> Int32? {
      shape.fields.firstIndex { $0.role == role }.map { Int32(clamping: $0 + 1) }
    }
    primaryKeyParameter = parameter(.primaryKey)
    entityParameter = parameter(.entityNumber)
    versionParameter = parameter(.version)
    rowParameter = Int32(clamping: shape.fields.count + 1)
  }

  /// Inserts the rows of a part.
  ///
  /// - Parameters:
  ///   - lines: the lines of the part; they are changed.
  ///   - blobs: its values out of line.
  ///   - place: the name of the entry, for errors.
  /// - Throws: `ArchiveError` with the code `damaged-archive` for a line that is not one of this
  ///   table; `StoreError` when a row cannot be inserted.
  mutating func load(
    lines: UnsafeMutableRawBufferPointer, blobs: UnsafeRawBufferPointer, place: String
  ) throws {
    pendingValues.removeAll()
    var decoder = unsafe LineDecoder(blobs: blobs, entityNumbers: entityNumbers)
    var start = 0
    var lineNumber = 0
    while start < lines.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: lines[start...])
      let length = unsafe rest.lineLength
      lineNumber += 1
      var entity: Int64?
      do throws(LineError) {
        let line = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<length])
        entity = unsafe try decode(line, &decoder)
      } catch {
        throw ArchiveError(
          .damaged, path: archive, entry: place,
          detail: "line \(lineNumber), byte \(error.offset): \(error.detail)")
      }
      try statement.run()
      rowCount += 1
      noteValuesElsewhere(decoder, entity)
      start += length + 1
    }
    toOneCount += decoder.toOneCount
  }

  /// Decodes a line and binds its values.
  ///
  /// - Returns: the number of the object's entity, where it is one that is known.
  private func decode(
    _ line: UnsafeMutableRawBufferPointer, _ decoder: inout LineDecoder
  ) throws(LineError) -> Int64? {
    statement.clearBindings()
    unsafe try decoder.begin(line)
    var entity: Int64?
    if shape.kind == .entity {
      entity = try decodeIdentity(&decoder)
    } else if shape.hasRowNumbers {
      guard decoder.scanner.takeKey(Self.row) else {
        throw decoder.failure("the line does not begin with $row")
      }
      try decoder.plain(rowParameter, statement)
    }
    let plan = plans.plan(for: entity)
    try decoder.members(plan, 0..<plan.steps.count, statement)
    try decoder.end()
    return entity
  }

  /// Reads the members that come before all others and tell what the line is.
  private func decodeIdentity(_ decoder: inout LineDecoder) throws(LineError) -> Int64? {
    guard let primaryKeyParameter, decoder.scanner.takeKey(Self.primaryKey) else {
      throw decoder.failure("the line does not begin with $pk")
    }
    try decoder.plain(primaryKeyParameter, statement)
    if let versionParameter, decoder.scanner.takeKey(Self.version) {
      try decoder.plain(versionParameter, statement)
    }
    guard let entityParameter else { return nil }
    var number = plans.rootNumber
    if decoder.scanner.takeKey(Self.entity) {
      guard case .string(let name) = try decoder.token(),
        let found = entityNumbers[decoder.scanner.string(of: name)]
      else { throw decoder.failure("not the name of an entity") }
      number = found
    } else if decoder.scanner.takeKey(Self.number) {
      try decoder.plain(entityParameter, statement)
      return nil
    }
    if let number { statement.bind(number, at: entityParameter) }
    return number
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
}

extension UnsafeMutableRawBufferPointer {
  /// How many bytes come before the next line feed, or all where there is none.
  fileprivate var lineLength: Int {
    unsafe firstIndex(of: UInt8(ascii: "\n")) ?? count
  }
}
