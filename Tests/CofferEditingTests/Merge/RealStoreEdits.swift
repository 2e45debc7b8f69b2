internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// Edits of a store of any model on two sides, with SQL alone: attributes, new objects, deletions,
/// relationships and pairs.
///
/// Each side edits the objects with keys of its own, so that nothing contradicts but the attributes that
/// both change.
struct RealStoreEdits {
  /// A side, by the remainder of the keys of its objects.
  enum Side: Int64, CaseIterable { case even, odd }

  /// A new object: a copy of another one.
  private struct NewObject {
    var original: StoredObject
    var key: Int64
  }

  /// A reference that leads elsewhere.
  private struct Link {
    var reference: EditedReference
    var holder: Int64
    var destination: Int64
  }

  /// The edits of one side in addition to edits of attributes.
  private struct Plan {
    var deleted: [StoredObject] = []
    var new: [NewObject] = []
    var links: [Link] = []
    /// By relationship.
    var addedPairs: [[[Int64]]] = []
    var removedPairs: [[[Int64]]] = []
  }

  let tables: StoreContent.Tables
  /// The content of the store before.
  let base: StoreContent
  private var schema: EditedSchema { tables.schema }
  /// The attributes that are edited, by table.
  private var attributes: [[(name: String, isText: Bool)]] = []
  /// By table: the columns that must be unique, with whether they hold texts.
  private var unique: [[String: Bool]] = []
  /// The tables with triggers that only the app can run.
  private let locked: Set<Int>
  private var plans: [Side: Plan] = [:]

  /// Whether there is nothing to edit.
  var isEmpty: Bool { attributes.allSatisfy(\.isEmpty) }

  /// The numbers of deletions, new objects, changed references, and added and removed pairs.
  var counts: [Int] {
    let plans = plans.values
    let counts: [[Int]] = [
      plans.map(\.deleted.count), plans.map(\.new.count), plans.map(\.links.count),
      plans.map { $0.addedPairs.joined().count }, plans.map { $0.removedPairs.joined().count },
    ]
    return counts.map { $0.reduce(0, +) }
  }

  /// Chooses edits that break no rule of the model.
  init(_ path: String) throws {
    let store = try PersistentStore(readingFrom: path)
    tables = StoreContent.Tables(store)
    base = try StoreContent(path, tables)
    let triggers = store.catalog.triggers.filter { trigger in
      !["Z_DA_", "Z_RT_"].contains { trigger.name.hasPrefix($0) }
    }
    let own = Set(triggers.map(\.tableName))
    let names = tables.schema.tables.map(\.tableName)
    locked = Set(names.indices.filter { own.contains(names[$0]) })
    guard store.model.source != .inferred else { return }
    let database = try GeneratorDatabase(path: path)
    for table in schema.tables {
      let rows = try database.rows(
        "SELECT x.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS x "
          + "WHERE i.\"unique\"", [.string(table.tableName)])
      let names = Set(rows.map { $0[0].text })
      var texts: [String: Bool] = [:]
      for field in table.columns where names.contains(field.storedName) {
        if case .attribute(_, .string, _, _) = field.role {
          texts[field.storedName] = true
        } else {
          texts[field.storedName] = false
        }
      }
      unique.append(texts)
      let isLocked = locked.contains(attributes.count)
      attributes.append(
        try isLocked ? [] : Self.attributes(of: table, besides: names, store.model, database))
    }
    // A few attributes show as much as all.
    let step = 1 + attributes.joined().count / 12
    var number = 0
    for table in attributes.indices {
      attributes[table] = attributes[table].filter { _ in
        number += 1
        return (number - 1) % step == 0
      }
    }
    for side in Side.allCases { plans[side] = Plan(deleted: deletions(of: side)) }
    for side in Side.allCases { plan(side) }
  }

  private static func attributes(
    of table: EntityTable, besides unique: Set<String>, _ model: ManagedObjectModel,
    _ database: GeneratorDatabase
  ) throws -> [(name: String, isText: Bool)] {
    try table.columns.compactMap { field in
      guard case .attribute(let path, let type, _, let entity) = field.role, path.count == 1,
        [.string, .double, .date].contains(type), !unique.contains(field.storedName),
        let attribute = model[entity]?.attributes.first(where: { $0.name == path[0] }),
        attribute.derivation == nil, attribute.validationPredicates.isEmpty,
        try database.integer(
          "SELECT count(\"\(field.storedName)\") FROM \"\(table.tableName)\"") ?? 0 > 1
      else { return nil }
      return (field.storedName, type == .string)
    }
  }

  // MARK: Choosing

  private var allDeleted: Set<StoredObject> { Set(plans.values.flatMap(\.deleted)) }

