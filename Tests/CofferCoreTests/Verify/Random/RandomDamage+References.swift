internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import TestSupport

extension RandomDamage {
  /// Damages to relationships.
  static let references = [
    RandomDamage("to-one dangles") { workshop in
      guard let (table, column, entity, _) = workshop.toOne(),
        let key = try workshop.row(of: table, where: workshop.has(entity))
      else { return nil }
      try workshop.set(column, to: .integer(88_888_888), at: key, in: table)
      return Expectation(
        code: "dangling-relationship", object: try workshop.object(key, in: table))
    },
    RandomDamage("to-one zero") { workshop in
      guard let (table, column, entity, _) = workshop.toOne(),
        let key = try workshop.row(of: table, where: workshop.has(entity))
      else { return nil }
      try workshop.set(column, to: 0, at: key, in: table)
      return Expectation(
        code: "dangling-relationship", object: try workshop.object(key, in: table))
    },
    RandomDamage("to-one a text") { workshop in
      guard let (table, column, entity, _) = workshop.toOne(),
        let key = try workshop.row(of: table, where: workshop.has(entity))
      else { return nil }
      try workshop.set(column, to: "nowhere", at: key, in: table)
      return Expectation(code: "invalid-reference", object: try workshop.object(key, in: table))
    },
    RandomDamage("destination removed") { workshop in
      guard let (table, column, entity, destination) = workshop.toOne(),
        let target = workshop.table(of: destination),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(column) IS NOT NULL"),
        let lost = try workshop.database.integer(
          "SELECT \(column) FROM \(table.tableName) WHERE Z_PK = \(key)"),
        target.tableName != table.tableName || lost != key
      else { return nil }
      let object = try workshop.object(key, in: table)
      try workshop.database.run("DELETE FROM \(target.tableName) WHERE Z_PK = \(lost)")
      return Expectation(code: "dangling-relationship", object: object)
    },
    RandomDamage("entity beside a to-one wrong") { workshop in
      guard let (table, column, companion, entity) = workshop.polymorphicToOne(),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(column) IS NOT NULL")
      else { return nil }
      let value = workshop.pick([.null, 0, 99, "x"] as [StoreValue]) ?? .null
      try workshop.set(companion, to: value, at: key, in: table)
      return Expectation(
        code: "wrong-destination-entity", object: try workshop.object(key, in: table))
    },
    RandomDamage("pair dangles") { workshop in
      guard let join = workshop.pick(workshop.layout.joinTables.filter { !$0.isReflexive }) else {
        return nil
      }
      let column = workshop.random.chance(0.5) ? join.sourceColumn : join.destinationColumn
      let count = try workshop.database.integer("SELECT count(*) FROM \(join.tableName)") ?? 0
      guard count > 0 else { return nil }
      let row = try workshop.database.integer(
        "SELECT rowid FROM \(join.tableName) LIMIT 1 OFFSET \(workshop.random.below(Int(count)))")
      try workshop.database.run(
        "UPDATE \(join.tableName) SET \(column) = 77777777 WHERE rowid = \(row ?? 0)")
      return Expectation(code: "dangling-pair", object: nil)
    },
    RandomDamage("one-to-one points elsewhere") { workshop in
      guard let (table, column, entity, destination) = workshop.oneToOne(),
        let target = workshop.table(of: destination),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(column) IS NOT NULL"),
        let other = try workshop.row(
          of: target,
          where: """
            \(workshop.has(destination)) AND Z_PK <> (SELECT \(column) FROM \(table.tableName) \
            WHERE Z_PK = \(key)) AND Z_PK IN (SELECT \(column) FROM \(table.tableName))
            """)
      else { return nil }
      try workshop.set(column, to: .integer(other), at: key, in: table)
      return Expectation(code: "inverse-mismatch", object: nil)
    },
    RandomDamage("one-to-one half removed") { workshop in
      guard let (table, column, entity, _) = workshop.oneToOne(),
        let key = try workshop.row(
          of: table, where: "\(workshop.has(entity)) AND \(column) IS NOT NULL")
      else { return nil }
      try workshop.set(column, to: .null, at: key, in: table)
      return Expectation(code: "inverse-missing", object: nil)
    },
  ]
}

extension DamageWorkshop {
  /// The table of an entity's objects.
  func table(of entity: Name) -> EntityTable? {
    layout.entityTables.first { $0.entityNames.contains(entity) }
  }

  /// A to-one relationship: its table and column, the entity that declares it, the destination.
  mutating func toOne() -> (EntityTable, String, Name, Name)? {
    var found: [(EntityTable, String, Name, Name)] = []
    for table in layout.entityTables {
      for column in table.columns {
        guard case .toOne(let name, let entity) = column.role,
          let relationship = model.relationship(name, of: entity)?.relationship
        else { continue }
        found.append((table, column.storedName, entity, relationship.destinationName))
      }
    }
    return pick(found)
  }

  /// A to-one relationship with a column for the entity: both columns, the declaring entity.
  mutating func polymorphicToOne() -> (EntityTable, String, String, Name)? {
    var found: [(EntityTable, String, String, Name)] = []
    for table in layout.entityTables {
      for column in table.columns {
        guard case .toOne(let name, let entity) = column.role,
          let position = table.position(of: .toOneEntity(name: name, entity: entity))
        else { continue }
        found.append((table, column.storedName, table.columns[position].storedName, entity))
      }
    }
    return pick(found)
  }

  /// One side of a one-to-one relationship.
  mutating func oneToOne() -> (EntityTable, String, Name, Name)? {
    var found: [(EntityTable, String, Name, Name)] = []
    for table in layout.entityTables {
      for column in table.columns {
        guard case .toOne(let name, let entity) = column.role,
          let relationship = model.relationship(name, of: entity)?.relationship,
          let inverse = model.inverse(of: relationship), !inverse.relationship.isToMany
        else { continue }
        found.append((table, column.storedName, entity, relationship.destinationName))
      }
    }
    return pick(found)
  }
}
