package import CoreDataModel

/// Compares the numbers of a store's entities with the numbers that the rule gives.
///
/// The rule is depth first, siblings by name, ignoring case. How underscores and digits compare
/// with letters is not known (store-format, section 2.1), so every sensible order is accepted.
/// Names with other signs, and entities under an older name, are not checked.
package struct EntityOrderAudit {
  /// An entity with another number than the rule gives it.
  package struct Misplacement: Sendable, Equatable {
    /// The name of the entity.
    package var entity: Name
    /// Its number in the store.
    package var number: Int64
    /// The number by the rule.
    package var expected: Int64
  }

  /// The smallest set of entities that explains why the numbers break the rule, in the rule's order.
  package let misplacements: [Misplacement]

  /// Compares the numbers of a model's entities.
  package init(_ numbering: EntityNumbering, _ model: ManagedObjectModel) {
    guard model.entities.allSatisfy({ $0.name.utf8.allSatisfy { $0 < 0x80 } }) else {
      misplacements = []
      return
    }
    var best: (order: [Name], misplaced: [Misplacement])?
    for way in SiblingOrder.all {
      let order = way.order(of: model)
      let misplaced = Self.outOfOrder(order, numbering)
      if best.map({ misplaced.count < $0.misplaced.count }) ?? true { best = (order, misplaced) }
      if misplaced.isEmpty { break }
    }
    guard let best else {
      misplacements = []
      return
    }
    // Entities in the wrong order or without a number leave gaps.
    let explainsGaps = !best.misplaced.isEmpty || !numbering.unmatchedEntityNames.isEmpty
    misplacements = explainsGaps ? best.misplaced : Self.behindGaps(best.order, numbering)
  }

  /// The entities that explain why the numbers do not ascend: the entities without which the others
  /// ascend, or, if these are not more, all entities with a number that the rule does not give them,
  /// as after two have changed places.
  private static func outOfOrder(_ order: [Name], _ numbering: EntityNumbering) -> [Misplacement] {
    let numbered = misplacements(order, numbering)
      .filter { numbering.matches[$0.entity] == .name }
    let kept = Set(numbered.map(\.number).longestAscent)
    if kept.count == numbered.count { return [] }
    let displaced = numbered.filter { $0.number != $0.expected }
    if displaced.count <= numbered.count - kept.count { return displaced }
    return numbered.indices.filter { !kept.contains($0) }.map { numbered[$0] }
  }

  /// The entities before whose numbers others are left out.
  private static func behindGaps(_ order: [Name], _ numbering: EntityNumbering) -> [Misplacement] {
    let taken = Set(numbering.names.keys).union(numbering.unmatchedRows.map(\.number))
    return misplacements(order, numbering)
      .filter { $0.number != 1 && !taken.contains($0.number &- 1) }
  }

  private static func misplacements(
    _ order: [Name], _ numbering: EntityNumbering
  ) -> [Misplacement] {
    zip(order, Int64(1)...).compactMap { name, expected in
      numbering.number(of: name).map {
        Misplacement(entity: name, number: $0, expected: expected)
      }
    }
  }
}

/// One way to order the names of siblings that differ in underscores or digits.
struct SiblingOrder {
  let underscore: UInt32
  /// Whether digits count as the number that they make.
  let isNumeric: Bool

  static let all = [false, true].flatMap { isNumeric in
    [UInt32(0x5f), 0x7b, 1].map { SiblingOrder(underscore: $0, isNumeric: isNumeric) }
  }

  /// The names of all entities in the order of their numbers.
  func order(of model: ManagedObjectModel) -> [Name] {
    var ordered: [Name] = []
    var seen: Set<Name> = []
    var open = Array(sorted(model.rootEntities.map(\.name)).reversed())
    while let name = open.popLast() {
      guard seen.insert(name).inserted else { continue }
      ordered.append(name)
      open += sorted(model.subentityNames(of: name)).reversed()
    }
    return ordered
  }

  private func sorted(_ names: [Name]) -> [Name] {
    names.map { (name: $0, key: key($0)) }.sorted { left, right in
      left.key == right.key
        ? left.name < right.name
        : left.key.lexicographicallyPrecedes(right.key)
    }.map(\.name)
  }

  /// The compared form of a name.
  private func key(_ name: Name) -> [UInt32] {
    var key: [UInt32] = []
    var number: UInt32?
    for byte in name.utf8 {
      if isNumeric, (0x30...0x39).contains(byte) {
        if number == nil { key.append(0x30) }
        number = (number ?? 0) &* 10 &+ UInt32(byte - 0x30)
        continue
      }
      if let value = number { key.append(value) }
      number = nil
      key.append(
        byte == 0x5f ? underscore : UInt32((0x41...0x5a).contains(byte) ? byte | 0x20 : byte))
    }
    if let value = number { key.append(value) }
    return key
  }
}
