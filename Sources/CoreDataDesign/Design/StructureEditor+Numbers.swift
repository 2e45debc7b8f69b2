package import CoreDataModel
internal import CoreDataStore

/// The rows of Z_PRIMARYKEY that entities lack.
extension StructureEditor {
  /// Gives an entity its number in the store, or corrects the name of its number.
  ///
  /// The counter of a root entity becomes the highest key of its table.
  ///
  /// - Returns: the number; nil if nothing was wrong.
  /// - Throws: ``CofferError``: `refused` if the number of the entity's objects cannot be
  ///   determined; otherwise mapped from SQLite's result code.
  package func addNumber(of entity: Name) throws(CofferError) -> Int64? {
    let numbering = store.layout.numbering
    if let number = numbering.number(of: entity) {
      guard numbering.matches[entity] == .computedNumber else { return nil }
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_NAME = ?2 WHERE Z_ENT = ?1",
        [.integer(number), .string(entity.text)])
      try planAgain()
      return number
    }
    guard let description = store.model[entity] else { throw refusal("its entity is not known") }
    var above: Int64 = 0
    var highest: Int64 = 0
    if let superentity = description.superentityName {
      _ = try addNumber(of: superentity)
      above = store.layout.numbering.number(of: superentity) ?? 0
    } else if let table = store.layout.entityTable(of: entity) {
      highest =
        try database.value("SELECT max(Z_PK) FROM \(quotedIdentifier(table.tableName))")?.integer
        ?? 0
    }
    let number = try lostNumber(of: entity)
    try database.run(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
      [.integer(number), .string(entity.text), .integer(above), .integer(highest)])
    try planAgain()
    return number
  }

  /// The number that an entity had: the number that only its objects can have, or the number by the rule, if the
  /// rule gives the other entities their numbers.
  private func lostNumber(of entity: Name) throws(CofferError) -> Int64 {
    let (model, numbering) = (store.model, store.layout.numbering)
    let tree = model.root(of: entity).map { model.tree(of: $0.name) } ?? []
    let open = tree.filter { numbering.number(of: $0.name) == nil && !$0.isAbstract }
    let unknown = try unknownNumbers(in: entity)
    if unknown.count == 1, open.count == 1, open[0].name == entity {
      return unknown[0]
    }
    let rule = EntityNumbering.computedNumbers(of: model)
    guard let number = rule[entity], store.registry.row(number) == nil,
      numbering.numbers.allSatisfy({ rule[$0.key] == $0.value }),
      unknown.allSatisfy({ found in open.contains { rule[$0.name] == found } })
    else { throw refusal("the number of its objects cannot be determined") }
    return number
  }

  /// The numbers of objects in the table of an entity's tree that no entity has.
  private func unknownNumbers(in entity: Name) throws(CofferError) -> [Int64] {
    guard let table = store.layout.entityTable(of: entity) else { return [] }
    let rows = try database.rows(
      "SELECT DISTINCT Z_ENT FROM \(quotedIdentifier(table.tableName)) WHERE typeof(Z_ENT) = "
        + "'integer' AND Z_ENT NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY) AND Z_ENT > 0 AND Z_ENT < ? "
        + "LIMIT 1000", [.integer(EntityRegistry.firstSystemNumber)])
    return rows.compactMap { $0[0].integer }
  }
}
