internal import CoreDataLayout
package import CoreDataModel

/// Objects that only another store has, and that references and lists name.
extension ObjectLinking {
  /// The references that name objects by one kind of key.
  package struct Users {
    /// The references, by their indexes in the schema.
    package var references: [Int] = []
    /// The lists, by their numbers, with the tables of their owners.
    package var lists: [(number: Int, owner: Int)] = []
    /// The join tables with the end of the objects.
    package var pairs: [(index: Int, end: Int)] = []

    /// Nothing at first.
    package init() {}

    /// Whether nothing names objects in this way.
    package var isEmpty: Bool { references.isEmpty && lists.isEmpty && pairs.isEmpty }
  }

  /// The keys that name objects, each with the table and the object that it occurs in.
  private func wanted(_ users: Users) -> [(query: String, key: String, object: String, table: Int)]
  {
    var found: [(query: String, key: String, object: String, table: Int)] = []
    for index in users.references {
      let reference = schema.references[index]
      let name = column(reference.column, of: reference.table)
      found.append(("main.\(table(reference.table))", "+\(name)", "Z_PK", reference.table))
    }
    for (number, owner) in users.lists {
      found.append(("temp.coffer_lists_\(number)", "+k", "o", owner))
    }
    for (index, end) in users.pairs {
      let pairs = schema.pairs[index]
      found.append(
        (
          "main.\(quotedIdentifier(pairs.name))", "+\(quotedIdentifier(pairs.ends[end].column))",
          quotedIdentifier(pairs.ends[1 - end].column), pairs.ends[1 - end].table
        ))
    }
    return found
  }

  /// Collects the keys that are named in a temporary table, while the closure runs.
  private func collecting(
    _ users: Users, _ body: () throws(CofferError) -> Void
  ) throws(CofferError) {
    try database.run("CREATE TEMP TABLE coffer_wanted (k PRIMARY KEY) WITHOUT ROWID")
    for (query, key, _, _) in wanted(users) {
      try database.run(
        "INSERT OR IGNORE INTO temp.coffer_wanted SELECT \(key) FROM \(query) "
          + "WHERE \(key) IS NOT NULL")
    }
    try body()
    try database.run("DROP TABLE temp.coffer_wanted")
  }

  /// The columns of attributes whose values are in their rows.
  private func attributes(of index: Int) -> String {
    schema.tables[index].columns.enumerated().compactMap { position, field in
      guard case .attribute(_, _, false, _) = field.role else { return nil }
      return ", \(column(position, of: index))"
    }.joined()
  }

  /// Adds the objects of another store that have a key which is named, and which no object has.
  ///
  /// They get their attributes and no relationships, and are noted with their keys in the other store.
  ///
  /// - Parameters:
  ///   - users: what names objects by the key.
  ///   - entity: the entity whose objects have the key, including its subentities.
  ///   - position: the column of the key.
  ///   - isText: whether its values are texts.
  ///   - source: the name of the schema of the other store.
  ///   - known: the table where they are noted.
  ///   - highest: the highest primary key in use; on return, the key of the last object.
  /// - Returns: the fault if several objects of the other store have the key.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func adopt(
    _ users: Users, of entity: Name, column position: Int, isText: Bool, from source: String,
    known: String, highest: inout Int64
  ) throws(CofferError) -> LinkingFault? {
    guard let index = schema.table(of: entity), !users.isEmpty else { return nil }
    let name = column(position, of: index)
    let key = isText ? "CAST(\(name) AS BLOB)" : name
    let rows =
      "\(table(index)) WHERE Z_ENT IN (\(list(schema.numbers(below: entity)))) "
      + "AND \(name) IS NOT NULL"
    try database.run("CREATE TEMP TABLE coffer_found (k INTEGER PRIMARY KEY, s INTEGER, v)")
    try collecting(users) { () throws(CofferError) in
      try database.run(
        "INSERT INTO temp.coffer_found SELECT ? + row_number() OVER (ORDER BY Z_PK), Z_PK, \(key) "
          + "FROM \(source).\(rows) AND \(key) IN temp.coffer_wanted "
          + "AND \(key) NOT IN (SELECT \(key) FROM main.\(rows))", [.integer(highest)])
    }
    let repeated = try database.value(
      "SELECT v FROM temp.coffer_found GROUP BY v HAVING count(*) > 1 LIMIT 1")
    if let repeated {
      for (query, key, object, table) in wanted(users) {
        let row = try database.rows(
          "SELECT \(object) FROM \(query) WHERE \(key) = ? LIMIT 1", [repeated]
        ).first
        if let key = row?[0].integer {
          return LinkingFault(kind: .severalObjects, object: StoredObject(table: table, key: key))
        }
      }
    }
    let columns = attributes(of: index)
    try database.run(
      "INSERT INTO main.\(table(index)) (Z_PK, Z_ENT, Z_OPT\(columns)) SELECT f.k, Z_ENT, 1"
        + "\(columns) FROM temp.coffer_found AS f JOIN \(source).\(table(index)) ON Z_PK = f.s")
    try database.run("INSERT INTO main.\(known) SELECT \(index), k, s FROM temp.coffer_found")
    highest = try database.value("SELECT max(k) FROM temp.coffer_found")?.integer ?? highest
    try database.run("DROP TABLE temp.coffer_found")
    return nil
  }

  /// Adds the objects of another store that are named by their primary keys, where there are none.
  ///
  /// - Parameters:
  ///   - users: what names objects of the table by primary keys.
  ///   - index: the table of objects.
  ///   - source: the name of the schema of the other store.
  ///   - known: the table where they are noted.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func adopt(
    _ users: Users, in index: Int, from source: String, known: String
  ) throws(CofferError) {
    guard !users.isEmpty else { return }
    let rows =
      "FROM \(source).\(table(index)) WHERE Z_PK IN temp.coffer_wanted "
      + "AND Z_PK NOT IN (SELECT Z_PK FROM main.\(table(index)))"
    let columns = attributes(of: index)
    try collecting(users) { () throws(CofferError) in
      try database.run("INSERT INTO main.\(known) SELECT \(index), Z_PK, Z_PK \(rows)")
      try database.run(
        "INSERT INTO main.\(table(index)) (Z_PK, Z_ENT, Z_OPT\(columns)) "
          + "SELECT Z_PK, Z_ENT, 1\(columns) \(rows)")
    }
  }
}
