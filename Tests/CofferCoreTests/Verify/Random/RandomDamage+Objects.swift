internal import CoreDataStore
internal import LibrarySupport
internal import TestSupport

extension RandomDamage {
  /// Damages to the identity of an object.
  static let objects = [
    entity("entity missing", "missing-entity-number", .null),
    entity("entity unknown", "unknown-entity", .integer(999)),
    version("version missing", .null),
    version("version zero", .integer(0)),
    version("version negative", .integer(-7)),
    version("version a text", .string("two")),
  ]

  private static func entity(_ name: String, _ code: String, _ value: StoreValue) -> RandomDamage {
    RandomDamage(name) { workshop in
      guard let table = workshop.pick(workshop.layout.entityTables),
        let key = try workshop.row(of: table)
      else { return nil }
      try workshop.set("Z_ENT", to: value, at: key, in: table)
      return Expectation(code: code, object: "\(table.rootEntityName)/p\(key)")
    }
  }

  private static func version(_ name: String, _ value: StoreValue) -> RandomDamage {
    RandomDamage(name) { workshop in
      guard let table = workshop.pick(workshop.layout.entityTables),
        let key = try workshop.row(of: table)
      else { return nil }
      try workshop.set("Z_OPT", to: value, at: key, in: table)
      return Expectation(code: "invalid-version", object: try workshop.object(key, in: table))
    }
  }
}
