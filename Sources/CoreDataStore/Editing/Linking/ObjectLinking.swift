internal import CoreDataLayout
package import CoreDataModel

/// Why a reference by a key does not identify one object.
package struct LinkingFault: Sendable, Equatable {
  /// The kind of problem.
  package enum Kind: Sendable {
    case unknownKey
    /// Two objects have the key; the fault is at the second.
    case ambiguousKey
    /// Two objects list the same destination, which can belong to one; the fault is at the second.
    case sharedDestination
    /// The destination refers to another object.
    case contradiction
    /// Several objects of the store into which tables are merged have the key.
    case severalObjects
  }

  /// The kind of problem.
  package var kind: Kind
  /// The affected object.
  package var object: StoredObject
}

/// Makes references of the keys that the objects of a store under construction have: of values of their
/// destinations, of lists, and of the other side.
///
/// Rows are inserted with keys in the columns of references, texts as blobs so that no affinity changes
/// them. Everything else is done by statements over whole tables, whose memory is bounded: pending data
/// is in temporary tables.
package struct ObjectLinking {
  let database: SQLiteDatabase
  /// The tables and relationships.
  package let schema: EditedSchema

  /// Prepares to link the objects of a database.
  package init(_ database: SQLiteDatabase, _ schema: EditedSchema) {
    self.database = database
    self.schema = schema
  }

  func table(_ index: Int) -> String { quotedIdentifier(schema.tables[index].tableName) }

  func column(_ index: Int, of table: Int) -> String {
    quotedIdentifier(schema.tables[table].columns[index].storedName)
  }

  func list(_ numbers: Set<Int64>) -> String {
    numbers.sorted().map { "\($0)" }.joined(separator: ", ")
  }

  // MARK: Keys

  /// Creates a table of keys; its number identifies it.
  package func createKeys(_ number: Int) throws(CofferError) {
    try database.run(
      "CREATE TEMP TABLE coffer_keys_\(number) (k PRIMARY KEY, p INTEGER NOT NULL) WITHOUT ROWID")
  }

  /// The statement that adds a key (1) of an object (2), unless there is such a key.
  package func keyInsertion(_ number: Int) throws(CofferError) -> SQLiteStatement {
    try database.prepare("INSERT OR IGNORE INTO temp.coffer_keys_\(number) VALUES (?, ?)")
  }

  /// Whether a key contains a text.
  ///
  /// It takes a time linear in the number of keys.
  package func hasKey(_ number: Int, containing text: String) throws(CofferError) -> Bool {
    try database.value(
      "SELECT 1 FROM temp.coffer_keys_\(number) WHERE instr(CAST(k AS TEXT), ?) LIMIT 1",
      [.string(text)]) != nil
  }

  /// Fills a table of keys with the values of an attribute.
  ///
  /// - Parameters:
  ///   - number: the number of the table of keys.
  ///   - entity: the entity whose objects have the keys, including its subentities.
  ///   - position: the column of the attribute.
  ///   - isText: whether its values are texts.
  ///   - choice: which of several objects a shared key names; nil to report a fault.
  /// - Returns: the fault if two objects have the same key.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func fillKeys(
    _ number: Int, entity: Name, column position: Int, isText: Bool, _ choice: DuplicateChoice?
  ) throws(CofferError) -> LinkingFault? {
    guard let index = schema.table(of: entity) else { return nil }
    let name = column(position, of: index)
    let key = isText ? "CAST(\(name) AS BLOB)" : name
    let rows =
      "FROM main.\(table(index)) WHERE Z_ENT IN (\(list(schema.numbers(below: entity)))) "
      + "AND \(name) IS NOT NULL"
    try database.run(
      "INSERT OR IGNORE INTO temp.coffer_keys_\(number) SELECT \(key), Z_PK \(rows) ORDER BY Z_PK"
        + (choice == .last ? " DESC" : ""))
    guard choice == nil else { return nil }
    let keys = try database.value("SELECT count(*) FROM temp.coffer_keys_\(number)")?.integer
    let objects = try database.value("SELECT count(*) \(rows)")?.integer
    guard keys != objects else { return nil }
    let second = try database.value(
      "SELECT Z_PK \(rows) AND Z_PK NOT IN (SELECT p FROM temp.coffer_keys_\(number)) "
        + "ORDER BY Z_PK LIMIT 1")
    return second?.integer.map {
      LinkingFault(kind: .ambiguousKey, object: StoredObject(table: index, key: $0))
    }
  }

  /// Replaces the keys in a column of references by the primary keys of the objects that have them.
  ///
  /// - Returns: the fault if no object has one of the keys.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func resolve(_ reference: Int, keys number: Int) throws(CofferError) -> LinkingFault? {
    let found = schema.references[reference]
    let (table, name) = (table(found.table), column(found.column, of: found.table))
    // No primary key: it marks rows without a counterpart.
    try database.run(
      "UPDATE main.\(table) SET \(name) = ifnull((SELECT p FROM temp.coffer_keys_\(number) "
        + "WHERE k = +\(name)), 'none') WHERE \(name) IS NOT NULL")
    let lost = try database.value(
      "SELECT Z_PK FROM main.\(table) WHERE \(name) = 'none' ORDER BY Z_PK LIMIT 1")
    return lost?.integer.map {
      LinkingFault(kind: .unknownKey, object: StoredObject(table: found.table, key: $0))
    }
  }

  // MARK: Lists

  /// Creates a table for the lists of a to-many relationship; its number identifies it.
  package func createLists(_ number: Int) throws(CofferError) {
    try database.run("CREATE TEMP TABLE coffer_lists_\(number) (o INTEGER, n INTEGER, k BLOB)")
  }

  /// The statement that adds the destination with a key (3) at a position (2) of an object's (1) list.
  package func listInsertion(_ number: Int) throws(CofferError) -> SQLiteStatement {
    try database.prepare("INSERT INTO temp.coffer_lists_\(number) VALUES (?, ?, ?)")
  }

  /// Replaces the keys in lists by primary keys, in a table that also says whose list it is.
  private func resolveLists(
    _ number: Int, keys: Int?, owner: Int
  ) throws(CofferError) -> LinkingFault? {
    guard let keys else { return nil }
    let lists = "temp.coffer_lists_\(number)"
    try database.run(
      "UPDATE \(lists) SET k = ifnull((SELECT p FROM temp.coffer_keys_\(keys) AS s "
        + "WHERE s.k = \(lists).k), 'none')")
    let lost = try database.value("SELECT o FROM \(lists) WHERE k = 'none' LIMIT 1")
    return lost?.integer.map {
      LinkingFault(kind: .unknownKey, object: StoredObject(table: owner, key: $0))
    }
  }

  /// Lets the members of lists lead to the objects whose lists they are in.
  ///
  /// - Parameters:
  ///   - number: the number of the table of lists.
  ///   - reference: the index of the reference from the members to the owners.
  ///   - keys: the number of the table of keys that name the members; nil for primary keys.
  /// - Returns: the first fault.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func link(
    lists number: Int, by reference: Int, keys: Int?
  ) throws(CofferError) -> LinkingFault? {
    let found = schema.references[reference]
    if let fault = try resolveLists(number, keys: keys, owner: found.destinationTable) {
      return fault
    }
    let lists = "temp.coffer_lists_\(number)"
    let members = "temp.coffer_members_\(number)"
    try database.run("CREATE TEMP TABLE coffer_members_\(number) (m INTEGER PRIMARY KEY, o, n)")
    try database.run("INSERT OR IGNORE INTO \(members) SELECT k, o, n FROM \(lists)")
    func fault(_ kind: LinkingFault.Kind, _ query: String) throws(CofferError) -> LinkingFault? {
      try database.value(query)?.integer.map {
        LinkingFault(kind: kind, object: StoredObject(table: found.destinationTable, key: $0))
      }
    }
    if let fault = try fault(
      .sharedDestination,
      "SELECT l.o FROM \(lists) AS l JOIN \(members) AS m ON m.m = l.k "
        + "WHERE m.o IS NOT l.o OR m.n IS NOT l.n LIMIT 1")
    {
      return fault
    }
    let (table, name) = (table(found.table), column(found.column, of: found.table))
    if let fault = try fault(
      .unknownKey,
      "SELECT o FROM \(members) AS m WHERE NOT EXISTS (SELECT 1 FROM main.\(table) WHERE Z_PK = m.m) "
        + "LIMIT 1")
    {
      return fault
    }
    if let fault = try fault(
      .contradiction,
      "SELECT m.o FROM \(members) AS m JOIN main.\(table) AS t ON t.Z_PK = m.m "
        + "WHERE t.\(name) IS NOT NULL AND t.\(name) <> m.o LIMIT 1")
    {
      return fault
    }
    var sets = ["\(name) = (SELECT o FROM \(members) WHERE m = Z_PK)"]
    if let order = found.orderColumn {
      let order = column(order, of: found.table)
      sets.append(
        "\(order) = ifnull(\(order), (SELECT \(Self.position("n")) FROM \(members) WHERE m = Z_PK))"
      )
    }
    try database.run(
      "UPDATE main.\(table) SET \(sets.joined(separator: ", ")) WHERE Z_PK IN (SELECT m FROM \(members))"
    )
    return nil
  }

  /// Adds the pairs of a relationship that is to-many on both sides.
  ///
  /// - Parameters:
  ///   - number: the number of the table of lists.
  ///   - pairs: the index of the join table.
  ///   - end: the end of the owners.
  ///   - keys: the number of the table of keys that name the members; nil for primary keys.
  /// - Returns: the first fault.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func link(
    lists number: Int, pairs: Int, end: Int, keys: Int?
  ) throws(CofferError) -> LinkingFault? {
    let found = schema.pairs[pairs]
    let (own, other) = (found.ends[end], found.ends[1 - end])
    if let fault = try resolveLists(number, keys: keys, owner: own.table) { return fault }
    var columns = [own.column, other.column].map(quotedIdentifier)
    var values = ["o", "k"]
    var change = "NOTHING"
    if let order = own.orderColumn.map(quotedIdentifier) {
      columns.append(order)
      values.append(Self.position("n"))
      change = "UPDATE SET \(order) = ifnull(\(order), excluded.\(order))"
    }
    try database.run(
      "INSERT INTO main.\(quotedIdentifier(found.name)) (\(columns.joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM temp.coffer_lists_\(number) WHERE true "
        + "ON CONFLICT DO \(change)")
    return nil
  }

  /// The order key at a position from 0, as Core Data gives them (store-format, section 5.6).
  private static func position(_ number: String) -> String { "2048 + 1024 * \(number)" }

  // MARK: The other side

  /// Completes the consequences of the references: the other sides of relationships that are to-one on both
  /// sides, the entities of destinations, and positions.
  ///
  /// - Parameter given: the references that the tables have; the other sides complete the rest.
  /// - Returns: the fault if two objects refer to the same destination and its inverse is to-one.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func complete(given: Set<Int>) throws(CofferError) -> LinkingFault? {
    for (index, reference) in schema.references.enumerated() {
      if let partner = reference.partner, partner == index || !given.contains(partner),
        let fault = try completePartner(index, partner)
      {
        return fault
      }
    }
    for reference in schema.references {
      try setEntities(of: reference)
      guard let order = reference.orderColumn else { continue }
      try setPositions(
        table(reference.table), member: "Z_PK",
        owner: column(reference.column, of: reference.table),
        order: column(order, of: reference.table))
    }
    for pairs in schema.pairs {
      for (end, other) in [(0, 1), (1, 0)] {
        guard let order = pairs.ends[end].orderColumn else { continue }
        try setPositions(
          quotedIdentifier(pairs.name), member: quotedIdentifier(pairs.ends[other].column),
          owner: quotedIdentifier(pairs.ends[end].column), order: quotedIdentifier(order))
      }
    }
    return nil
  }

  private func completePartner(_ index: Int, _ partner: Int) throws(CofferError) -> LinkingFault? {
    let (one, other) = (schema.references[index], schema.references[partner])
    let (table, name) = (table(one.table), column(one.column, of: one.table))
    let (otherTable, otherName) = (self.table(other.table), column(other.column, of: other.table))
    let partners = "temp.coffer_partners_\(index)"
    try database.run(
      "CREATE TEMP TABLE coffer_partners_\(index) (m INTEGER PRIMARY KEY, o INTEGER)")
    let rows = "FROM main.\(table) AS t WHERE typeof(\(name)) = 'integer'"
    try database.run("INSERT OR IGNORE INTO \(partners) SELECT \(name), Z_PK \(rows) ORDER BY Z_PK")
    let second = try database.value(
      "SELECT t.Z_PK FROM main.\(table) AS t JOIN \(partners) AS s ON s.m = t.\(name) "
        + "WHERE s.o <> t.Z_PK ORDER BY t.Z_PK LIMIT 1")
    if let key = second?.integer {
      return LinkingFault(
        kind: .sharedDestination, object: StoredObject(table: one.table, key: key))
    }
    try database.run(
      "UPDATE main.\(otherTable) SET \(otherName) = (SELECT o FROM \(partners) WHERE m = Z_PK) "
        + "WHERE \(otherName) IS NULL AND Z_PK IN (SELECT m FROM \(partners))")
    return nil
  }

  private func setEntities(of reference: EditedReference) throws(CofferError) {
    guard let column = reference.entityColumn else { return }
    let (table, name) = (table(reference.table), self.column(reference.column, of: reference.table))
    let entity = self.column(column, of: reference.table)
    try database.run(
      "UPDATE main.\(table) AS t SET \(entity) = (SELECT d.Z_ENT FROM "
        + "main.\(self.table(reference.destinationTable)) AS d WHERE d.Z_PK = t.\(name)) "
        + "WHERE \(name) IS NOT NULL")
  }

  /// Gives positions to members without one, after the members that have one, in the order of their
  /// keys.
  private func setPositions(
    _ table: String, member: String, owner: String, order: String
  ) throws(CofferError) {
    let isOpen = "\(owner) IS NOT NULL AND \(order) IS NULL"
    guard try database.value("SELECT 1 FROM main.\(table) WHERE \(isOpen) LIMIT 1") != nil else {
      return
    }
    let places = "temp.coffer_places"
    try database.run("CREATE TEMP TABLE coffer_places (r INTEGER PRIMARY KEY, n INTEGER)")
    try database.run(
      """
      INSERT INTO \(places) SELECT r, ifnull(h, 1024) + 1024 * p FROM (
        SELECT rowid AS r, \(order) AS n, max(\(order)) OVER (PARTITION BY \(owner)) AS h,
          row_number() OVER (PARTITION BY \(owner) ORDER BY \(order) IS NOT NULL, \(member)) AS p
        FROM main.\(table) WHERE \(owner) IS NOT NULL) WHERE n IS NULL
      """)
    try database.run(
      "UPDATE main.\(table) AS t SET \(order) = (SELECT n FROM \(places) WHERE r = t.rowid) "
        + "WHERE \(isOpen)")
    try database.run("DROP TABLE \(places)")
  }
}
