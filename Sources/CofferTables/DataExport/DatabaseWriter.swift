internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Writes a plain SQLite database: a table for each root entity with the objects of all its
/// subentities, a view for each subentity, and a table for each many-to-many relationship.
///
/// Foreign keys are declared.
final class DatabaseWriter: DataWriter {
  private let database: SQLiteDatabase
  private let values: DataValues
  private let model: ManagedObjectModel
  private let entityNames: [Int64: [UInt8]]
  private let keyName: String
  private let fileName: String
  /// The names of the tables by root entity, known in advance because other tables refer to them.
  private var tableNames: [Name: String] = [:]
  private var names = DatabaseNames()
  private var insertion: RowInsertionStatement?

  init(
    _ database: SQLiteDatabase, _ values: DataValues, _ source: some RowSource,
    _ plan: DataExportPlan, fileName: String
  ) {
    self.database = database
    self.values = values
    self.fileName = fileName
    model = source.model
    entityNames = source.entities.names.mapValues { Array($0.utf8) }
    keyName = plan.keyName
    for table in plan.tables where !table.isPairs {
      tableNames[table.entityName] = names.take(table.entityName.text)
    }
  }

  func begin(_ table: ExportedTable) throws {
    let name = table.isPairs ? names.take(table.parts[0].name.text) : tableNames[table.entityName]
    let created = DatabaseTable(table, name: name ?? table.entityName.text)
    try database.run(created.creation(tableNames, keyName: keyName))
    try createViews(of: table, created)
    insertion = try RowInsertionStatement(
      created, table, database, entityNames: entityNames, values)
  }

  private func createViews(of table: ExportedTable, _ created: DatabaseTable) throws {
    guard !table.isPairs else { return }
    for (index, part) in table.parts.enumerated()
    where part.entityName != table.entityName {
      let tree = model.tree(of: part.entityName).map(\.name)
      let below = table.parts.filter { $0.isChosen && tree.contains($0.entityName) }
      guard !below.isEmpty else { continue }
      try database.run(
        created.view(
          of: index, named: names.take(part.entityName.text), entityNames: below.map(\.entityName)))
    }
  }

  func write(_ row: Row, part: Int) throws { try insertion?.insert(row, part) }

  func end() throws { insertion = nil }

  func fileName(part: Int) -> String { fileName }
}

/// Inserts objects into a table of the plain database.
final class RowInsertionStatement {
  private let statement: SQLiteStatement
  private let values: DataValues
  /// For each part: the columns with their parameters, and the entity's name.
  private let parts: [Part]
  private let entityParameter: Int32?
  private let entityTexts: [Int64: [UInt8]]
  /// Dates, UUIDs and paths of the row as strings, with their parameters.
  private var text = JSONBuffer(minimumCapacity: 1 << 10)
  private var made: ContiguousArray<(parameter: Int32, range: Range<Int>)> = []

  private struct Part {
    var steps: [(step: DataColumn.Step, parameter: Int32)]
    var entityName: [UInt8]
  }

  init(
    _ created: DatabaseTable, _ table: ExportedTable, _ database: SQLiteDatabase,
    entityNames: [Int64: [UInt8]], _ values: DataValues
  ) throws(CofferError) {
    statement = try database.prepare(created.insertion)
    self.values = values
    entityTexts = entityNames
    entityParameter = created.entityColumn.map { _ in Int32(clamping: created.columns.count + 1) }
    parts = zip(table.parts, created.positions).map { part, positions in
      Part(
        steps: zip(part.columns, positions).map { column, position in
          (column.step, Int32(clamping: position + 1))
        }, entityName: Array(part.entityName.utf8))
    }
  }

  func insert(_ row: Row, _ part: Int) throws(CofferError) {
    statement.clearBindings()
    text.removeAll()
    made.removeAll(keepingCapacity: true)
    for (step, parameter) in parts[part].steps {
      bind(values.value(step, of: row), at: parameter)
    }
    if let entityParameter { statement.bind(.text(parts[part].entityName), at: entityParameter) }
    // Bound last, because the buffer no longer moves.
    let result = unsafe text.withUnsafeBytes { bytes in
      for (parameter, range) in made {
        unsafe statement.bind(
          lentText: UnsafeRawBufferPointer(rebasing: bytes[range]), at: parameter)
      }
      return Result { () throws(CofferError) in try statement.run() }
    }
    try result.get()
  }

  private func bind(_ value: DataValue, at parameter: Int32) {
    switch value {
    case .none: break
    case .integer(let number): statement.bind(number, at: parameter)
    case .real(let number): statement.bind(number, at: parameter)
    case .boolean(let flag): statement.bind(flag ? Int64(1) : 0, at: parameter)
    case .date(let seconds):
      let isWritten = make(at: parameter) { $0.appendDate(real: seconds) }
      if !isWritten {
        values.note(.unwritableDate)
        // As text: SQLite would keep 15 digits only in a text column.
        let start = text.count
        if !text.appendReal(seconds) {
          values.note(.infiniteNumber)
          text.append(seconds > 0 ? "Infinity" : "-Infinity")
        }
        made.append((parameter, start..<text.count))
      }
    case .wholeDate(let seconds):
      let isWritten = make(at: parameter) { $0.appendDate(real: Double(seconds)) }
      if !isWritten {
        values.note(.unwritableDate)
        statement.bind(seconds, at: parameter)
      }
    case .uuid(let bytes): _ = make(at: parameter) { unsafe $0.appendUUID(bytes) }
    case .text(let bytes):
      if unsafe UTF8Text.isValid(bytes) {
        unsafe statement.bind(lentText: bytes, at: parameter)
      } else {
        values.note(.invalidText)
        let repaired = unsafe String(decoding: bytes, as: UTF8.self)
        statement.bind(.text(Array(repaired.utf8)), at: parameter)
      }
    case .bytes(let bytes): unsafe statement.bind(lentBlob: bytes, at: parameter)
    case .file(let name):
      let start = text.count
      text.append("External/")
      unsafe text.append(name)
      made.append((parameter, start..<text.count))
    case .entity(let number):
      if let name = entityTexts[number] { statement.bind(.text(name), at: parameter) }
    }
  }

  /// Creates a string from quoted text.
  private func make(at parameter: Int32, _ append: (inout JSONBuffer) -> Bool) -> Bool {
    let start = text.count
    guard append(&text) else { return false }
    text.removeQuotes(from: start)
    made.append((parameter, start..<text.count))
    return true
  }
}

/// Names of tables and views that SQLite does not reserve and does not consider equal.
struct DatabaseNames {
  private var names = UniqueNames(.files)

  /// Reserves the name of an entity or a relationship, or a similar one if it is taken.
  mutating func take(_ name: String) -> String {
    let isReserved = name.lowercased().hasPrefix("sqlite_")
    return names.take(isReserved ? "_\(name)" : name)
  }
}
