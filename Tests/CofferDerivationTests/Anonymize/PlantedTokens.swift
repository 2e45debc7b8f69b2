internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore

/// Unique values, in every kind of column of a store and in its external files.
///
/// Whatever the column says: a text in place of a key and a long number in place of a Boolean are planted, too.
struct PlantedTokens {
  /// UUIDs and names of files, looked for in all bytes, as is the word that all texts begin with.
  private var bytes = [Data("Planted".utf8)]
  /// Long numbers, looked for in all values.
  private var numbers: [Double] = []
  /// Short numbers, looked for where they were.
  private var places: [(sql: String, value: Double)] = []
  /// The number of tokens.
  private(set) var count = 0
  private var random: SeededGenerator
  private let path: String
  private let database: GeneratorDatabase

  /// The number of rows of each table that get tokens.
  private static let rows = 3

  /// Plants tokens in a store.
  init(in path: String, seed: UInt64) throws {
    self.path = path
    random = SeededGenerator(seed: seed)
    let store = try PersistentStore(readingFrom: path)
    let shapes = store.use { StoreRowSource(store, $0, blobLimit: .max).shapes }
    database = try GeneratorDatabase(path: path)
    try database.registerCoreDataFunctions()
    // The triggers of an app call functions of its own.
    for row in try database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
      if case .text(let name)? = row.first {
        try database.run("DROP TRIGGER \"\(String(decoding: name, as: UTF8.self))\"")
      }
    }
    for shape in shapes where shape.kind == .entity { try plant(in: shape) }
    for shape in shapes where shape.kind == .relationship {
      let table = "\"\(shape.storedName)\""
      for field in shape.fields {
        try plant(field.storedName, in: table, where: "rowid = (SELECT min(rowid) FROM \(table))")
      }
    }
    try plant("Z_MAX", in: "Z_PRIMARYKEY", where: "Z_ENT = 1")
  }

  /// Plants a text in place of a number.
  private mutating func plant(
    _ column: String, in table: String, where condition: String
  ) throws {
    try database.run(
      "UPDATE \(table) SET \"\(column)\" = ? WHERE \(condition)", [.text(Array(text().utf8))])
  }

  private mutating func plant(in shape: TableLayout) throws {
    let keys = try database.rows(
      "SELECT Z_PK FROM \"\(shape.storedName)\" ORDER BY Z_PK LIMIT \(Self.rows)")
    for (row, key) in keys.enumerated() {
      guard case .integer(let key)? = key.first else { continue }
      for field in shape.fields {
        guard let value = try token(field, row) else { continue }
        let place = "\"\(shape.storedName)\" WHERE Z_PK = \(key)"
        try database.run(
          "UPDATE \"\(shape.storedName)\" SET \"\(field.storedName)\" = ? WHERE Z_PK = \(key)",
          [value])
        note(value, "SELECT \"\(field.storedName)\" FROM \(place)")
      }
    }
  }

  private mutating func token(_ field: FieldLayout, _ row: Int) throws -> StoreValue? {
    switch field.role {
    case .attribute(_, let type, let isExternal, _): try token(type, isExternal, row)
    case .toOne: row == 1 ? .text(Array(text().utf8)) : nil
    case .plain: .text(Array(text().utf8))
    default: nil
    }
  }

  private mutating func token(
    _ type: AttributeType, _ isExternal: Bool, _ row: Int
  ) throws -> StoreValue {
    switch type {
    case .string, .uri: return .text(row == 1 ? json() : Array(text().utf8))
    case .uuid: return .blob((0..<16).map { _ in UInt8.random(in: 1...255, using: &random) })
    case .date: return .real(Double.random(in: 1e8...6e8, using: &random))
    case .boolean: return .integer(.random(in: 1_000_000...2_000_000_000, using: &random))
    case .integer16: return .integer(.random(in: 10_000...32_767, using: &random))
    case .integer32: return .integer(.random(in: 1_000_000...2_000_000_000, using: &random))
    case .integer64:
      return .integer(.random(in: 1_000_000_000_000...2_000_000_000_000, using: &random))
    case .decimal, .double, .float:
      // A place, or an amount.
      return .real(row == 2 ? 4_711_000_000.5 + Double(row) : .random(in: 40...60, using: &random))
    default:
      let content = row == 1 ? json() : Array(text().utf8)
      guard isExternal else { return .blob(content) }
      return row == 2 ? try file(content) : .blob([1] + content)
    }
  }

  private mutating func text() -> String {
    "Planted\(Int.random(in: 10_000_000...99_999_999, using: &random))Token"
  }

  private mutating func json() -> [UInt8] {
    let number = Int.random(in: 1_000_000_000...9_000_000_000, using: &random)
    numbers.append(Double(number))
    return Array(#"{"note": "\#(text())", "list": [\#(number)]}"#.utf8)
  }

  /// The reference to a new external file.
  private mutating func file(_ content: [UInt8]) throws -> StoreValue {
    let folder = URL(fileURLWithPath: StorePaths(store: path).supportFolder)
      .appendingPathComponent("_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = UUID().uuidString
    bytes.append(Data(name.utf8))
    try Data(content).write(to: folder.appendingPathComponent(name))
    return .blob([2] + Array(name.utf8) + [0])
  }

  private mutating func note(_ value: StoreValue, _ sql: String) {
    count += 1
    switch value {
    case .integer(let number) where number < 100_000: places.append((sql, Double(number)))
    case .integer(let number): numbers.append(Double(number))
    case .real(let number): numbers.append(number)
    case .blob(let bytes) where bytes.count == 16:
      self.bytes.append(Data(bytes))
    default: break
    }
  }

  // MARK: Looking

  /// The tokens that are in the files of a folder or in the values of the store among them.
  func left(in folder: String, store: String) throws -> [String] {
    var found: [String] = []
    let values = Set(numbers)
    let database = try GeneratorDatabase(path: store)
    for row in try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      guard case .text(let name)? = row.first else { continue }
      for row in try database.rows("SELECT * FROM \"\(String(decoding: name, as: UTF8.self))\"") {
        for value in row {
          if let number = Self.number(value), values.contains(number) { found.append("\(number)") }
        }
      }
    }
    for (sql, value) in places {
      let now = try database.rows(sql).first?.first.flatMap(Self.number)
      if now == value { found.append("\(sql): \(value)") }
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      for token in bytes where data.range(of: token) != nil {
        found.append("\(name): \(String(decoding: token, as: UTF8.self))")
      }
    }
    return found
  }

  private static func number(_ value: StoreValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}
