internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Notes conflicts, with the values of each side.
extension MergeRun {
  /// Notes that the sides have different values in a column.
  ///
  /// Any policy but `error` settles it, unless stated otherwise. The holder is the other object with the value,
  /// asked only if the conflict is listed.
  func noteValues(
    _ column: Int, of theirs: StoredObject, _ ours: StoredObject?,
    as kind: MergeConflict.Kind = .property, isSettled: Bool = true,
    holder: () throws -> String? = { nil }
  ) throws {
    let destination = values.destinationTable(column, of: theirs.table)
    let side = ours == nil ? other : store
    let name = side.shape(theirs.table).propertyName(column)
    try note(kind, ours ?? theirs, on: side, name, isSettled: isSettled) {
      var values = MergeConflict.Values(hasBase: base != nil)
      if identity.isOld(theirs) {
        values.base = try texts.base?.text(column, of: theirs, leadingTo: destination)
      }
      values.ours = try ours.flatMap {
        try texts.store.text(column, of: $0, leadingTo: destination)
      }
      values.theirs = try texts.other.text(column, of: theirs, leadingTo: destination)
      values.holder = try holder()
      return values
    }
  }

  /// The object of the copy that already has a unique value, with its title; nil if there is none.
  func holder(of value: SQLiteValue, _ column: Int, besides object: StoredObject) throws -> String?
  {
    let shape = editor.schema.tables[object.table]
    let (table, key) = (quotedIdentifier(shape.tableName), StoredName.primaryKey)
    let columns = shape.columns.map { quotedIdentifier($0.storedName) }
    let names = columns.indices.map { store.shape(object.table).propertyName($0) }
    let entity =
      try editor.entityNumber(of: object)
      .flatMap { store.store.layout.numbering.name(of: $0) } ?? ""
    let constraints = store.store.model.lineage(of: entity).flatMap(\.uniquenessConstraints)
      .filter { $0.contains(names[column]) }
    for constraint in constraints + [[names[column]]] {
      var sql = "SELECT \(key) FROM \(table) WHERE \(key) <> ?1 AND \(columns[column]) IS ?2"
      for other in names.indices where other != column && constraint.contains(names[other]) {
        sql +=
          " AND \(columns[other]) IS (SELECT \(columns[other]) FROM \(table) WHERE \(key) = ?1)"
      }
      let row = try editor.statements.row(sql + " LIMIT 1", .integer(object.key), value)
      guard let number = row?[0].integer else { continue }
      let found = StoredObject(table: object.table, key: number)
      if try store.lookup.contains(found) { return try texts.store.name(of: found) }
      return try identity.origin(of: found)
        .map { try "\(texts.other.name(of: $0)) of the other store" }
    }
    return nil
  }

  func noteUse(of object: StoredObject, on user: MergeSide) throws {
    try note(user === store ? .changedHere : .deletedHere, object, on: user) {
      let columns = try changedColumns(of: object, on: user).map {
        (column: $0, destination: values.destinationTable($0, of: object.table))
      }
      guard columns.isEmpty else {
        let base = try texts.base?.values(columns, of: object)
        return try sides(of: user, base: base) { try $0.values(columns, of: object) }
      }
      let base = try texts.base?.present(object)
      return try sides(of: user, base: base) { texts in
        let name = try texts.name(of: object)
        guard let use = try newReference(to: object, on: user) else { return name }
        return try "\(name), to which \(texts.name(of: use.holder)) leads (\(use.relationship))"
      }
    }
  }

  /// Notes that a deletion would delete an object that only one store has.
  func noteCascade(of object: StoredObject, on user: MergeSide) throws {
    try note(.cascade, object, on: user) {
      try sides(of: user, base: nil) { try $0.present(object) }
    }
  }

  /// Notes that a relationship forbids a deletion because of its destinations in one store.
  func noteDenial(of object: StoredObject, on user: MergeSide, _ relationship: Name) throws {
    func destinations(_ side: MergeSide) throws -> [StoredObject] {
      try side.lookup.destinations(of: object, by: .deny)
        .filter { $0.relationshipName == relationship }.map(\.object)
    }
    try note(.denied, object, on: user, relationship, isSettled: false) {
      let base = try base.flatMap { try texts.base?.names(of: destinations($0)) }
      return try sides(of: user, base: base) { try $0.names(of: destinations(user)) }
    }
  }

  func noteMissing(_ object: StoredObject, _ relationship: Name) throws {
    try note(.missingDestination, object, on: other, relationship) {
      let base = try identity.isOld(object) ? texts.base?.present(object) : nil
      return try sides(of: other, base: base) { try $0.present(object) }
    }
  }

  /// Notes that both stores moved the members of an ordered relationship.
  func noteOrder(_ ordered: Int, of theirs: StoredObject, _ ours: StoredObject) throws {
    let relationship = editor.schema.ordered[ordered]
    func members(_ side: MergeSide, _ owner: StoredObject) throws -> [StoredObject] {
      try side.members(ordered, of: owner.key).map {
        StoredObject(table: relationship.memberTable, key: $0)
      }
    }
    try note(.order, ours, on: store, relationship.ownerName(in: editor.schema)) {
      var values = MergeConflict.Values(hasBase: base != nil)
      if let base, identity.isOld(theirs) {
        values.base = try texts.base?.names(of: members(base, theirs))
      }
      values.ours = try texts.store.names(of: members(store, ours))
      values.theirs = try texts.other.names(of: members(other, theirs))
      return values
    }
  }

  /// The values of the sides if only one store has the object.
  private func sides(
    of user: MergeSide, base text: String?, _ body: (inout ConflictTexts) throws -> String?
  ) throws -> MergeConflict.Values {
    var values = MergeConflict.Values(hasBase: base != nil, base: text)
    if user === store {
      values.ours = try body(&texts.store)
    } else {
      values.theirs = try body(&texts.other)
    }
    return values
  }
}
