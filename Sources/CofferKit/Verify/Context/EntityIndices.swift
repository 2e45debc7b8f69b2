internal import CoreDataLayout
internal import CoreDataModel

/// The entities of a store as small numbers without gaps, in ascending order of the store's numbers:
/// what the directories of keys keep of each object.
struct EntityIndices {
  /// Stands for an entity that nothing explains.
  static let unknown = UInt16.max

  private let names: [String]
  private let numbers: [Int64]
  private let direct: [UInt16]
  private let others: [Int64: UInt16]

  /// Numbers the entities; beyond 65,535 all are unknown.
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

  /// How many entities there are.
  var count: Int { names.count }

  /// The index of a number; ``unknown`` where no entity has it.
  func index(of number: Int64) -> UInt16 {
    if number >= 0, number < direct.count { return direct[Int(number)] }
    return others[number] ?? Self.unknown
  }

  /// The name of an entity; nil where it is unknown.
  func name(_ index: UInt16) -> String? {
    Int(index) < names.count ? names[Int(index)] : nil
  }

  /// The number of an entity; nil where it is unknown.
  func number(_ index: UInt16) -> Int64? {
    Int(index) < numbers.count ? numbers[Int(index)] : nil
  }
}

/// A set of entities that is asked for every row.
struct EntitySet {
  private var members: [Bool]

  /// Gathers an entity and all entities below it; empty where the model has no such entity.
  init(treeOf entity: String, _ model: ManagedObjectModel, _ indices: EntityIndices) {
    let names = model.tree(of: entity).map(\.name).exactStrings
    members = (0..<indices.count).map { position in
      indices.name(UInt16(clamping: position)).map(names.contains) ?? false
    }
  }

  /// Whether an entity is in it; false for an unknown one.
  func contains(_ index: UInt16) -> Bool { Int(index) < members.count && members[Int(index)] }
}
