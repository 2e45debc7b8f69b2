internal import CoreDataLayout
package import CoreDataModel

/// The relationships of chosen objects that add further objects.
package struct ClosureRule: Sendable {
  /// The relationships of an object that are followed.
  package enum Extent: String, Sendable, CaseIterable {
    /// Only to required objects: the destinations of relationships that are not optional, or that must have none
    /// or at least two.
    case required
    /// To the destinations of all to-one relationships, too.
    case toOne = "to-one"
    /// Along all relationships.
    case all
  }

  /// The relationships that are followed.
  package var extent: Extent
  /// Relationships that are followed besides, by the entities that declare them.
  package var followed: Set<PropertyReference>
  /// Relationships that are followed only if they are required.
  package var stopped: Set<PropertyReference>
  /// The number of objects after which only required objects are added; nil for no such limit.
  package var limit: Int?

  /// Creates a rule.
  package init(
    _ extent: Extent = .required, followed: Set<PropertyReference> = [],
    stopped: Set<PropertyReference> = [], limit: Int? = nil
  ) {
    self.extent = extent
    self.followed = followed
    self.stopped = stopped
    self.limit = limit
  }
}

/// Chosen objects of a store, with the objects that they add: a fixed point in a temporary table,
/// so that cycles end and memory stays flat.
package final class ObjectClosure {
  /// A relationship from the objects of one table to the objects of another.
  private struct Edge {
    let property: PropertyReference
    let isRequired: Bool
    let isToOne: Bool
    let start: Int
    let end: Int
    /// The tables and the key of the destination, for a chosen object `c`.
    let way: String
  }

  /// The objects: table, key, the number of relationships between them and a chosen object, the
  /// relationship that led to them, and the key of its source.
  static let chosen = "temp.coffer_chosen"

  /// The tables and relationships of the store.
  package let schema: EditedSchema
  let statements: EditStatements
  let source: String
  private let edges: [Edge]

  /// Begins without objects; throws ``CofferError`` mapped from SQLite's result code.
  package init(
    _ database: SQLiteDatabase, _ schema: EditedSchema, in source: String = "main"
  ) throws(CofferError) {
    self.schema = schema
    self.source = source
    statements = EditStatements(database)
    edges = Self.edges(schema, source)
    try database.run(
      "CREATE TABLE \(Self.chosen) (t INTEGER, k INTEGER, n INTEGER, e INTEGER, f INTEGER, "
        + "PRIMARY KEY (t, k)) WITHOUT ROWID")
    try database.run("CREATE INDEX temp.coffer_distance ON coffer_chosen (n, t, k)")
  }

  /// The condition that a key belongs to a chosen object.
  static func contains(_ key: String, of table: Int) -> String {
    "\(key) IN (SELECT k FROM \(chosen) WHERE t = \(table))"
  }

  private static func name(_ table: EntityTable, _ source: String) -> String {
    "\(source).\(quotedIdentifier(table.tableName))"
  }

  /// Whether an object would not be sound with fewer destinations.
  private static func isRequired(_ relationship: RelationshipDescription) -> Bool {
    !relationship.isOptional || relationship.isToMany && relationship.allowedCount.minimum > 1
  }

  private static func edges(_ schema: EditedSchema, _ source: String) -> [Edge] {
    var edges: [Edge] = []
    for reference in schema.references {
      let holder = name(schema.tables[reference.table], source)
      let other = name(schema.tables[reference.destinationTable], source)
      let role = schema.tables[reference.table].columns[reference.column]
      func key(_ table: String) -> String { "\(table).\(quotedIdentifier(role.storedName))" }
      if let relationship = reference.relationship,
        case .toOne(let property, let entity) = role.role
      {
        edges.append(
          Edge(
            property: PropertyReference(entity: entity, property: property),
            isRequired: isRequired(relationship), isToOne: true, start: reference.table,
            end: reference.destinationTable,
            way: "CROSS JOIN \(holder) AS h ON h.Z_PK = c.k "
              + "CROSS JOIN \(other) AS d ON d.Z_PK = \(key("h"))"))
      }
      if let inverse = reference.inverse {
        edges.append(
          Edge(
            property: PropertyReference(
              entity: inverse.entity, property: inverse.relationship.name),
            isRequired: isRequired(inverse.relationship),
            isToOne: !inverse.relationship.isToMany, start: reference.destinationTable,
            end: reference.table, way: "CROSS JOIN \(holder) AS d ON \(key("d")) = c.k"))
      }
    }
    for pairs in schema.pairs {
      let table = "\(source).\(quotedIdentifier(pairs.name))"
      for (number, end) in pairs.ends.enumerated() {
        let other = pairs.ends[1 - number]
        edges.append(
          Edge(
            property: end.property, isRequired: isRequired(end.relationship), isToOne: false,
            start: end.table, end: other.table,
            way: "CROSS JOIN \(table) AS p ON p.\(quotedIdentifier(end.column)) = c.k "
              + "CROSS JOIN \(name(schema.tables[other.table], source)) AS d "
              + "ON d.Z_PK = p.\(quotedIdentifier(other.column))"))
      }
    }
    return edges
  }

  // MARK: Choosing

  /// Chooses an object.
  ///
  /// - Parameters:
  ///   - key: its primary key.
  ///   - entity: its entity, or one above it.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func choose(_ key: Int64, of entity: Name) throws(CofferError) {
    guard let table = schema.table(of: entity) else { return }
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) VALUES (?, ?, 0, NULL, NULL)", .integer(Int64(table)),
      .integer(key))
  }

  /// Chooses all objects.
  package func chooseAll() throws(CofferError) {
    for number in schema.tables.indices { try chooseAll(of: number) }
  }

  /// Chooses all objects of a table.
  package func chooseAll(of table: Int) throws(CofferError) {
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) SELECT \(table), Z_PK, 0, NULL, NULL FROM "
        + Self.name(schema.tables[table], source))
  }

  /// Passes on the keys of a table's objects of some entities, ascending.
  package func forEachKey(of table: Int, entities: [Name], _ body: (Int64) throws -> Void) throws {
    let numbers = entities.compactMap { schema.numbering.number(of: $0) }.map { "\($0)" }
    // With a plus, because the index of entities would have to be sorted for each piece.
    let sql =
      "SELECT Z_PK FROM \(Self.name(schema.tables[table], source)) WHERE Z_PK > ? AND +Z_ENT IN "
      + "(\(numbers.joined(separator: ", "))) ORDER BY Z_PK LIMIT 10000"
    var last = Int64.min
    while case let keys = try statements.integers(sql, .integer(last)), let end = keys.last {
      try Task<Never, Never>.checkCancellation()
      for key in keys { try body(key) }
      last = end
    }
  }

  /// Whether the store has an object.
  package func exists(_ object: StoredObject) throws(CofferError) -> Bool {
    try statements.row(
      "SELECT 1 FROM \(Self.name(schema.tables[object.table], source)) WHERE Z_PK = ?",
      .integer(object.key)) != nil
  }

  /// Adds objects by the rule until no more follow.
  package func complete(_ rule: ClosureRule = ClosureRule(), step: () throws -> Void) throws {
    var distance: Int64 = 0
    var count = try count()
    while try statements.row(
      "SELECT 1 FROM \(Self.chosen) WHERE n = ? LIMIT 1", .integer(distance)) != nil
    {
      for (number, edge) in edges.enumerated() where edge.isRequired {
        try step()
        count += try follow(edge, number, from: distance)
      }
      for (number, edge) in edges.enumerated() where isFollowed(edge, rule) {
        try step()
        let space = rule.limit.map { max(0, $0 - count) }
        if space != 0 { count += try follow(edge, number, from: distance, max: space) }
      }
      distance += 1
    }
  }

  /// Adds everything that the chosen objects are related to.
  package func addNeighbors() throws(CofferError) {
    for (number, edge) in edges.enumerated() { try follow(edge, number, from: 0) }
  }

  private func isFollowed(_ edge: Edge, _ rule: ClosureRule) -> Bool {
    if edge.isRequired || rule.stopped.contains(edge.property) { return false }
    switch rule.extent {
    case _ where rule.followed.contains(edge.property): return true
    case .required: return false
    case .toOne: return edge.isToOne
    case .all: return true
    }
  }

  /// Adds the destinations of a relationship; returns the number of new objects, each counted once.
  @discardableResult
  private func follow(
    _ edge: Edge, _ number: Int, from distance: Int64, max: Int? = nil
  ) throws(CofferError) -> Int {
    // Without a limit, ignoring repeated rows is faster than grouping them.
    let limit = max.map { " GROUP BY d.Z_PK LIMIT \($0)" } ?? ""
    return try statements.run(
      "INSERT OR IGNORE INTO \(Self.chosen) SELECT \(edge.end), d.Z_PK, ?1 + 1, \(number), c.k "
        + "FROM \(Self.chosen) AS c \(edge.way) WHERE c.n = ?1 AND c.t = \(edge.start) AND "
        + "NOT EXISTS (SELECT 1 FROM \(Self.chosen) AS x WHERE x.t = \(edge.end) AND x.k = d.Z_PK)"
        + limit, .integer(distance))
  }

  // MARK: Results

  /// The number of objects.
  package func count() throws(CofferError) -> Int {
    try statements.count("SELECT count(*) FROM \(Self.chosen)")
  }

  /// The number of objects of the store.
  package func totalCount() throws(CofferError) -> Int {
    var count = 0
    for table in schema.tables {
      count += try statements.count("SELECT count(*) FROM \(Self.name(table, source))")
    }
    return count
  }

  /// The number of added objects.
  package func neededCount() throws(CofferError) -> Int {
    try statements.count("SELECT count(*) FROM \(Self.chosen) WHERE n > 0")
  }

  /// The keys of the objects of a table after a key, ascending.
  ///
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func keys(after key: Int64, in table: Int, max: Int) throws(CofferError) -> [Int64] {
    try statements.integers(
      "SELECT k FROM \(Self.chosen) WHERE t = ?1 AND k > ?2 ORDER BY k LIMIT \(max)",
      .integer(Int64(table)), .integer(key))
  }

  /// Why an object is included.
  package struct Reason: Sendable {
    /// The object.
    package let object: StoredObject
    /// The relationship that added it, and the object with this relationship; nil if it was chosen.
    package let way: (property: PropertyReference, from: StoredObject)?
  }

  /// Passes on all objects, by table and key.
  package func forEachReason(_ body: (Reason) throws -> Void) throws {
    try statements.forEachRow(
      "SELECT t, k, e, f FROM \(Self.chosen) WHERE (t, k) > (?1, ?2) ORDER BY t, k", keys: 2
    ) { row in
      guard let table = row[0].integer, let key = row[1].integer else { return }
      let edge = row[2].integer.map { edges[Int(clamping: $0)] }
      try body(
        Reason(
          object: StoredObject(table: Int(clamping: table), key: key),
          way: edge.map {
            ($0.property, StoredObject(table: $0.start, key: row[3].integer ?? 0))
          }))
    }
  }

  /// The name of an object's entity; the root entity if its own is unknown.
  package func entityName(of object: StoredObject) throws(CofferError) -> Name {
    let table = schema.tables[object.table]
    let number = try statements.row(
      "SELECT Z_ENT FROM \(Self.name(table, source)) WHERE Z_PK = ?", .integer(object.key))?[0]
      .integer
    return number.flatMap { schema.numbering.name(of: $0) } ?? table.rootEntityName
  }

  /// Gives up the compiled statements, which must not outlive the connection.
  package func end() { statements.removeAll() }
}
