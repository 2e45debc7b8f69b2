/// What is known about one column of references from the rows so far: the keys that it refers to.
///
/// It says nothing about single rows. If all references are sound, as they nearly always are, that
/// is enough. Otherwise the checks find the rows.
struct PrefilteredReference {
  /// A column of a table.
  struct Place: Hashable {
    /// The folder of the table.
    var folder: Name
    /// The index of the column.
    var column: Int
  }

  /// The source and the allowed destinations of a reference.
  struct Column {
    /// The slot of its value among the recorded values.
    var slot: Int
    /// The slot of the destination's entity number; nil if no column stores it.
    var entitySlot: Int?
    /// The folder of the destination's table.
    var targetFolder: String
    /// The entities of that table.
    var targetEntities: EntityRange
    /// Whether an object may have a value, by the index of its entity; nil if all holders may.
    var owners: [Bool]?
    /// Whether an entity is an allowed destination, by index.
    var allowed: [Bool]
    /// Whether objects of an entity have the property, by index; empty for pairs.
    var holders: [Bool] = []
    /// Whether a value is required.
    var isRequired = false
    /// The column of the inverse if the relationship is one-to-one.
    var inverse: Place?
  }

  let column: Column
  /// The sum of a hash of each pair of keys, and the sum of the hashes of the reversed pairs.
  private(set) var sums: (there: UInt64, back: UInt64) = (0, 0)

  private let seed: UInt64
  private let budget: KeyBitmap.Budget
  /// The keys referred to, by the index of their entity if that is stored.
  private var wanted: ContiguousArray<KeyBitmap>
  private var isDoubtful = false

  /// - Parameters:
  ///   - column: the column.
  ///   - seed: an unpredictable number.
  ///   - budget: the memory.
  init(_ column: Column, seed: UInt64, budget: KeyBitmap.Budget) {
    self.column = column
    self.seed = seed
    self.budget = budget
    let count = column.entitySlot == nil ? 1 : column.targetEntities.count
    wanted = ContiguousArray(repeating: KeyBitmap(), count: count)
  }

  /// Records the reference of a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - entity: the index of its entity; nil for pairs.
  ///   - values: the recorded values of the row.
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
    // No object has the key 0, even if a row has it.
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

  /// Whether every reference leads to an existing object of an allowed entity, and of the stored
  /// entity, given the keys of the destination's table.
  func isSound(_ target: ObjectKeys) -> Bool {
    guard !isDoubtful, target.isComplete else { return false }
    if column.entitySlot == nil {
      let allowed = column.allowed.indices.filter { column.allowed[$0] }
      return wanted[0].isCovered(by: allowed.map { target.keys[$0] })
    }
    return wanted.indices.allSatisfy { wanted[$0].isCovered(by: [target.keys[$0]]) }
  }

  /// An unpredictable hash of an ordered pair of keys.
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
