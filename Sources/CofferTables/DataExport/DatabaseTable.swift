internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// A table of the plain database: the objects of all entities with a common root, or pairs.
///
/// It has the columns of all entities. If two entities that do not inherit from each other have a
/// property with the same name, the second is called `Entity.property`. Each subentity has a view
/// with the names in the model.
struct DatabaseTable {
  struct Column {
    var name: String
    var source: DataColumn
  }

  let name: String
  /// The columns, the key first.
  private(set) var columns: [Column] = []
  /// For each part, the positions of its columns among ``columns``.
  private(set) var positions: [[Int]] = []
  /// The name of the column with the entity's name; nil if there is only one entity.
  private(set) var entityColumn: String?
  private let table: ExportedTable

  init(_ table: ExportedTable, name: String) {
    self.name = name
    self.table = table
    var names = UniqueNames(.files)
    // A column of the source has the same meaning for all entities, and becomes at most two
    // columns.
    var known: [[Int]: Int] = [:]
    for part in table.parts {
      var found: [Int] = []
      for column in part.columns {
        let source = [column.column, column.content == .file ? 1 : 0]
        if let position = known[source] {
          found.append(position)
          continue
        }
        known[source] = columns.count
        let isFree = names.isFree(column.name)
        let taken = names.take(isFree ? column.name : "\(part.entityName).\(column.name)")
        found.append(columns.count)
        columns.append(Column(name: taken, source: column))
      }
      positions.append(found)
    }
    if table.parts.count > 1 { entityColumn = names.take("entity") }
  }

  func creation(_ tables: [Name: String], keyName: String) -> String {
    var parts = columns.map { column in
      var text = quotedIdentifier(column.name)
      let type = Self.declaredType(column.source)
      if !type.isEmpty { text += " \(type)" }
      if column.source.content == .key { text += " PRIMARY KEY" }
      if let root = column.source.destinationRoot, let destination = tables[root] {
        text += " REFERENCES \(quotedIdentifier(destination)) (\(quotedIdentifier(keyName)))"
      }
      return text
    }
    if let entityColumn { parts.append("\(quotedIdentifier(entityColumn)) TEXT NOT NULL") }
    return "CREATE TABLE \(quotedIdentifier(name)) (\n  \(parts.joined(separator: ",\n  "))\n)"
  }

  /// The statement that inserts a row: a parameter for each column, then one for the entity.
  var insertion: String {
    let names = (columns.map(\.name) + [entityColumn].compactMap(\.self)).map(quotedIdentifier)
    let parameters = Array(repeating: "?", count: names.count).joined(separator: ", ")
    return "INSERT INTO \(quotedIdentifier(name)) (\(names.joined(separator: ", "))) "
      + "VALUES (\(parameters))"
  }

  /// The statement that creates the view of a subentity: its objects, including subentities, with
  /// the names in the model.
  func view(of part: Int, named view: String, entityNames: [Name]) -> String {
    let pairs = zip(positions[part], table.parts[part].columns)
    var selected = pairs.map { position, column in
      let stored = quotedIdentifier(columns[position].name)
      let name = quotedIdentifier(column.name)
      return stored == name ? stored : "\(stored) AS \(name)"
    }
    let entity = quotedIdentifier(entityColumn ?? "entity")
    selected.append(entity)
    let names = entityNames.map { Self.quotedText($0.text) }.joined(separator: ", ")
    return
      "CREATE VIEW \(quotedIdentifier(view)) AS\n  SELECT \(selected.joined(separator: ", "))\n"
      + "  FROM \(quotedIdentifier(self.name)) WHERE \(entity) IN (\(names))"
  }

  /// An SQL string literal: in single quotes, with inner quotes doubled.
  static func quotedText(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  /// The type of a column in a declaration; empty for values of any type.
  static func declaredType(_ column: DataColumn) -> String {
    switch column.content {
    case .key, .reference, .position: return "INTEGER"
    case .destinationEntity, .file: return "TEXT"
    case .attribute(let form, _):
      switch form {
      case .integer, .boolean: return "INTEGER"
      case .real: return "REAL"
      case .number: return "NUMERIC"
      case .date, .text, .uuid: return "TEXT"
      case .binary, .externalBinary: return "BLOB"
      default: return ""
      }
    }
  }
}
