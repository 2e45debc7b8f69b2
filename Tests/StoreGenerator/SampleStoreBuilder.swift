package import CoreDataModel
internal import Foundation

/// Writes a store for any model, object by object; tests make their own stores with it.
///
///     let builder = try SampleStoreBuilder(path: path, model: model)
///     let person = try builder.insert("Person", ["name": "Ada"])
///     let pet = try builder.insert("Pet", ["name": "Tom"])
///     try builder.link("Person", "pets", from: person, to: [pet])
///     try builder.finish()
///
/// Nothing is checked: wrong values make a wrong store.
package final class SampleStoreBuilder {
  /// The journal mode of the database.
  package enum Journal: String, Sendable {
    /// A write-ahead log, as Core Data does by default.
    case wal
    /// A rollback journal that is deleted after each transaction.
    case delete
  }

  /// The files of the store.
  package let files: StoreFiles
  /// The tables.
  package let schema: StoreSchema
  /// The open database.
  package let database: GeneratorDatabase
  /// What the metadata will say.
  package var identity: StoreIdentity
  /// The number of primary keys that each root entity has assigned beyond its number of objects.
  package var extraPrimaryKeys: [String: Int64] = [:]
  /// The values of `Z_MAX` by root entity; only needed for rows not written by the builder.
  package var lastPrimaryKeys: [Name: Int64] = [:]

  let journal: Journal
  var history = HistoryState()
  private var statements: [String: GeneratorStatement] = [:]

  /// Starts a store in a new file; an existing store is removed.
  ///
  /// - Throws: ``GeneratorError``, or the file system's error.
  package init(
    path: String, schema: StoreSchema, journal: Journal = .wal,
    identity: StoreIdentity = StoreIdentity(uuid: "6B0B4A5C-6C0F-4B7C-9B9E-4D7C0A3D1E55")
  ) throws {
    files = StoreFiles(path)
    try files.remove()
    self.schema = schema
    self.journal = journal
    self.identity = identity
    database = try GeneratorDatabase(path: path)
    try database.run(
      """
      PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN
      """)
    for statement in schema.tableStatements { try database.run(statement) }
  }

  /// Starts a store for a model in a new file; an existing store is removed.
  package convenience init(
    path: String, model: ManagedObjectModel, journal: Journal = .wal
  ) throws {
    try self.init(path: path, schema: StoreSchema(model), journal: journal)
  }

  /// Inserts an object and returns its primary key.
  ///
  /// Values are given by the names of attributes, the paths of elements of composite attributes
  /// (`place.address.city`), and the names of to-one relationships, whose value is the primary key;
  /// the number of the destination's entity is looked up. Everything else is NULL.
  @discardableResult
  package func insert(
    _ entity: Name, _ values: [Name: StoreValue] = [:], primaryKey: Int64? = nil,
    version: Int64 = 1
  ) throws -> Int64 {
    let table = try schema.table(of: entity)
    let key = primaryKey ?? (lastPrimaryKeys[table.rootEntityName] ?? 0) + 1
    lastPrimaryKeys[table.rootEntityName] = max(lastPrimaryKeys[table.rootEntityName] ?? 0, key)
    var row: [String: StoreValue] = [
      "Z_PK": .integer(key), "Z_ENT": .integer(Int64(schema.number(entity))),
      "Z_OPT": .integer(version),
    ]
    for (path, value) in values {
      guard let column = schema.column(entity, path) else {
        throw GeneratorError("\(entity) has no column for \(path)")
      }
      row[column] = value
      guard case .integer(let destination) = value,
        let entityColumn = schema.entityColumn(entity, path),
        let relationship = schema.model.relationship(path, of: entity)?.relationship
      else { continue }
      row[entityColumn] = try entityNumber(of: relationship.destinationName, destination)
    }
    let names = table.columnNames
    let sql = "INSERT INTO \(table.name) VALUES (\(names.map { _ in "?" }.joined(separator: ",")))"
    try run(sql, names.map { row[$0] ?? .null })
    return key
  }

  /// Makes objects the destinations of a to-many relationship of another, in the given order.
  ///
  /// All objects are given by their primary keys. Without order keys the destinations get those
  /// that Core Data gives to a new list: 2048, 3072 and so on.
  package func link(
    _ entity: Name, _ relationship: Name, from owner: Int64, to destinations: [Int64],
    keys: [Int64]? = nil
  ) throws {
    let order = keys ?? destinations.indices.map { 2048 + 1024 * Int64($0) }
    for (destination, key) in zip(destinations, order) {
      try link(entity, relationship, owner, destination, key)
    }
  }

  private func link(
    _ entity: Name, _ name: Name, _ owner: Int64, _ destination: Int64, _ key: Int64
  ) throws {
    if let side = schema.joinSide(entity, name) {
      let isReflexive = side.ownerColumn == "REFLEXIVE"
      let inverseOrder = try inverseOrderColumn(entity, name)
      var columns = [side.ownerColumn, side.destinationColumn]
      var values: [StoreValue] = [.integer(owner), .integer(destination)]
      if let column = side.orderColumn {
        (columns, values) = (columns + [column], values + [.integer(key)])
      }
      if let column = inverseOrder, !isReflexive {
        // The other direction is ordered too: append there.
        let last = try database.integer(
          "SELECT max(\(column)) FROM \(side.table) WHERE \(side.destinationColumn) = ?",
          [.integer(destination)])
        (columns, values) = (columns + [column], values + [.integer((last ?? 1024) + 1024)])
      }
      let marks = columns.map { _ in "?" }.joined(separator: ",")
      try run(
        "INSERT INTO \(side.table) (\(columns.joined(separator: ","))) VALUES (\(marks))", values)
    } else if let owned = schema.ownerColumn(entity, name) {
      let order = owned.orderColumn.map { ", \($0) = \(key)" } ?? ""
      try run(
        "UPDATE \(owned.table) SET \(owned.column) = ?\(order) WHERE Z_PK = ?",
        [.integer(owner), .integer(destination)])
    } else {
      try linkToOne(entity, name, owner, destination, key)
    }
  }

  private func linkToOne(
    _ entity: Name, _ name: Name, _ owner: Int64, _ destination: Int64, _ key: Int64
  ) throws {
    guard let relationship = schema.model.relationship(name, of: entity)?.relationship,
      let inverse = schema.model.inverse(of: relationship),
      let column = schema.column(inverse.declaredBy, inverse.relationship.name)
    else { throw GeneratorError("\(entity) has no relationship \(name) that can be linked") }
    var changes = ["\(column) = \(owner)"]
    if let entityColumn = schema.entityColumn(inverse.declaredBy, inverse.relationship.name),
      case .integer(let number) = try entityNumber(of: entity, owner)
    {
      changes.append("\(entityColumn) = \(number)")
    }
    if let order = schema.orderColumn(inverse.declaredBy, inverse.relationship.name) {
      changes.append("\(order) = \(key)")
    }
    let table = try schema.table(of: inverse.declaredBy).name
    try database.run(
      "UPDATE \(table) SET \(changes.joined(separator: ", ")) WHERE Z_PK = \(destination)")
  }

  private func inverseOrderColumn(_ entity: Name, _ name: Name) throws -> String? {
    guard let relationship = schema.model.relationship(name, of: entity)?.relationship,
      let inverse = schema.model.inverse(of: relationship)
    else { return nil }
    return schema.joinSide(inverse.declaredBy, inverse.relationship.name)?.orderColumn
  }

  /// The entity number of an object; NULL when there is no such object yet.
  private func entityNumber(of entity: Name, _ key: Int64) throws -> StoreValue {
    let table = try schema.table(of: entity).name
    return try database.rows("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?", [.integer(key)])
      .first?.first ?? .null
  }

  func run(_ sql: String, _ values: [StoreValue]) throws {
    let statement = try statements[sql] ?? database.prepare(sql)
    statements[sql] = statement
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
    try statement.run()
  }
}
