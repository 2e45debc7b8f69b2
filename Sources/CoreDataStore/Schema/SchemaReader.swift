internal import CoreDataModel

/// Reads the objects of a schema for ``SchemaCatalog``.
struct SchemaReader {
  var tables: [SchemaTable] = []
  var indexes: [SchemaCatalog.Index] = []
  var triggers: [SchemaCatalog.Trigger] = []
  var views: [SchemaCatalog.View] = []
  var isWhole = true

  /// SQLite's description of a table, besides its statement.
  private struct Traits {
    var isShadow = false
    var isWithoutRowID = false
  }

  init(_ database: SQLiteDatabase, isTolerant: Bool) throws(CofferError) {
    let traits = try Self.traits(database)
    let query = "SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid"
    let objects: [[SQLiteValue]]
    if isTolerant {
      (objects, isWhole) = try database.rowsUntilDamage(query)
    } else {
      objects = try database.rows(query)
    }
    for object in objects {
      let kind = try Self.text(object[0], database)
      let name = try Self.text(object[1], database)
      let tableName = try Self.text(object[2], database)
      let sql = object[3] == .null ? nil : try Self.text(object[3], database)
      if kind == "index" {
        indexes.append(.init(name: name, tableName: tableName, sql: sql))
        continue
      }
      guard let sql else {
        throw CofferError(
          .damagedStore, path: database.place, detail: "the \(kind) \(name) has no SQL text")
      }
      switch kind {
      case "table":
        let known = traits[SchemaName(name)] ?? Traits()
        tables.append(try Self.table(name, sql, known, database))
      case "trigger": triggers.append(.init(name: name, tableName: tableName, sql: sql))
      case "view": views.append(.init(name: name, sql: sql))
      default:
        throw CofferError(
          .damagedStore, path: database.place,
          detail: "the schema contains an object of the unknown kind \(kind)")
      }
    }
    if isTolerant { dropUnusable(traits) }
    markShadowTables(traits)
  }

  /// Leaves out tables that SQLite lists but cannot use: in a damaged schema, it may reject a table whose
  /// text can be read.
  private mutating func dropUnusable(_ traits: [SchemaName: Traits]) {
    let count = tables.count
    tables.removeAll { $0.kind == .ordinary && traits[SchemaName($0.name)] == nil }
    guard !isWhole || tables.count < count else { return }
    isWhole = false
    let names = Set((tables.map(\.name) + views.map(\.name)).map { SchemaName($0) })
    indexes.removeAll { !names.contains(SchemaName($0.tableName)) }
    triggers.removeAll { !names.contains(SchemaName($0.tableName)) }
  }

  private static func text(
    _ value: SQLiteValue, _ database: SQLiteDatabase
  ) throws(CofferError) -> String {
    guard let text = value.string else {
      throw CofferError(
        .damagedStore, path: database.place, detail: "a text in the schema is not valid UTF-8")
    }
    return text
  }

  private static func traits(
    _ database: SQLiteDatabase
  ) throws(CofferError) -> [SchemaName: Traits] {
    var found: [SchemaName: Traits] = [:]
    for row in try database.rows("SELECT name, type, wr FROM pragma_table_list WHERE schema='main'")
    {
      guard let name = row[0].string else { continue }
      found[SchemaName(name)] = Traits(
        isShadow: row[1].string == "shadow", isWithoutRowID: row[2].integer == 1)
    }
    return found
  }

  private static func table(
    _ name: String, _ sql: String, _ traits: Traits, _ database: SQLiteDatabase
  ) throws(CofferError) -> SchemaTable {
    if let module = VirtualTableText.module(of: sql) {
      let columns = try columns(ofVirtual: name, database)
      return SchemaTable(
        name: name, sql: sql, kind: .virtual(module: module), columns: columns,
        isWithoutRowID: false, rowIDAlias: nil)
    }
    let columns = try columns(of: name, database)
    let alias = try rowIDAlias(name, columns, traits, database)
    return SchemaTable(
      name: name, sql: sql, kind: .ordinary, columns: columns,
      isWithoutRowID: traits.isWithoutRowID, rowIDAlias: alias)
  }

  /// The columns of a virtual table; none if its module is not available or refuses its content.
  ///
  /// SQLite cannot list them without the module. Such a table is kept by its statement.
  private static func columns(
    ofVirtual table: String, _ database: SQLiteDatabase
  ) throws(CofferError) -> [SchemaColumn] {
    do {
      return try columns(of: table, database)
    } catch {
      guard error.isDamageToldByModule || (error.code == .sqliteError && !error.isDamage) else {
        throw error
      }
      return []
    }
  }

  private static func columns(
    of table: String, _ database: SQLiteDatabase
  ) throws(CofferError) -> [SchemaColumn] {
    let rows = try database.rows(
      "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?, 'main') ORDER BY cid",
      [.string(table)])
    var columns: [SchemaColumn] = []
    for row in rows {
      let hidden = row[3].integer ?? 0
      columns.append(
        SchemaColumn(
          name: try text(row[0], database), declaredType: try text(row[1], database),
          primaryKeyPosition: Int(clamping: row[2].integer ?? 0),
          isGenerated: hidden == 2 || hidden == 3, isHidden: hidden == 1))
    }
    return columns
  }

  /// The column that is another name of the rowid.
  ///
  /// It is the only column of the primary key, has the type `INTEGER`, and no separate index: the
  /// last rule excludes `INTEGER PRIMARY KEY DESC` (<https://sqlite.org/lang_createtable.html>).
  private static func rowIDAlias(
    _ table: String, _ columns: [SchemaColumn], _ traits: Traits, _ database: SQLiteDatabase
  ) throws(CofferError) -> String? {
    let key = columns.filter { $0.primaryKeyPosition > 0 }
    guard let column = key.first, key.count == 1, !traits.isWithoutRowID,
      SchemaName(column.declaredType) == SchemaName("INTEGER")
    else { return nil }
    let indexes = try database.value(
      "SELECT count(*) FROM pragma_index_list(?, 'main') WHERE origin='pk'", [.string(table)])
    return indexes?.integer == 0 ? column.name : nil
  }

  /// Finds the owners of shadow tables, even if the owner's module is not available.
  private mutating func markShadowTables(_ traits: [SchemaName: Traits]) {
    let owners = tables.compactMap { table -> (name: String, module: String)? in
      guard case .virtual(let module) = table.kind else { return nil }
      return (table.name, module)
    }
    guard !owners.isEmpty else { return }
    for position in tables.indices where tables[position].kind == .ordinary {
      let name = tables[position].name
      let isShadow = traits[SchemaName(name)]?.isShadow ?? false
      let owner =
        owners
        .filter { VirtualTableText.isShadow(name, of: $0.name, module: $0.module, told: isShadow) }
        .max { $0.name.utf8.count < $1.name.utf8.count }
      if let owner { tables[position].kind = .shadow(of: owner.name) }
    }
  }
}
