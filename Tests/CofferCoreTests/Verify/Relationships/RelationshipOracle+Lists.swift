internal import CoreDataModel
internal import StoreGenerator

/// Positions in ordered relationships, and the numbers of destinations.
extension RelationshipOracle {
  // MARK: Positions

  mutating func checkOrder(_ reference: RelationshipModel.Reference, _ column: String) {
    var positions: [[Int64]: [Int64]] = [:]
    let members = reference.owned ?? reference.holders
    for (key, row) in rows(reference.table, of: members) {
      let place = "\(name(reference.table, key)).\(reference.property)"
      if isNull(row[reference.column]) {
        if !isNull(row[column]) { findings.append("error surplus-order-key \(place)") }
      } else if let position = integer(row[column]) {
        if let owner = integer(row[reference.column]) {
          positions[[owner, position], default: []].append(key)
        }
      } else {
        let code = isNull(row[column]) ? "missing" : "invalid"
        findings.append("error \(code)-order-key \(place)")
      }
    }
    for keys in positions.values {
      for key in keys.sorted().dropFirst() {
        findings.append(
          "error duplicate-order-key \(name(reference.table, key)).\(reference.property)")
      }
    }
  }

  mutating func checkOrder(
    _ pairs: RelationshipModel.Pairs, _ column: String, ofDestinations: Bool
  ) {
    let member = ofDestinations ? pairs.destination : pairs.source
    let owner = ofDestinations ? pairs.source : pairs.destination
    let property = ofDestinations ? pairs.inverse : pairs.property
    let entity = RelationshipModel.names[member.entity]
    var positions: [[Int64]: [Int64]] = [:]
    for row in joined[pairs.table] ?? [] {
      guard let key = integer(row[member.column]), let list = integer(row[owner.column]) else {
        continue
      }
      if let position = integer(row[column]) {
        positions[[list, position], default: []].append(key)
      } else {
        let code = isNull(row[column]) ? "missing" : "invalid"
        let place = "\(name(member.table, key, otherwise: entity)).\(property)"
        findings.append("error \(code)-order-key \(place)")
      }
    }
    for keys in positions.values {
      for key in keys.sorted().dropFirst() {
        let place = "\(name(member.table, key, otherwise: entity)).\(property)"
        findings.append("error duplicate-order-key \(place)")
      }
    }
  }

  // MARK: Counts

  /// The destinations of each owner, from pairs of an owner and a destination.
  private func counts(_ links: [(Int64?, Int64?)]) -> [Int64: Set<Int64>] {
    var found: [Int64: Set<Int64>] = [:]
    for case (let owner?, let destination?) in links {
      found[owner, default: []].insert(destination)
    }
    return found
  }

  mutating func checkCounts() {
    let (objects, joined) = (objects, joined)
    func column(_ table: String, _ entities: Set<Int64>, _ column: String) -> [(Int64?, Int64?)] {
      rows(table, of: entities).map { (integer($0.1[column]), $0.0) }
    }
    func links(_ table: String, _ owner: String, _ destination: String) -> [(Int64?, Int64?)] {
      (joined[table] ?? []).map { (integer($0[owner]), integer($0[destination])) }
    }
    var betas = counts(column("ZBASE", [3, 4], "ZBOX"))
    for key in (objects["ZBOX"] ?? [:]).keys { betas[key, default: []].formUnion([]) }
    let stamps = counts(column("ZSTAMP", [8], "Z5STAMPS"))
    let labels = counts(links("Z_3LABELS", "Z_3BETAS", "Z_6LABELS"))
    let labelled = counts(links("Z_3LABELS", "Z_6LABELS", "Z_3BETAS"))
    let peers = counts(
      links("Z_1PEERS", "Z_1PEERS", "REFLEXIVE") + links("Z_1PEERS", "REFLEXIVE", "Z_1PEERS"))
    limit(betas, "ZBOX", [5], "betas", 1...3)
    limit(stamps, "ZBOX", [5], "stamps", 0...2)
    limit(labels, "ZBASE", [3, 4], "labels", 2...1000)
    limit(labelled, "ZLABEL", [6], "betas", 0...2)
    limit(peers, "ZBASE", [1, 2, 3, 4], "peers", 0...3)
  }

  private mutating func limit(
    _ counts: [Int64: Set<Int64>], _ table: String, _ owners: Set<Int64>, _ property: Name,
    _ allowed: ClosedRange<Int>
  ) {
    for (owner, destinations) in counts {
      guard let actual = entity(table, owner), owners.contains(actual) else { continue }
      let place = "\(name(table, owner)).\(property)"
      if destinations.count < allowed.lowerBound {
        findings.append("error too-few-destinations \(place)")
      } else if destinations.count > allowed.upperBound {
        findings.append("error too-many-destinations \(place)")
      }
    }
  }
}
