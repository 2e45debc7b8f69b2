internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// The entity mappings that carry objects of an open store over, with the keys that the objects get.
struct MappedParts {
  /// An entity mapping.
  struct Part {
    /// The entity mapping, and what its expressions say.
    var read: MappedRule
    /// The entities of the old and the new model.
    var source: Name
    var destination: Name
    /// The number of the old entity in the store.
    var number: Int64
    var table: String
    /// The number that is added to a key.
    var offset: Int64 = 0
    /// The temporary table with the keys of the objects that the filter chooses; nil for all of them.
    var filter: String?

    var rule: MappingModel.Entity { read.rule }

    /// The condition for the rows of the table, as `t`.
    var condition: String {
      let own = "t.\(quotedIdentifier(StoredName.entityNumber)) = \(number)"
      guard let filter else { return own }
      return "\(own) AND t.\(quotedIdentifier(StoredName.primaryKey)) IN (SELECT k FROM \(filter))"
    }
  }

  /// The entity mappings, in their order.
  private(set) var all: [Part] = []
  /// The results of the fetches in their expressions.
  let fetches: MappedFetches
  /// The reasons why they cannot be carried out.
  let problems: [MappingProblem]

  /// Finds the tables, evaluates the filters and plans the keys.
  ///
  /// Objects keep their keys where they can: the first entity mapping from a hierarchy into another adds
  /// nothing. A mapping that could assign a key twice, because its objects join objects of another hierarchy or
  /// of the same entity, adds more than every earlier key.
  ///
  /// - Throws: ``CofferError``: `invalid-condition`, `no-such-property` for a filter; mapped from SQLite's
  ///   result code; `refused` for keys beyond the largest one.
  init(
    _ mapping: CustomMapping, _ store: PersistentStore, _ database: SQLiteDatabase,
    to new: ManagedObjectModel
  ) throws {
    fetches = try MappedFetches(mapping, store, database)
    let check = mapping.read(from: store.model, to: new, fetches)
    problems = check.problems
    var ends: [Name: Int64] = [:]
    var groups: [Name: Int64] = [:]
    var used: Set<Name> = []
    for (index, read) in check.rules.enumerated() {
      let rule = read.rule
      guard let source = rule.sourceName, let destination = rule.destinationName,
        let table = store.layout.entityTable(of: source),
        let number = store.layout.numbering.number(of: source),
        let root = new.root(of: destination)?.name
      else { continue }
      var part = Part(
        read: read, source: source, destination: destination, number: number,
        table: table.tableName)
      let group = Name("\(table.rootEntityName)\n\(root)")
      if used.insert(Name("\(source)\n\(root)")).inserted, let known = groups[group] {
        part.offset = known
      } else {
        let highest = try database.value(
          "SELECT max(\(StoredName.primaryKey)) FROM \(quotedIdentifier(table.tableName))")
        part.offset = ends[root] ?? 0
        let (end, isTooLarge) = part.offset.addingReportingOverflow(max(0, highest?.integer ?? 0))
        if isTooLarge {
          throw CofferError(
            .refused, path: store.path, item: "\(rule.name)", detail: "all primary keys are used")
        }
        ends[root] = end
        groups[group] = part.offset
      }
      part.filter = try Self.filter(rule, of: source, number: index, store, database)
      all.append(part)
    }
  }

  func named(_ names: [Name]) -> [Part] { all.filter { names.contains($0.rule.name) } }

  /// Writes the keys of the objects that a filter chooses to a temporary table.
  private static func filter(
    _ rule: MappingModel.Entity, of source: Name, number: Int, _ store: PersistentStore,
    _ database: SQLiteDatabase
  ) throws -> String? {
    guard let condition = MappedKeys.condition(rule.filter) else { return nil }
    let table = "temp.coffer_mapping_\(number)"
    _ = try MappedKeys.write(
      ObjectSelection(entityNames: [source], condition: condition), to: table, store, database)
    return table
  }

  // MARK: Counts

  /// The number of objects that no entity mapping carries over, by entity of the old model.
  func lost(_ store: PersistentStore, _ database: SQLiteDatabase) throws(CofferError) -> [(
    name: Name, count: Int64
  )] {
    var lost: [(Name, Int64)] = []
    for entity in store.model.entities {
      guard let table = store.layout.entityTable(of: entity.name),
        let number = store.layout.numbering.number(of: entity.name)
      else { continue }
      let taken = all.filter { $0.source == entity.name }.map { "(\($0.condition))" }
      let condition = taken.isEmpty ? "" : " AND NOT (\(taken.joined(separator: " OR ")))"
      let count = try database.value(
        "SELECT count(*) FROM \(quotedIdentifier(table.tableName)) AS t WHERE "
          + "t.\(quotedIdentifier(StoredName.entityNumber)) = \(number)\(condition)")
      if let count = count?.integer, count > 0 { lost.append((entity.name, count)) }
    }
    return lost
  }

  /// The number of objects that an entity mapping carries over.
  func count(_ part: Part, _ database: SQLiteDatabase) throws(CofferError) -> Int64 {
    try database.value(
      "SELECT count(*) FROM \(quotedIdentifier(part.table)) AS t WHERE \(part.condition)")?.integer
      ?? 0
  }
}
