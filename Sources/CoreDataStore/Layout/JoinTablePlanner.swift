package import CoreDataModel

/// Finds the table of each relationship that is to-many on both sides.
///
/// The naming side cannot be derived for all models, so the tables decide (store-format, section
/// 5.5). There are three searches, each for what the previous ones left open: the name by the rule;
/// the same with a numeric suffix for duplicate names; any entity numbers. A table is accepted if
/// it fits exactly one relationship and no other table fits that one.
struct JoinTablePlanner {
  private let catalog: SchemaCatalog
  private var claimed: Set<SchemaName>
  private var open: [JoinPair] = []

  private(set) var tables: [JoinTable] = []
  private(set) var missing: [MissingPart] = []

  /// Plans the tables, except those in `claimed`, which contain objects.
  init(
    model: ManagedObjectModel, numbering: EntityNumbering, catalog: SchemaCatalog,
    claimed: Set<SchemaName>
  ) {
    self.catalog = catalog
    self.claimed = claimed
    let pairs = JoinPairs(model: model, numbering: numbering)
    open = pairs.pairs
    missing = pairs.missing
    // Only a damaged model has one relationship in several pairs.
    let order = Dictionary(
      open.enumerated().map { ($0.element.first.reference, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    takeByName()
    takeBySearch(exactNumbers: true)
    takeBySearch(exactNumbers: false)
    for pair in open {
      let number = pair.first.number
      missing.append(
        MissingPart(
          kind: .joinTable, entity: pair.first.reference.entity,
          property: pair.first.reference.property,
          expectedName: number.map { "Z_\($0)\(pair.first.upperName)" } ?? ""))
    }
    let position = { (table: JoinTable) in order[table.source] ?? order[table.destination] ?? 0 }
    tables.sort { position($0) < position($1) }
  }

  // MARK: Searches

  private mutating func takeByName() {
    var found: [(pair: JoinPair, match: JoinMatch)] = []
    var wanted: [SchemaName: Int] = [:]
    for pair in open {
      let matches = pair.namings.compactMap { naming -> JoinMatch? in
        guard let number = naming.first.number,
          let table = usableTable("Z_\(number)\(naming.first.upperName)")
        else { return nil }
        return JoinMatch(naming, table, exactNumbers: true)
      }
      for match in matches { wanted[match.key, default: 0] += 1 }
      // Both names. By the rule it is the first, but the rule does not apply within one entity.
      guard let match = matches.first,
        matches.count == 1 || pair.first.reference.entity != pair.second.reference.entity
      else { continue }
      found.append((pair, match))
    }
    for (pair, match) in found where wanted[match.key] == 1 { take(match, for: pair) }
  }

  private mutating func takeBySearch(exactNumbers: Bool) {
    guard !open.isEmpty else { return }
    let candidates = tablesByRelationshipName()
    while true {
      var matches: [(pair: JoinPair, matches: [JoinMatch])] = []
      var wanted: [SchemaName: Int] = [:]
      for pair in open {
        let names = Set(pair.namings.map { JoinPair.core($0.first.upperName) })
        let found = names.flatMap { candidates[$0] ?? [] }
          .filter { !claimed.contains(SchemaName($0.name)) }
          .compactMap { JoinMatch.best(pair, $0, exactNumbers: exactNumbers) }
        for match in found { wanted[match.key, default: 0] += 1 }
        matches.append((pair, found))
      }
      var progress = false
      for (pair, found) in matches where found.count == 1 {
        guard let match = found.first, wanted[match.key] == 1 else { continue }
        take(match, for: pair)
        progress = true
      }
      guard progress else { return }
    }
  }

  private func usableTable(_ name: String) -> SchemaTable? {
    guard let table = catalog.table(name), table.kind == .ordinary,
      !claimed.contains(SchemaName(table.name))
    else { return nil }
    return table
  }

  /// The tables that may be join tables, by the name that follows the number.
  private func tablesByRelationshipName() -> [SchemaName: [SchemaTable]] {
    var found: [SchemaName: [SchemaTable]] = [:]
    for table in catalog.tables
    where table.kind == .ordinary && !claimed.contains(SchemaName(table.name)) {
      guard let numbered = NumberedName(table.name, prefix: "Z_") else { continue }
      found[JoinPair.core(numbered.rest), default: []].append(table)
    }
    return found
  }

  // MARK: Result

  private mutating func take(_ match: JoinMatch, for pair: JoinPair) {
    claimed.insert(match.key)
    open.removeAll { $0.references == pair.references }
    let (table, lacking) = match.joinTable()
    tables.append(table)
    missing += lacking
  }
}

/// The table of a relationship that is to-many on both sides: a row for each pair of objects.
///
/// Source: store-format, section 5.5.
package struct JoinTable: Sendable, Equatable {
  /// The name of the table.
  package var tableName: String
  /// The relationship that the table is named after.
  package var source: PropertyReference
  /// The column with the primary keys of the objects of the source's entity.
  package var sourceColumn: String
  /// The inverse of the source; the source itself for a relationship that is its own inverse.
  package var destination: PropertyReference
  /// The column with the primary keys of the source's destinations.
  package var destinationColumn: String
  /// The column with the position of the destination in the source, if ordered.
  package var orderColumn: String?
  /// The column with the position of the source in the destination, if ordered.
  package var inverseOrderColumn: String?
  /// The columns that the model does not explain, in declared order.
  package var unknownColumns: [String]

  /// Whether the relationship is its own inverse.
  package var isReflexive: Bool { source == destination }
}
