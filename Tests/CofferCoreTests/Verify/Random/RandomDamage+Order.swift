internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import TestSupport

extension RandomDamage {
  /// Damages to positions in ordered relationships.
  static let order = [
    RandomDamage("position missing") { workshop in
      guard let (table, column, reference, entity) = workshop.orderColumn(),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(reference) IS NOT NULL")
      else { return nil }
      try workshop.set(column, to: .null, at: key, in: table)
      return Expectation(code: "missing-order-key", object: try workshop.object(key, in: table))
    },
    RandomDamage("position a text") { workshop in
      guard let (table, column, reference, entity) = workshop.orderColumn(),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(reference) IS NOT NULL")
      else { return nil }
      try workshop.set(column, to: "first", at: key, in: table)
      return Expectation(code: "invalid-order-key", object: try workshop.object(key, in: table))
    },
    RandomDamage("position without a list") { workshop in
      guard let (table, column, reference, entity) = workshop.orderColumn(),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(reference) IS NULL")
      else { return nil }
      try workshop.set(column, to: 4096, at: key, in: table)
      return Expectation(code: "surplus-order-key", object: try workshop.object(key, in: table))
    },
    RandomDamage("position twice") { workshop in
      guard let (table, column, reference, entity) = workshop.orderColumn(),
        let key = try workshop.row(
          of: table,
          where: """
            \(workshop.has(entity)) AND \(reference) IN (SELECT \(reference) \
            FROM \(table.tableName) GROUP BY \(reference) HAVING count(*) > 1)
            """)
      else { return nil }
      let name = table.tableName
      try workshop.database.run(
        """
        UPDATE \(name) SET \(column) = (SELECT o.\(column) FROM \(name) AS o \
        WHERE o.\(reference) = \(name).\(reference) AND o.Z_PK <> \(name).Z_PK LIMIT 1) \
        WHERE Z_PK = \(key)
        """)
      return Expectation(code: "duplicate-order-key", object: nil)
    },
  ]
}

extension DamageWorkshop {
  /// A position: its table and column, the column of the reference, the entity whose objects have it.
  mutating func orderColumn() -> (EntityTable, String, String, Name)? {
    var found: [(EntityTable, String, String, Name)] = []
    for table in layout.entityTables {
      for column in table.columns {
        switch column.role {
        case .order(let relationship, let entity):
          let reference = table.columns.first { other in
            if case .toOne(relationship, entity) = other.role { true } else { false }
          }
          if let reference {
            found.append((table, column.storedName, reference.storedName, entity))
          }
        case .ownerOrder(let owner, let relationship):
          let role = FieldRole.owner(entity: owner, relationship: relationship)
          guard let position = table.position(of: role),
            let destination = model.relationship(relationship, of: owner)?.relationship
          else { continue }
          found.append(
            (
              table, column.storedName, table.columns[position].storedName,
              destination.destinationName
            ))
        default: break
        }
      }
    }
    return pick(found)
  }
}
