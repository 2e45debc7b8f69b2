internal import CoreDataModel
internal import CoreDataStore

/// What only a merge of tables into a store needs.
extension TableLinks {
  /// Adds the objects that tables refer to and only the store has.
  ///
  /// A primary key is the store's where the tables have no objects of that kind, or objects are matched
  /// by primary keys.
  ///
  /// - Returns: the fault if several objects of the store have a key, with the name of the property.
  func adopt(from target: TableTarget) throws(CofferError) -> (LinkingFault, String)? {
    let (linking, keys, schema) = (context.linking, context.keys, context.schema)
    noteOrders(target)
    for (number, key) in keys.keys.enumerated() {
      guard let column = key.column, let table = schema.table(of: key.entity) else { continue }
      let fault = try linking.adopt(
        users { $0 == .key(number) }, of: key.entity, column: column,
        isText: key.type == .string || key.type == .uri, from: target.source,
        known: StatedValues.known, highest: &context.highestKeys[table])
      if let fault { return (fault, "") }
    }
    for table in schema.tables.indices
    where target.matchesByObjectID || !target.tablesWithRecords.contains(table) {
      var users = users(in: table) { $0 == .primaryKey }
      for index in target.pairsWithRecords.sorted() {
        for end in 0...1 where schema.pairs[index].ends[end].table == table {
          users.pairs.append((index, end))
        }
      }
      try linking.adopt(users, in: table, from: target.source, known: StatedValues.known)
    }
    return nil
  }

  private func noteOrders(_ target: TableTarget) {
    for list in context.lists {
      switch list.storage {
      case .reference(let index): target.orders.references.insert(index)
      case .pairs(let index, let end): target.orders.pairs.insert([index, end])
      }
    }
  }

  /// What names objects in a certain way.
  private func users(
    in table: Int? = nil, _ isNamed: (TableKeys.Naming) -> Bool
  ) -> ObjectLinking.Users {
    let schema = context.schema
    var users = ObjectLinking.Users()
    for (index, naming) in context.keys.references.sorted(by: { $0.key < $1.key })
    where isNamed(naming)
      && (table ?? schema.references[index].destinationTable)
        == schema.references[index].destinationTable
    {
      users.references.append(index)
    }
    for (number, list) in context.lists.enumerated() where isNamed(list.naming) {
      let (owner, member) =
        switch list.storage {
        case .reference(let index):
          (schema.references[index].destinationTable, schema.references[index].table)
        case .pairs(let index, let end):
          (schema.pairs[index].ends[end].table, schema.pairs[index].ends[1 - end].table)
        }
      if table == nil || table == member { users.lists.append((number, owner)) }
    }
    return users
  }

  /// Lets an object that has values of others state what they state.
  func mergeStatements(_ table: Int, _ pairs: String) throws(CofferError) {
    guard context.target != nil else { return }
    try context.database.run(
      "INSERT INTO main.\(StatedValues.stated) SELECT t, p.s, w, m, e "
        + "FROM main.\(StatedValues.stated) AS o JOIN \(pairs) AS p ON o.k = p.k "
        + "WHERE o.t = \(table) ON CONFLICT (t, k, w) DO UPDATE SET m = m | excluded.m")
  }
}
