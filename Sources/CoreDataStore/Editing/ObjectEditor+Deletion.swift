internal import CoreDataLayout
package import CoreDataModel

/// The consequences of the deletion of an object.
package struct PlannedDeletion: Sendable {
  /// The object and the objects that are deleted with it.
  package var objects: [StoredObject]
  /// The object and the relationship that forbid the deletion; nil for none.
  package var denial: (object: StoredObject, relationshipName: Name)?
}

extension ObjectEditor {
  /// Applies the delete rules to the deletion of an object without changing anything.
  ///
  /// - Returns: no objects if the object is not there.
  package func plannedDeletion(of object: StoredObject) throws(CofferError) -> PlannedDeletion {
    guard try entityNumber(of: object) != nil else { return PlannedDeletion(objects: []) }
    var plan = PlannedDeletion(objects: [object])
    var found: Set<StoredObject> = [object]
    var denials: [(StoredObject, Name, [StoredObject])] = []
    var next = 0
    while next < plan.objects.count {
      let current = plan.objects[next]
      next += 1
      guard let entity = try entityNumber(of: current) else { continue }
      try lookup.forEachRelationship(of: current, entity) {
        relationship, destinations throws(CofferError) in
        switch relationship.deleteRule {
        case .cascade:
          for destination in try destinations() where found.insert(destination).inserted {
            plan.objects.append(destination)
          }
        case .deny: denials.append((current, relationship.name, try destinations()))
        case .nullify, .noAction: break
        }
      }
    }
    if let denial = denials.first(where: { $0.2.contains { !found.contains($0) } }) {
      plan.denial = (denial.0, denial.1)
    }
    return plan
  }

  /// Deletes objects; references to them are dangling afterwards.
  ///
  /// A relationship with the rule No Action, and one without inverse, is unset too: Core Data would
  /// leave a reference to an object that does not exist.
  ///
  /// - Parameter objects: the objects, including the objects that are deleted with them.
  /// - Throws: ``CofferError`` mapped from SQLite's result code.
  package func delete(_ objects: [StoredObject]) throws(CofferError) {
    for object in objects { try delete(object) }
  }

  private func delete(_ object: StoredObject) throws(CofferError) {
    guard let entity = try entityNumber(of: object) else { return }
    try requireEditable(object.table)
    for (index, reference) in schema.references.enumerated() {
      // The destinations of the object, except those that refer back by their own column.
      if reference.table == object.table, try destination(index, of: object) != nil {
        try set(index, of: object, to: nil)
      }
      if reference.destinationTable == object.table {
        for holder in try holders(of: object, in: index) { try set(index, of: holder, to: nil) }
      }
    }
    for (index, pairs) in schema.pairs.enumerated() {
      for end in 0...1 where pairs.ends[end].table == object.table {
        for partner in try partners(of: object.key, at: end, in: index) {
          let pair = end == 0 ? (object.key, partner) : (partner, object.key)
          try removePair(pair.0, pair.1, from: index)
        }
      }
    }
    try keepValues(of: object, entity)
    for column in externalColumns[object.table] { try releaseFile(of: object, column) }
    try statements.run("DELETE FROM \(name(object.table)) WHERE Z_PK = ?", .integer(object.key))
    try touch(object, Self.removed)
    try statements.run(
      "INSERT OR IGNORE INTO \(Self.deleted) VALUES (?, ?, ?)", .integer(Int64(object.table)),
      .integer(object.key), .integer(entity))
  }

  /// Remembers the values that the history keeps of a deleted object.
  ///
  /// Source: store-format, section 7.
  private func keepValues(of object: StoredObject, _ entity: Int64) throws(CofferError) {
    guard let entityName = schema.numbering.name(of: entity) else { return }
    let table = schema.tables[object.table]
    var number: Int64 = 0
    for declarer in schema.model.lineage(of: entityName) {
      for attribute in declarer.attributes where attribute.preservesValueInHistoryOnDeletion {
        let column = table.columns.firstIndex {
          guard case .attribute(let path, _, _, let entity) = $0.role else { return false }
          return path == [attribute.name] && entity == declarer.name
        }
        if let column {
          let row = try statements.row(
            "SELECT \(name(column, of: object.table)) FROM \(name(object.table)) WHERE Z_PK = ?",
            .integer(object.key))
          try statements.run(
            "INSERT OR REPLACE INTO \(Self.kept) VALUES (?, ?, ?, ?)",
            .integer(Int64(object.table)), .integer(object.key), .integer(number), row?[0] ?? .null)
        }
        number += 1
      }
    }
  }
}
