internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport

/// What is wrong with the relationships of a store of ``RelationshipModel``, found the slow way: with
/// everything in dictionaries and the rules written out for this model.
struct RelationshipOracle {
  typealias Row = [String: StoreValue]

  /// The findings as texts, in no particular order.
  var findings: [String] = []
  private(set) var objects: [String: [Int64: Row]] = [:]
  private(set) var joined: [String: [Row]] = [:]

  /// Looks at a store.
  init(_ path: String) throws {
    let database = try GeneratorDatabase(path: path)
    func rows(_ table: String) throws -> [Row] {
      let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')").map {
        if case .text(let name) = $0[0] { String(decoding: name, as: UTF8.self) } else { "" }
      }
      return try database.rows("SELECT * FROM \(table)").map {
        Row(uniqueKeysWithValues: zip(columns, $0))
      }
    }
    for table in RelationshipModel.roots.keys {
      for row in try rows(table) {
        if let key = integer(row["Z_PK"]) { objects[table, default: [:]][key] = row }
      }
    }
    for pairs in RelationshipModel.pairs { joined[pairs.table] = try rows(pairs.table) }
    for reference in RelationshipModel.references { check(reference) }
    for (near, far) in RelationshipModel.oneToOne {
      check(RelationshipModel.references[near], RelationshipModel.references[far])
    }
    for (reference, column) in RelationshipModel.orders {
      checkOrder(RelationshipModel.references[reference], column)
    }
    for pairs in RelationshipModel.pairs { check(pairs) }
    checkCounts()
  }

  func integer(_ value: StoreValue?) -> Int64? {
    if case .integer(let number)? = value { number } else { nil }
  }

  func isNull(_ value: StoreValue?) -> Bool { (value ?? .null) == .null }

  /// The number of an object's entity; nil where it is unknown or there is no such object.
  func entity(_ table: String, _ key: Int64) -> Int64? {
    integer(objects[table]?[key]?["Z_ENT"]).flatMap {
      RelationshipModel.names[$0] == nil ? nil : $0
    }
  }

  func name(_ table: String, _ key: Int64, otherwise: String? = nil) -> String {
    let name = entity(table, key).flatMap { RelationshipModel.names[$0] }
    return "\(name ?? otherwise ?? RelationshipModel.roots[table] ?? "")/p\(key)"
  }

  func rows(_ table: String, of entities: Set<Int64>) -> [(Int64, Row)] {
    (objects[table] ?? [:]).filter { key, _ in entity(table, key).map(entities.contains) ?? false }
      .map { ($0.key, $0.value) }
  }

  // MARK: References

  private mutating func check(_ reference: RelationshipModel.Reference) {
    for (key, row) in rows(reference.table, of: reference.holders) {
      for code in defects(of: reference, key, row) {
        findings.append("error \(code) \(name(reference.table, key)).\(reference.property)")
      }
    }
  }

  private func defects(
    of reference: RelationshipModel.Reference, _ key: Int64, _ row: Row
  ) -> [String] {
    let noted = reference.entityColumn.flatMap { row[$0] } ?? .null
    guard let target = integer(row[reference.column]) else {
      if !isNull(row[reference.column]) { return ["invalid-reference"] }
      return noted == .null ? [] : ["wrong-destination-entity"]
    }
    var found: [String] = []
    if let owned = reference.owned, let own = entity(reference.table, key), !owned.contains(own) {
      found.append("wrong-destination")
    }
    if reference.entityColumn != nil, integer(noted) == nil {
      found.append("wrong-destination-entity")
    }
    guard target != 0, objects[reference.destination]?[target] != nil else {
      return found + ["dangling-relationship"]
    }
    guard let actual = entity(reference.destination, target) else { return found }
    if !reference.allowed.contains(actual) { found.append("wrong-destination") }
    if let number = integer(noted), number != actual { found.append("wrong-destination-entity") }
    return found
  }

  // MARK: One-to-one

  private mutating func check(
    _ near: RelationshipModel.Reference, _ far: RelationshipModel.Reference
  ) {
    var claims: [Int64: Int] = [:]
    for (key, row) in rows(near.table, of: near.holders) {
      guard let target = integer(row[near.column]), target != 0,
        let actual = entity(near.destination, target), near.allowed.contains(actual)
      else { continue }
      claims[target, default: 0] += 1
      let back = objects[far.table]?[target]?[far.column]
      let place = "\(name(near.table, key)).\(near.property)"
      if isNull(back) {
        findings.append("info inverse-missing \(place)")
      } else if integer(back) != key {
        findings.append("error inverse-mismatch \(place)")
      }
    }
    for (target, count) in claims where count > 1 {
      findings.append("error shared-destination \(name(far.table, target)).\(far.property)")
    }
  }

  // MARK: Pairs

  private mutating func check(_ pairs: RelationshipModel.Pairs) {
    for row in joined[pairs.table] ?? [] {
      let from = integer(row[pairs.source.column]) ?? 0
      let to = integer(row[pairs.destination.column]) ?? 0
      let place =
        "\(RelationshipModel.names[pairs.source.entity] ?? "")/p\(from).\(pairs.property)"
      let ends = [(pairs.source.table, from), (pairs.destination.table, to)]
      if ends.contains(where: { $1 == 0 || objects[$0]?[$1] == nil }) {
        findings.append("\(pairs.code) \(place)")
      }
      for ((table, key), allowed) in zip(ends, [pairs.source.allowed, pairs.destination.allowed]) {
        guard key != 0, let actual = entity(table, key), !allowed.contains(actual) else {
          continue
        }
        findings.append("error wrong-destination \(place)")
      }
    }
    guard let orders = pairs.orders else { return }
    checkOrder(pairs, orders.destination, ofDestinations: true)
    checkOrder(pairs, orders.source, ofDestinations: false)
  }
}
