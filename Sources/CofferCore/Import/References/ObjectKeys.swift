/// The entity numbers of a table's objects, which are contiguous in real stores.
struct EntityRange {
  private static let maxSpan: Int64 = 4096

  private let first: Int64
  /// The number of integers from the lowest to the highest.
  let count: Int

  /// Creates the range of some numbers; nil if there are none or their span is too large.
  init?(_ numbers: [Int64]) {
    guard let first = numbers.min(), let last = numbers.max(), first > 0,
      last - first < Self.maxSpan
    else { return nil }
    self.first = first
    count = Int(last - first) + 1
  }

  /// The index of an entity number; nil if it does not belong to this table.
  func index(of entity: Int64) -> Int? {
    let (index, isWide) = entity.subtractingReportingOverflow(first)
    return isWide || index < 0 || index >= Int64(count) ? nil : Int(index)
  }

  /// A flag for each index: whether its entity is in a list.
  func flags(_ entities: [Int64]) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for entity in entities {
      if let index = index(of: entity) { flags[index] = true }
    }
    return flags
  }
}

/// The primary keys of a table's objects, by entity.
struct ObjectKeys {
  let entities: EntityRange
  /// Whether all rows are recorded.
  ///
  /// If not, the sets prove nothing.
  private(set) var isComplete = true
  /// The keys of the objects of each entity, by index.
  private(set) var keys: ContiguousArray<KeyBitmap>

  private let budget: KeyBitmap.Budget

  init(_ entities: EntityRange, _ budget: KeyBitmap.Budget) {
    self.entities = entities
    self.budget = budget
    keys = ContiguousArray(repeating: KeyBitmap(), count: entities.count)
  }

  /// Records an object.
  ///
  /// If one cannot be recorded, ``isComplete`` becomes false.
  ///
  /// - Parameters:
  ///   - key: the primary key; nil if it is not an integer.
  ///   - entity: the entity number; nil if it is not an integer.
  /// - Returns: the index of the entity; nil if the object cannot be recorded.
  mutating func insert(_ key: Int64?, _ entity: Int64?) -> Int? {
    guard isComplete, let key, let entity, let index = entities.index(of: entity),
      keys[index].insert(key, budget)
    else {
      isComplete = false
      return nil
    }
    return index
  }
}
