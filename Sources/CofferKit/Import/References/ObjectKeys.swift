/// The numbers of the entities that a table's objects may be of, which stand together in real stores.
struct EntityRange {
  private static let greatestSpan: Int64 = 4096

  private let first: Int64
  /// How many numbers there are from the least to the greatest.
  let count: Int

  /// The range of some numbers; nil where they are none, or too far apart.
  init?(_ numbers: [Int64]) {
    guard let first = numbers.min(), let last = numbers.max(), first > 0,
      last - first < Self.greatestSpan
    else { return nil }
    self.first = first
    count = Int(last - first) + 1
  }

  /// The index of an entity's number; nil for one that is not of this table.
  func index(of entity: Int64) -> Int? {
    let (index, isWide) = entity.subtractingReportingOverflow(first)
    return isWide || index < 0 || index >= Int64(count) ? nil : Int(index)
  }

  /// Which entities are among some, by their indexes.
  func flags(_ entities: [Int64]) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for entity in entities {
      if let index = index(of: entity) { flags[index] = true }
    }
    return flags
  }
}

/// The primary keys of a table's objects, by their entities.
struct ObjectKeys {
  /// The entities.
  let entities: EntityRange
  /// Whether all rows that passed are noted; otherwise nothing can be told.
  private(set) var isComplete = true
  /// The keys of the objects of each entity, by its index.
  private(set) var keys: ContiguousArray<KeyBitmap>

  private let budget: KeyBitmap.Budget

  init(_ entities: EntityRange, _ budget: KeyBitmap.Budget) {
    self.entities = entities
    self.budget = budget
    keys = ContiguousArray(repeating: KeyBitmap(), count: entities.count)
  }

  /// Notes an object; one that cannot be noted makes all of it unknown.
  ///
  /// - Parameters:
  ///   - key: the primary key; nil where it is no integer.
  ///   - entity: the number of the entity; nil where it is no integer.
  /// - Returns: the index of the entity; nil where the object cannot be noted.
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
