package import CoreDataModel
internal import CoreDataStore

/// A table that is imported: a file of text, or a table of a database.
package struct SheetFile {
  /// The subject of its records.
  package enum Subject: Equatable {
    /// Objects of an entity, or of its subentities.
    case objects(Name)
    case pairs(entity: Name, relationship: Name)
  }

  /// How it is read.
  package enum Format {
    /// Comma-separated values.
    case csv
    /// Lines of JSON.
    case ndjson
    case database(table: String)
    /// By a reader that the closure makes, always from the first record on; there is no file.
    case made(() -> any SheetReader)
  }

  /// The path of the file.
  package var path: String
  /// The path that errors name.
  package var place: String
  /// How it is read.
  package var format: Format
  /// The subject of its records.
  package var subject: Subject

  package init(path: String, place: String, format: Format, subject: Subject) {
    self.path = path
    self.place = place
    self.format = format
    self.subject = subject
  }

  /// Reads the table from its first record on.
  func read<T>(_ body: (any SheetReader) throws -> T) throws -> T {
    switch format {
    case .csv: return try body(CSVSheetReader(path: path))
    case .ndjson: return try body(NDJSONSheetReader(path: path))
    case .made(let reader): return try body(reader())
    case .database(let table):
      return try Self.readDatabase(path) {
        try body(DatabaseSheetReader($0, table: table, place: place))
      }
    }
  }

  /// Reads a database as it is at one moment; neither its file nor its folder is touched.
  static func readDatabase<T>(_ path: String, _ body: (SQLiteDatabase) throws -> T) throws -> T {
    var options = SnapshotOptions()
    options.takesAnyDatabase = true
    let snapshot = try StoreSnapshot(of: path, options: options)
    defer { snapshot.close() }
    let result = try snapshot.use(body)
    try snapshot.requireUnchanged()
    return result
  }

  /// The format of a file by the ending of its name; nil for other files.
  static func format(ofName name: String) -> Format? {
    switch name.lowercased().split(separator: ".").last {
    case "csv": .csv
    case "ndjson", "jsonl": .ndjson
    default: nil
    }
  }

  /// Whether a file is a database, by the ending of its name.
  static func isDatabase(_ name: String) -> Bool {
    ["sqlite", "sqlite3", "db"].contains(
      name.lowercased().split(separator: ".").last.map(String.init))
  }
}

/// The entity or relationship of a file or table, by its name.
///
/// The names are as in a data export: `Person`, `Person.tags`.
struct SheetNames {
  private let model: ManagedObjectModel
  private var entities: [Name: Name] = [:]

  init(_ model: ManagedObjectModel) {
    self.model = model
    for entity in model.entities {
      entities[Name(DataFileNames.component(entity.name.text))] = entity.name
      entities[entity.name] = entity.name
    }
  }

  /// The subject of a name without ending; nil if the model does not have that name.
  func subject(of name: String) -> SheetFile.Subject? {
    if let subject = exactSubject(of: name) { return subject }
    // Of names that differ only in case, a number follows all but the first.
    guard let mark = name.lastIndex(of: "_"), mark != name.startIndex,
      name[name.index(after: mark)...].allSatisfy(\.isNumber)
    else { return nil }
    return exactSubject(of: String(name[..<mark]))
  }

  private func exactSubject(of name: String) -> SheetFile.Subject? {
    if let entity = entities[Name(name)] { return .objects(entity) }
    guard let point = name.firstIndex(of: "."),
      let entity = entities[Name(String(name[..<point]))]
    else { return nil }
    let rest = Name(String(name[name.index(after: point)...]))
    let found = model.allRelationships(of: entity).first {
      $0.name == rest
        || Name(DataFileNames.component($0.name.text)) == rest
    }
    return found.map { .pairs(entity: entity, relationship: $0.name) }
  }

  /// The error about a file or table that belongs to nothing.
  func unknown(_ name: String, at path: String) -> CofferError {
    let guess = SimilarName.nearest(to: name, among: model.entities.map(\.name))
    var error = SheetPlace(path: path).error(
      "the model has no entity \(name)\(guess.map { "; did you mean \($0)?" } ?? "")")
    error.advice = [.mapTable(name)]
    return error
  }
}

/// Reads the rows of a table of an SQLite database, in the order of their keys.
///
/// Use it only within the block of the database.
final class DatabaseSheetReader: SheetReader {
  let columns: [String]
  private(set) var record = SheetRecord()
  let buffer = SheetBuffer()
  let unit = "row"
  private let statement: SQLiteStatement
  private let place: SheetPlace

  /// Begins with the first row of a table.
  init(_ database: SQLiteDatabase, table: String, place: String) throws(CofferError) {
    self.place = SheetPlace(path: place)
    // Not as a function: a table can have its name. The extended form has generated columns too; hidden
    // columns of virtual tables are marked with 1.
    columns = try database.rows("PRAGMA table_xinfo(\(quotedIdentifier(table)))")
      .filter { $0[6].integer != 1 }.map { $0[1].string ?? "" }
    let names = columns.map(quotedIdentifier).joined(separator: ", ")
    statement = try database.prepare("SELECT \(names) FROM \(quotedIdentifier(table))")
  }

  func next() throws(CofferError) -> Bool {
    record.removeAll()
    buffer.removeAll()
    guard try statement.step() else { return false }
    record.line += 1
    for column in columns.indices {
      let place = Int32(clamping: column)
      let value: SheetValue =
        switch statement.storageClass(place) {
        case .null: .none
        case .integer: .integer(statement.int64(place))
        case .real: .real(statement.double(place))
        case .text: unsafe .text(buffer.append(statement.textBytes(place)))
        case .blob: unsafe .blob(buffer.append(statement.blobBytes(place)))
        }
      guard buffer.end <= SheetBuffer.largestRecord else { throw SheetBuffer.tooLarge(self.place) }
      record.fields.append(SheetRecord.Field(column: column, value: value))
    }
    return true
  }
}
