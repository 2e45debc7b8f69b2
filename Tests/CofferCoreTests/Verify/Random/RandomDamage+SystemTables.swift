internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import TestSupport

extension RandomDamage {
  /// Damages to the framework's own tables.
  static let administration = [
    RandomDamage("counter behind") { workshop in
      guard let table = workshop.pick(workshop.layout.entityTables),
        let highest = try workshop.database.integer("SELECT max(Z_PK) FROM \(table.tableName)")
      else { return nil }
      try workshop.setCounter(of: table.rootEntityName, to: .integer(highest - 1))
      return Expectation(code: "primary-key-counter-behind", object: nil)
    },
    RandomDamage("counter missing") { workshop in
      guard let table = workshop.pick(workshop.layout.entityTables) else { return nil }
      try workshop.setCounter(of: table.rootEntityName, to: .null)
      return Expectation(code: "invalid-primary-key-counter", object: nil)
    },
    RandomDamage("counter at a sub-entity") { workshop in
      guard let entity = workshop.pick(workshop.model.entities.filter { $0.superentityName != nil })
      else { return nil }
      try workshop.setCounter(of: entity.name, to: 5)
      return Expectation(code: "primary-key-counter-on-subentity", object: nil)
    },
    RandomDamage("entity without number") { workshop in
      guard let entity = workshop.pick(workshop.model.entities.filter { $0.superentityName == nil })
      else { return nil }
      try workshop.database.run(
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.string(entity.name.text)])
      return Expectation(code: "unnumbered-entity", object: nil)
    },
    RandomDamage("superentity wrong") { workshop in
      guard let entity = workshop.pick(workshop.model.entities) else { return nil }
      try workshop.database.run(
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 4242 WHERE Z_NAME = ?", [.string(entity.name.text)])
      return Expectation(code: "wrong-superentity", object: nil)
    },
    RandomDamage("store UUID malformed") { workshop in
      try workshop.database.run("UPDATE Z_METADATA SET Z_UUID = lower(Z_UUID)")
      return Expectation(code: "invalid-store-uuid", object: nil)
    },
    RandomDamage("metadata twice") { workshop in
      try workshop.database.run("INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA")
      return Expectation(code: "surplus-metadata", object: nil)
    },
    RandomDamage("model cache cut") { workshop in
      try workshop.database.run(
        "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)")
      return Expectation(code: "unreadable-model-cache", object: nil)
    },
    RandomDamage("transaction removed") { workshop in
      let count = try workshop.count("ACHANGE")
      guard count > 0 else { return nil }
      let change = workshop.random.below(count)
      try workshop.database.run(
        """
        DELETE FROM ATRANSACTION WHERE Z_PK = \
        (SELECT ZTRANSACTIONID FROM ACHANGE LIMIT 1 OFFSET \(change))
        """)
      return Expectation(code: "change-without-transaction", object: nil)
    },
    RandomDamage("change of an unknown entity") { workshop in
      let count = try workshop.count("ACHANGE")
      guard count > 0 else { return nil }
      let change = workshop.random.below(count)
      try workshop.database.run(
        """
        UPDATE ACHANGE SET ZENTITY = 555 WHERE Z_PK = \
        (SELECT Z_PK FROM ACHANGE LIMIT 1 OFFSET \(change))
        """)
      return Expectation(code: "change-of-unknown-entity", object: nil)
    },
  ]
}

extension DamageWorkshop {
  /// Sets the counter of an entity.
  func setCounter(of entity: Name, to value: StoreValue) throws {
    try database.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", [value, .string(entity.text)])
  }

  /// The number of rows of a table; 0 if it does not exist.
  func count(_ table: String) throws -> Int {
    let exists = try database.integer(
      "SELECT count(*) FROM sqlite_master WHERE name = ?", [.string(table)])
    guard exists == 1 else { return 0 }
    return Int(try database.integer("SELECT count(*) FROM \(table)") ?? 0)
  }
}
