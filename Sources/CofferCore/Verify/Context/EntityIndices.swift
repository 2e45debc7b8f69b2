internal import CoreDataLayout
internal import CoreDataModel

/// The entities of a store as consecutive small numbers, in the order of the store's numbers.
///
/// Key directories store them for each object.
package struct EntityIndices {
  static let unknown = UInt16.max

  private let names: [Name]
  private let numbers: [Int64]
  private let direct: [UInt16]
  private let others: [Int64: UInt16]

  /// Numbers the entities.
  ///
  /// Those beyond 65,535 are unknown.
  init(_ entities: NumberedEntities) {
    let known = entities.entities.prefix(Int(Self.unknown))
    names = known.map(\.name)
    numbers = known.map(\.number)
    var direct: [UInt16] = []
    var others: [Int64: UInt16] = [:]
    for (index, number) in numbers.enumerated() {
      guard (0..<4096).contains(number) else {
        others[number] = UInt16(clamping: index)
        continue
      }
      while direct.count <= Int(number) { direct.append(Self.unknown) }
      direct[Int(number)] = UInt16(clamping: index)
    }
    self.direct = direct
    self.others = others
  }

  /// The number of entities.
  package var count: Int { names.count }

  /// The index of an entity number; ``unknown`` if no entity has it.
  package func index(of number: Int64) -> UInt16 {
    if number >= 0, number < direct.count { return direct[Int(number)] }
    return others[number] ?? Self.unknown
  }

  /// The name of an entity; nil if unknown.
  package func name(_ index: UInt16) -> Name? {
    Int(index) < names.count ? names[Int(index)] : nil
  }

  /// The number of an entity; nil if unknown.
  func number(_ index: UInt16) -> Int64? {
    Int(index) < numbers.count ? numbers[Int(index)] : nil
  }
}

/// A set of entities with a fast lookup for every row.
package struct EntitySet {
  private var members: [Bool]

  /// Creates the set of an entity and its subentities; empty if the model has no such entity.
  init(treeOf entity: Name, _ model: ManagedObjectModel, _ indices: EntityIndices) {
    let names = Set(model.tree(of: entity).map(\.name))
    members = (0..<indices.count).map { position in
      indices.name(UInt16(clamping: position)).map(names.contains) ?? false
    }
  }

  /// All other known entities.
  package var inverted: EntitySet {
    var set = self
    set.members = members.map { !$0 }
    return set
  }

  /// Whether the set contains an entity; false for an unknown one.
  package func contains(_ index: UInt16) -> Bool {
    Int(index) < members.count && members[Int(index)]
  }
}