  /// Objects that nothing needs, and that own nothing.
  private func deletions(of side: Side) -> [StoredObject] {
    func isBinding(_ relationship: RelationshipDescription?) -> Bool {
      guard let relationship else { return false }
      return relationship.deleteRule == .cascade || relationship.deleteRule == .deny
    }
    var bound: Set<StoredObject> = []
    for reference in schema.references {
      let isNeeded =
        reference.relationship?.isOptional == false || isBinding(reference.inverse?.relationship)
      for (holder, key) in base.links(reference, tables) {
        if isNeeded || locked.contains(reference.table) {
          bound.insert(StoredObject(table: reference.destinationTable, key: key))
        }
        if isBinding(reference.relationship) || locked.contains(reference.destinationTable) {
          bound.insert(StoredObject(table: reference.table, key: holder))
        }
      }
    }
    for (index, pairs) in schema.pairs.enumerated()
    where pairs.ends.contains(where: {
      isBinding($0.relationship) || !$0.relationship.isOptional || locked.contains($0.table)
    }) {
      for pair in base.pairs[index] {
        for (end, key) in zip(pairs.ends, pair) {
          bound.insert(StoredObject(table: end.table, key: key))
        }
      }
    }
    return schema.tables.indices.filter { !locked.contains($0) }.flatMap { table in
      base.rows[table].keys.sorted().map { StoredObject(table: table, key: $0) }
        .filter { $0.key % 4 == 2 + side.rawValue && !bound.contains($0) }.prefix(2)
    }
  }

  private mutating func plan(_ side: Side) {
    let deleted = allDeleted
    func isOwn(_ key: Int64, in table: Int) -> Bool {
      key % 2 == side.rawValue && !deleted.contains(StoredObject(table: table, key: key))
    }
    for table in schema.tables.indices where isCopied(table) {
      let references = schema.references.filter { $0.table == table }
      let originals = base.rows[table].keys.sorted().filter { key in
        isOwn(key, in: table)
          && references.allSatisfy { reference in
            base.destination(of: key, in: reference, tables).map {
              !locked.contains(reference.destinationTable)
                && !deleted.contains(StoredObject(table: reference.destinationTable, key: $0))
            } ?? true
          } && !base.hasFile(key, in: table)
      }
      for (number, key) in originals.prefix(2).enumerated() {
        plans[side]?.new.append(
          NewObject(
            original: StoredObject(table: table, key: key),
            key: base.highest[table] + 1 + Int64(number)))
      }
    }
    for reference in schema.references where isLinked(reference) {
      let table = reference.destinationTable
      let links = base.links(reference, tables).filter { holder, key in
        isOwn(holder, in: reference.table)
          && !deleted.contains(StoredObject(table: table, key: key))
      }
      for (holder, key) in links.prefix(2) {
        let entity = base.entity(of: key, in: table, tables)
        let other = base.rows[table].keys.sorted().first {
          $0 != key && !(table == reference.table && $0 == holder)
            && base.entity(of: $0, in: table, tables) == entity
            && !deleted.contains(StoredObject(table: table, key: $0))
        }
        if let other {
          plans[side]?.links.append(
            Link(reference: reference, holder: holder, destination: other))
        }
      }
    }
    for (index, pairs) in schema.pairs.enumerated() {
      let ends = pairs.ends.map(\.table)
      let old = base.pairs[index].sorted { $0.lexicographicallyPrecedes($1) }.filter { pair in
        !zip(ends, pair).contains { deleted.contains(StoredObject(table: $0, key: $1)) }
      }
      func isOwn(_ pair: [Int64]) -> Bool {
        pair[0] % 2 == side.rawValue && (!pairs.isReflexive || pair[1] % 2 == side.rawValue)
      }
      let all = old.flatMap { one in old.map { [one[0], $0[1]] } }
      let isLocked = ends.contains { locked.contains($0) }
      let new = all.first {
        !isLocked && isOwn($0) && !base.pairs[index].contains(StoreContent.ordered($0, pairs))
          && (!pairs.isReflexive || $0[0] != $0[1])
      }
      plans[side]?.addedPairs.append([new].compactMap(\.self))
      plans[side]?.removedPairs.append(
        [old.first { !isLocked && isOwn($0) }].compactMap(\.self))
    }
  }

  /// Whether objects of a table can be copied without breaking a rule.
  private func isCopied(_ table: Int) -> Bool {
    // One text per index makes a copy another object.
    guard !locked.contains(table), unique[table].values.allSatisfy(\.self) else { return false }
    return !schema.references.contains {
      $0.table == table && $0.partner != nil && $0.relationship?.isOptional == false
    }
  }

  /// Whether a reference can lead elsewhere without breaking a rule.
  private func isLinked(_ reference: EditedReference) -> Bool {
    let column = schema.tables[reference.table].columns[reference.column].storedName
    return reference.partner == nil && unique[reference.table][column] == nil
      && !locked.contains(reference.table) && !locked.contains(reference.destinationTable)
  }

  // MARK: Editing

