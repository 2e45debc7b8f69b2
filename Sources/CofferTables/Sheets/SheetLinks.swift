internal import CofferComparison
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Makes relationships from the tables, after all objects are in the store.
struct SheetLinks {
  let context: SheetContext
  let options: SheetOptions
  let folder: String

  /// Turns keys into references, and completes their consequences.
  ///
  /// - Returns: the first fault, with the name of the property; nil for both sides of none.
  func link() throws -> (LinkingFault, Name)? {
    let (linking, keys, schema) = (context.linking, context.keys, context.schema)
    if let target = context.target, let fault = try adopt(from: target) { return fault }
    for (number, key) in keys.keys.enumerated() {
      guard let column = key.column else {
        guard key.isGiven || !keys.isNamed(number) && !keys.references.values.contains(.key(number))
        else {
          throw SheetPlace(path: folder).error(
            "the key \(key.path) of \(key.entity) is neither an attribute nor a column of its tables"
          )
        }
        continue
      }
      let isText = key.type == .string || key.type == .uri
      let fault = try linking.fillKeys(
        number, entity: key.entity, column: column, isText: isText, choice)
      if let fault { return (fault, key.path) }
    }
    for number in context.keysInTexts.sorted() where try linking.hasKey(number, containing: ";") {
      let key = keys.keys[number]
      throw SheetPlace(path: folder).error(
        "a key of \(key.entity), \(key.path), contains a semicolon, which separates keys in a list",
        advice: "Use a table in JSON, where lists are arrays.")
    }
    for (reference, naming) in keys.references.sorted(by: { $0.key < $1.key }) {
      guard case .key(let number) = naming else { continue }
      if let fault = try linking.resolve(reference, keys: number) {
        return (fault, name(of: reference, schema))
      }
    }
    for (number, target) in context.lists.enumerated() {
      var keys: Int?
      if case .key(let number) = target.naming { keys = number }
      let fault =
        switch target.storage {
        case .reference(let reference):
          try linking.link(lists: number, by: reference, keys: keys)
        case .pairs(let pairs, let end):
          try linking.link(lists: number, pairs: pairs, end: end, keys: keys)
        }
      if let fault { return (fault, target.name) }
    }
    for (entity, columns, name) in uniqueColumns {
      let fault = try linking.settleDuplicates(
        of: entity, columns: columns, choice, merged: mergeStatements)
      if let fault { return (fault, name) }
    }
    return try linking.complete(given: Set(keys.references.keys)).map { ($0, "") }
  }

  /// The object that remains, of several objects with the same key; nil for none.
  private var choice: DuplicateChoice? {
    switch options.duplicatePolicy {
    case .error: nil
    case .first: .first
    case .last: .last
    case .merge: .merged
    }
  }

  /// The columns whose values are unique together: the keys, and the uniqueness constraints of the model.
  private var uniqueColumns: [(entity: Name, columns: [Int], name: Name)] {
    var found: [(Name, [Int], Name)] = []
    for key in context.keys.keys {
      if let column = key.column { found.append((key.entity, [column], key.path)) }
    }
    for key in context.target?.naturalKeys ?? [] {
      if let columns = columns(key.keyPaths, of: key.entityName) {
        found.append((key.entityName, columns, Name(key.keyPaths.joined(separator: ", "))))
      }
    }
    for entity in context.layout.model.entities {
      for constraint in entity.uniquenessConstraints {
        if let columns = columns(constraint, of: entity.name) {
          found.append((entity.name, columns, Name(constraint.joined(separator: ", "))))
        }
      }
    }
    return found
  }

  /// The columns of properties, if a store has one for each.
  private func columns(_ properties: [Name], of entity: Name) -> [Int]? {
    guard let table = context.layout.entityTable(of: entity) else { return nil }
    let lineage = Set(context.layout.model.lineage(of: entity).map(\.name))
    let columns = properties.compactMap { property in
      table.columns.firstIndex { $0.role.isProperty(property, ofAny: lineage) }
    }
    return columns.count == properties.count ? columns : nil
  }

  private func name(of reference: Int, _ schema: EditedSchema) -> Name {
    let found = schema.references[reference]
    if let relationship = found.relationship { return relationship.name }
    return found.inverse.map { "\($0.entity).\($0.relationship.name)" } ?? ""
  }
}

extension FieldRole {
  /// Whether a column has the values of an attribute or the destinations of a to-one relationship.
  fileprivate func isProperty(_ name: Name, ofAny entities: Set<Name>) -> Bool {
    switch self {
    case .attribute(let path, _, _, let entity):
      path.count == 1 && path[0] == name && entities.contains(entity)
    case .toOne(let own, let entity): own == name && entities.contains(entity)
    default: false
    }
  }
}

/// The links of a merge of tables into a store.
extension SheetLinks {
  /// Adds the objects that tables refer to and only the store has.
  ///
  /// A primary key is the store's where the tables have no objects of that kind, or objects are matched
  /// by primary keys.
  ///
  /// - Returns: the fault if several objects of the store have a key, with the name of the property.
  func adopt(from target: SheetTarget) throws(CofferError) -> (LinkingFault, Name)? {
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

  private func noteOrders(_ target: SheetTarget) {
    for list in context.lists {
      switch list.storage {
      case .reference(let index): target.orders.references.insert(index)
      case .pairs(let index, let end): target.orders.pairs.insert([index, end])
      }
    }
  }

  /// The references that name objects in a certain way.
  private func users(
    in table: Int? = nil, _ isNamed: (SheetKeys.Naming) -> Bool
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

  /// Marks the values that an object took from others as given in its record.
  func mergeStatements(_ table: Int, _ pairs: String) throws(CofferError) {
    guard context.target != nil else { return }
    try context.database.run(
      "INSERT INTO main.\(StatedValues.stated) SELECT t, p.s, w, m, e "
        + "FROM main.\(StatedValues.stated) AS o JOIN \(pairs) AS p ON o.k = p.k "
        + "WHERE o.t = \(table) ON CONFLICT (t, k, w) DO UPDATE SET m = m | excluded.m")
  }
}
