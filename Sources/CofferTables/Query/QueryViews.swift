internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// The temporary views that give the tables of a store the names and values of its model: one for
/// each entity and each many-to-many relationship.
///
/// Names, columns and values are the same as in the SQLite database of a ``DataExporter``.
struct QueryViews {
  /// The views, in the order of the tables.
  private(set) var tables: [QueryTable] = []
  private(set) var statements: [String] = []

  private let model: ManagedObjectModel
  private let entityNames: [(number: Int64, name: Name)]
  private var names = DatabaseNames()

  /// Plans the views of a store; throws `nothing-chosen` for a store without entities.
  init(_ source: some RowSource) throws(CofferError) {
    model = source.model
    entityNames = source.entities.names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let all = try EntitySelection([], of: [(source.model, source.entities)], path: source.path)
    let plan = DataExportPlan(source, all)
    var roots: [Name: String] = [:]
    for table in plan.tables where !table.isPairs {
      roots[table.entityName] = names.take(table.entityName.text)
    }
    for table in plan.tables {
      guard !table.isPairs else {
        add(
          table, names.take(table.parts[0].name.text), table.parts[0].columns.map { ($0.name, $0) })
        continue
      }
      addEntities(of: table, rootName: roots[table.entityName] ?? table.entityName.text)
    }
  }

  private mutating func addEntities(of table: ExportedTable, rootName: String) {
    let merged = DatabaseTable(table, name: rootName)
    let owners = merged.columns.indices.map { position in
      zip(table.parts, merged.positions).compactMap { part, positions in
        positions.contains(position) ? part.number : nil
      }
    }
    add(
      table, rootName, merged.columns.map { ($0.name, $0.source) },
      entityColumn: merged.entityColumn, numbers: table.parts.compactMap(\.number),
      owners: owners)
    for part in table.parts where part.entityName != table.entityName {
      let tree = model.tree(of: part.entityName).map(\.name)
      let below = table.parts.filter { tree.contains($0.entityName) }
      add(
        table, names.take(part.entityName.text), part.columns.map { ($0.name, $0) },
        entityColumn: merged.entityColumn ?? "entity", numbers: below.compactMap(\.number))
    }
  }

  /// Adds a view.
  ///
  /// The numbers are those of the entities whose objects it has; for a root entity, the owners are the numbers
  /// of the entities that have each column, empty if all have all.
  private mutating func add(
    _ table: ExportedTable, _ name: String, _ columns: [(name: String, source: DataColumn)],
    entityColumn: String? = nil, numbers: [Int64] = [], owners: [[Int64]] = []
  ) {
    let fields = table.shape.fields
    let number = table.entityColumn.map { quotedIdentifier(fields[$0].storedName) }
    func list(_ numbers: [Int64]) -> String {
      "(\(numbers.map(String.init).joined(separator: ", ")))"
    }
    var selected = columns.enumerated().map { position, column in
      let stored = quotedIdentifier(fields[column.source.column].storedName)
      var value = expression(of: column.source.content, stored)
      // A row may have a value for a property that its entity lacks.
      if let number, position < owners.count, owners[position].count < numbers.count {
        value = "CASE WHEN \(number) IN \(list(owners[position])) THEN \(value) END"
      }
      return "\(value) AS \(quotedIdentifier(column.name))"
    }
    var described = columns.map { name, column in
      QueryTable.Column(name: name, type: DatabaseTable.declaredType(column))
    }
    var condition = ""
    if let number {
      if let entityColumn {
        selected.append("\(entity(number)) AS \(quotedIdentifier(entityColumn))")
        described.append(QueryTable.Column(name: entityColumn, type: "TEXT"))
      }
      // The plus keeps SQLite from using an index that selects all objects.
      condition = " WHERE \(owners.isEmpty ? "" : "+")\(number) IN \(list(numbers))"
    }
    tables.append(QueryTable(name: name, columns: described))
    statements.append(
      "CREATE TEMP VIEW \(quotedIdentifier(name)) AS SELECT \(selected.joined(separator: ", ")) "
        + "FROM main.\(quotedIdentifier(table.shape.storedName))\(condition)")
  }

  /// The value of a column as the model means it.
  private func expression(of content: DataColumn.Content, _ stored: String) -> String {
    switch content {
    case .destinationEntity: return entity(stored)
    case .attribute(.date, _): return "\(QueryFunctions.date)(\(stored))"
    case .attribute(.uuid, _): return "\(QueryFunctions.uuid)(\(stored))"
    // The first byte shows whether the bytes or the name of their file follows.
    case .attribute(.externalBinary, _):
      return "CASE WHEN typeof(\(stored)) = 'blob' THEN CASE substr(\(stored), 1, 1) "
        + "WHEN x'01' THEN substr(\(stored), 2) WHEN x'02' THEN NULL ELSE \(stored) END "
        + "ELSE \(stored) END"
    case .file:
      return "CASE WHEN typeof(\(stored)) = 'blob' AND substr(\(stored), 1, 1) = x'02' "
        + "THEN cast(substr(\(stored), 2, 36) AS TEXT) END"
    case .key, .reference, .position, .attribute: return stored
    }
  }

  private func entity(_ number: String) -> String {
    let cases = entityNames.map {
      "WHEN \($0.number) THEN \(DatabaseTable.quotedText($0.name.text))"
    }
    return cases.isEmpty ? "NULL" : "CASE \(number) \(cases.joined(separator: " ")) END"
  }
}

/// The functions that views use for values that SQL cannot write.
enum QueryFunctions {
  /// A date as ISO 8601 in UTC.
  static let date = "coffer_date"
  /// A UUID of 16 bytes as text.
  static let uuid = "coffer_uuid"

  static func add(to database: SQLiteDatabase) {
    database.addFunction(date) { value in
      switch value {
      case .real(let seconds): text(of: seconds) ?? value
      case .integer(let seconds): text(of: Double(seconds)) ?? value
      default: value
      }
    }
    database.addFunction(uuid) { value in
      guard case .blob(let bytes) = value, let text = UUIDText.text(bytes) else { return value }
      return .text(Array(text.utf8))
    }
  }

  private static func text(of seconds: Double) -> SQLiteValue? {
    Instant.Stored.text(of: seconds).map { .text(Array($0.utf8)) }
  }
}