  /// A copy of the store with the edits of a side.
  func edited(_ path: String, as copy: String, _ side: Side) throws -> String {
    _ = try StoreFiles(path).copy(to: copy)
    try DoubledStore.edit(copy) { database in
      try changeAttributes(side, database)
      guard let plan = plans[side] else { return }
      for object in plan.deleted { try delete(object, database) }
      for link in plan.links { try set(link, database) }
      for object in plan.new { try copyObject(object, side, database) }
      for (index, pairs) in schema.pairs.enumerated() {
        let ends = pairs.ends.map { "\"\($0.column)\"" }
        for pair in plan.removedPairs[index] {
          let match = "\(ends[0]) = ?1 AND \(ends[1]) = ?2"
          let turned = pairs.isReflexive ? " OR \(ends[0]) = ?2 AND \(ends[1]) = ?1" : ""
          try database.run(
            "DELETE FROM \"\(pairs.name)\" WHERE \(match)\(turned)", pair.map { .integer($0) })
        }
        for pair in plan.addedPairs[index] {
          let orders = pairs.ends.compactMap(\.orderColumn)
          let columns = ends + orders.map { "\"\($0)\"" }
          let values = pair.map { "\($0)" } + orders.map { _ in "900000" }
          try database.run(
            "INSERT INTO \"\(pairs.name)\" (\(columns.joined(separator: ", "))) VALUES "
              + "(\(values.joined(separator: ", ")))")
        }
      }
    }
    return copy
  }

  private func changeAttributes(_ side: Side, _ database: GeneratorDatabase) throws {
    for (table, columns) in attributes.enumerated() {
      for column in columns {
        let name = "\"\(column.name)\""
        let value =
          column.isText ? "\(name) || ' \(side)'" : "\(name) + 1000 + \(side.rawValue)"
        // Both change these.
        let contested = side == .even ? "OR Z_PK % 8 = 5" : ""
        try database.run(
          "UPDATE \"\(schema.tables[table].tableName)\" SET \(name) = \(value) "
            + "WHERE Z_PK % 2 = \(side.rawValue) \(contested)")
      }
    }
  }

  private func delete(_ object: StoredObject, _ database: GeneratorDatabase) throws {
    for reference in schema.references where reference.destinationTable == object.table {
      let table = schema.tables[reference.table]
      let columns = [reference.column, reference.entityColumn, reference.orderColumn]
        .compactMap(\.self).map { "\"\(table.columns[$0].storedName)\" = NULL" }
      try database.run(
        "UPDATE \"\(table.tableName)\" SET \(columns.joined(separator: ", ")) "
          + "WHERE \"\(table.columns[reference.column].storedName)\" = \(object.key)")
    }
    for pairs in schema.pairs {
      for end in pairs.ends where end.table == object.table {
        try database.run("DELETE FROM \"\(pairs.name)\" WHERE \"\(end.column)\" = \(object.key)")
      }
    }
    try database.run(
      "DELETE FROM \"\(schema.tables[object.table].tableName)\" WHERE Z_PK = \(object.key)")
  }

  private func set(_ link: Link, _ database: GeneratorDatabase) throws {
    let table = schema.tables[link.reference.table]
    var sets = ["\"\(table.columns[link.reference.column].storedName)\" = \(link.destination)"]
    if let order = link.reference.orderColumn {
      sets.append("\"\(table.columns[order].storedName)\" = \(900_000 + link.holder)")
    }
    try database.run(
      "UPDATE \"\(table.tableName)\" SET \(sets.joined(separator: ", ")) "
        + "WHERE Z_PK = \(link.holder)")
  }

  private func copyObject(
    _ object: NewObject, _ side: Side, _ database: GeneratorDatabase
  ) throws {
    let index = object.original.table
    let table = schema.tables[index]
    let references = schema.references.filter { $0.table == index }
    // Nobody has two partners, and no two places are one.
    let unset = Set(
      references.filter { $0.partner != nil }.flatMap { [$0.column, $0.entityColumn] })
    let orders = Set(references.map(\.orderColumn))
    let values = table.columns.enumerated().map { column, field in
      let name = "\"\(field.storedName)\""
      if field.role == .primaryKey { return "\(object.key)" }
      if unset.contains(column) { return "NULL" }
      if orders.contains(column) { return "\(name) + \(7 + 4 * side.rawValue)" }
      return unique[index][field.storedName] == nil ? name : "\(name) || ' \(side) \(object.key)'"
    }
    try database.run(
      "INSERT INTO \"\(table.tableName)\" ("
        + table.columns.map { "\"\($0.storedName)\"" }.joined(separator: ", ")
        + ") SELECT \(values.joined(separator: ", ")) FROM \"\(table.tableName)\" "
        + "WHERE Z_PK = \(object.original.key)")
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?",
      [.integer(object.key), .string(table.rootEntityName.text)])
  }
}
