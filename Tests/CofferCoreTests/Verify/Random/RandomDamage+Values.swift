internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import LibrarySupport
internal import TestSupport

extension RandomDamage {
  /// Damages to the values of attributes.
  static let values = [
    value("text not UTF-8", "invalid-text", of: [.string, .uri], .text([0x41, 0xff, 0xfe])),
    value("text bytes", "wrong-storage-class", of: [.string, .uri], .blob([0x41])),
    value(
      "number a text", "wrong-storage-class", of: [.integer16, .integer32, .integer64, .boolean],
      "seven"),
    value("date a text", "wrong-storage-class", of: [.date], "2025-01-01"),
    value("binary a text", "wrong-storage-class", of: [.binary, .transformable], "bytes"),
    value("16 bits exceeded", "integer-out-of-range", of: [.integer16], 32_768),
    value("32 bits exceeded", "integer-out-of-range", of: [.integer32], -2_147_483_649),
    value("Boolean two", "invalid-boolean", of: [.boolean], 2),
    value("UUID short", "invalid-uuid", of: [.uuid], .blob([1, 2, 3])),
    RandomDamage("required value missing") { workshop in
      guard
        let (table, column, entity, attribute) = workshop.attribute(where: { !$0.isOptional }),
        let key = try workshop.row(of: table, where: workshop.has(entity))
      else { return nil }
      try workshop.set(column, to: .null, at: key, in: table)
      let code = attribute.defaultValue == nil ? "missing-value" : "missing-value-with-default"
      return Expectation(code: code, object: try workshop.object(key, in: table))
    },
    RandomDamage("unique value twice") { workshop in
      let entities = workshop.model.entities.filter {
        $0.uniquenessConstraints.contains { $0.count == 1 }
      }
      guard let entity = workshop.pick(entities), let table = workshop.table(of: entity.name),
        let name = entity.uniquenessConstraints.first(where: { $0.count == 1 })?.first,
        let column = table.columns.first(where: { column in
          if case .attribute([name], _, _, _) = column.role { true } else { false }
        })?.storedName,
        let first = try workshop.row(
          of: table, where: "\(workshop.has(entity.name)) AND \(column) IS NOT NULL"),
        let second = try workshop.row(
          of: table, where: "\(workshop.has(entity.name)) AND Z_PK <> \(first)")
      else { return nil }
      try workshop.dropUniqueIndexes(of: table)
      try workshop.database.run(
        """
        UPDATE \(table.tableName) SET \(column) = (SELECT \(column) FROM \(table.tableName) \
        WHERE Z_PK = \(first)) WHERE Z_PK = \(second)
        """)
      let later = max(first, second)
      return Expectation(
        code: "duplicate-unique-value", object: try workshop.object(later, in: table))
    },
  ]

  private static func value(
    _ name: String, _ code: String, of types: Set<AttributeType>, _ value: StoreValue
  ) -> RandomDamage {
    RandomDamage(name) { workshop in
      guard let (table, column, entity, _) = workshop.attribute(where: { types.contains($0.type) }),
        let key = try workshop.row(of: table, where: workshop.has(entity))
      else { return nil }
      try workshop.dropUniqueIndexes(of: table)
      try workshop.set(column, to: value, at: key, in: table)
      return Expectation(code: code, object: try workshop.object(key, in: table))
    }
  }
}

extension DamageWorkshop {
  /// An attribute with a column of its own that meets a condition: its table and column, the entity
  /// that declares it.
  mutating func attribute(
    where isFit: (AttributeDescription) -> Bool
  ) -> (EntityTable, String, Name, AttributeDescription)? {
    var found: [(EntityTable, String, Name, AttributeDescription)] = []
    for table in layout.entityTables {
      for column in table.columns {
        guard case .attribute(let path, _, _, let entity) = column.role, path.count == 1,
          let attribute = model[entity]?.attributes.first(where: { $0.name == path[0] }),
          attribute.derivation == nil, isFit(attribute)
        else { continue }
        found.append((table, column.storedName, entity, attribute))
      }
    }
    return pick(found)
  }
}
