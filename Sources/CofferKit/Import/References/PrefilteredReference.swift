/// What is seen of one column of references while rows pass: which keys it wants to be there.
///
/// Nothing is told of single rows. Where all is sound, as nearly always, that is enough; otherwise the
/// checks look for the rows.
struct PrefilteredReference {
  /// A column of a table.
  struct Place: Hashable {
    /// The folder of the table.
    var folder: ExactString
    /// The index of the column.
    var column: Int
  }

  /// Where a reference comes from and where it may lead.
  struct Column {
    /// The place of its value among those that a table watches.
    var slot: Int
    /// The place of the number of the destination's entity; nil where no column notes it.
    var entitySlot: Int?
    /// The folder of the table that it leads to.
    var targetFolder: String
    /// The entities of that table.
    var targetEntities: EntityRange
    /// Whether an object may have a value, by the index of its entity; nil where all holders may.
    var owners: [Bool]?
    /// Whether it may lead to an entity, by the entities' indexes.
    var allowed: [Bool]
    /// Whether objects of an entity have the property, by the entities' indexes; empty for pairs.
    var holders: [Bool] = []
    /// Whether there has to be a value.
    var isRequired = false
    /// The column of the target that leads back, where the relationship is one-to-one.
    var inverse: Place?
  }

  /// The column.
  let column: Column
  /// The sum of a number for each pair of a key and the key that it leads to, and with both exchanged.
  private(set) var sums: (there: UInt64, back: UInt64) = (0, 0)

  private let seed: UInt64
  private let budget: KeyBitmap.Budget
  /// The keys that are wanted, by the index of their entity where that is noted.
  private var wanted: ContiguousArray<KeyBitmap>
  private var isDoubtful = false

  /// - Parameters:
  ///   - column: the column.
  ///   - seed: what nobody knows beforehand.
  ///   - budget: the memory.
  init(_ column: Column, seed: UInt64, budget: KeyBitmap.Budget) {
    self.column = column
    self.seed = seed
    self.budget = budget
    let count = column.entitySlot == nil ? 1 : column.targetEntities.count
    wanted = ContiguousArray(repeating: KeyBitmap(), count: count)
  }

  /// Notes the reference of a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - entity: the index of its entity; nil for pairs.
  ///   - values: the values that the table watches.
  mutating func take(key: Int64, entity: Int?, _ values: PrefilteredValues) {
    guard !isDoubtful else { return }
    if let entity {
      if !column.holders[entity] { return }
      if let owners = column.owners, !owners[entity], values.states[column.slot] != .null {
        isDoubtful = true
        return
      }
    }
    isDoubtful = !note(key, values)
  }

  private mutating func note(_ key: Int64, _ values: PrefilteredValues) -> Bool {
    switch values.states[column.slot] {
    case .null:
      if let entitySlot = column.entitySlot, values.states[entitySlot] != .null { return false }
      return !column.isRequired
    case .other: return false
    case .integer: break
    }
    let destination = values.integers[column.slot]
    // No object has the key 0, even when a row has it.
    guard destination != 0 else { return false }
    if column.inverse != nil {
      sums.there &+= mixPair(key, destination)
      sums.back &+= mixPair(destination, key)
    }
    guard let entitySlot = column.entitySlot else {
      return wanted[0].insert(destination, budget)
    }
    guard values.states[entitySlot] == .integer,
      let index = column.targetEntities.index(of: values.integers[entitySlot]),
      column.allowed[index]
    else { return false }
    return wanted[index].insert(destination, budget)
  }

  /// Whether every reference leads to an object of an entity that is allowed, and of that which is noted,
  /// given the keys of the table that it leads to.
  func isSound(_ target: ObjectKeys) -> Bool {
    guard !isDoubtful, target.isComplete else { return false }
    if column.entitySlot == nil {
      let allowed = column.allowed.indices.filter { column.allowed[$0] }
      return wanted[0].isCovered(by: allowed.map { target.keys[$0] })
    }
    return wanted.indices.allSatisfy { wanted[$0].isCovered(by: [target.keys[$0]]) }
  }

  /// A number that nobody can choose for two keys in their order.
  private func mixPair(_ first: Int64, _ second: Int64) -> UInt64 {
    let value = Self.mixBits(seed ^ UInt64(bitPattern: first)) &+ UInt64(bitPattern: second)
    return Self.mixBits(Self.mixBits(value) ^ seed)
  }

  private static func mixBits(_ number: UInt64) -> UInt64 {
    var value = number
    value = (value ^ value >> 32) &* 0xd6e8_feb8_6659_fd93
    value = (value ^ value >> 29) &* 0x9e37_79b9_7f4a_7c15
    return value ^ value >> 32
  }
}
