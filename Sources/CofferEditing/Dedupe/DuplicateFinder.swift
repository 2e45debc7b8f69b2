internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// Finds duplicate objects in a source: objects of the same entity with the same key.
struct DuplicateFinder<Source: RowSource> {
  private let source: Source
  private let plan: MatchingPlan
  private let temporaryFolder: String?
  private static var sorterMemory: Int { 4 << 20 }

  /// Chooses the keys of each entity's objects.
  ///
  /// Other entities than those of the keys use their uniqueness constraints.
  ///
  /// - Throws: ``CofferError``: `no-such-entity` or `no-such-property` for a key that cannot be used,
  ///   `nothing-chosen` if no entity has a key.
  init(_ source: Source, naturalKeys: [NaturalKey], temporaryFolder: String?) throws(CofferError) {
    self.source = source
    self.temporaryFolder = temporaryFolder
    plan = try MatchingPlan(source, source, naturalKeys: naturalKeys, isSameStore: false)
    if plan.groups.isEmpty {
      throw CofferError(
        .nothingChosen, path: source.path,
        detail:
          "no entity has a uniqueness constraint, so duplicates cannot be recognized",
        advice: .chooseKey)
    }
  }

  /// Finds the groups of more than one object.
  ///
  /// - Returns: the groups, and the facts about each entity; entities without a key have the rule
  ///   ``MatchingRule/objectID``.
  func find(
    step: (Int) throws -> Void
  ) throws -> (groups: DuplicateGroups, entities: [EntityDuplicates]) {
    var entities = plan.entities.map { entity in
      EntityDuplicates(
        entityName: entity.name,
        rule: plan.rules.first { $0.entityName == entity.name }?.rule ?? .objectID)
    }
    let tuples = makeSorter()
    var readCount = 0
    for (table, tablePlan) in plan.tables[0].enumerated() {
      guard let tablePlan else { continue }
      let reader = ObjectTuples(source, table: table, tablePlan, makeSorter: makeSorter)
      var last = 0
      try reader.read { entity, key, tuple in
        switch tuple {
        case .primaryKey: return
        case .incomplete: entities[entity].add(incomplete: key)
        case .complete(let high, let low):
          try tuples.append(
            SortRecord(
              topic: UInt32(clamping: plan.entities[entity].group ?? 0),
              rank: UInt32(truncatingIfNeeded: low), key: Int64(bitPattern: high),
              first: Int64(entity) << 32 | Int64(table), second: key))
        }
        entities[entity].objectCount += 1
      } step: {
        try step(readCount + $0)
        last = $0
      }
      readCount += last
    }
    let groups = try groups(of: tuples, &entities)
    return (groups, entities)
  }

  private func makeSorter() -> RecordSorter {
    RecordSorter(memory: Self.sorterMemory, temporaryFolder: temporaryFolder)
  }

  /// Sorts out the objects whose key another object of the same entity has.
  private func groups(
    of tuples: RecordSorter, _ entities: inout [EntityDuplicates]
  ) throws -> DuplicateGroups {
    let names = source.shapes.map(\.storedName)
    var columns: [[Int]: [Int]] = [:]
    for (table, plans) in plan.tables[0].enumerated() {
      for plan in plans?.entities.values.map(\.self) ?? [] {
        columns[[table, plan.entity]] = plan.paths.filter(\.hops.isEmpty).map(\.column)
      }
    }
    let kinds = { [columns] (record: SortRecord) in
      let (table, entity) = (Int(record.topic), Int(record.rank))
      return DuplicateGroups.Kind(
        entity: entity, tableName: names[table], columns: columns[[table, entity]] ?? [])
    }
    var groups = DuplicateGroups(makeSorter(), kinds)
    var number: Int64 = 0
    /// The first record of the current key, and the last one.
    var first: SortRecord?
    var last: SortRecord?
    /// Whether the last record is in a group, and whether several entities have the current key.
    var isGrouped = false
    var isShared = false
    var count = 0
    try tuples.forEach { record in
      count &+= 1
      if count & 0xffff == 0 { try Task<Never, Never>.checkCancellation() }
      let isSameKey = first.map {
        $0.topic == record.topic && $0.key == record.key && $0.rank == record.rank
      }
      if isSameKey != true { (first, isShared) = (record, false) }
      defer { last = record }
      guard isSameKey == true, let before = last else {
        isGrouped = false
        return
      }
      if before.first == record.first {
        if !isGrouped {
          number += 1
          try groups.add(before, group: number)
          isGrouped = true
        }
        try groups.add(record, group: number)
      } else {
        // Objects of different entities are never the same, even if they share a table.
        isGrouped = false
        if !isShared { entities[Int(before.first >> 32)].sharedCount += 1 }
        entities[Int(record.first >> 32)].sharedCount += 1
        isShared = true
      }
    }
    return groups
  }
}

/// Objects with the same key, group after group, in memory or a temporary file.
struct DuplicateGroups {
  /// The common facts about the objects of a group.
  struct Kind {
    var entity: Int
    var tableName: String
    /// The columns of the key in that table; none for properties behind relationships.
    var columns: [Int]
  }

  private let records: RecordSorter
  private let makeKind: (SortRecord) -> Kind
  /// Whether there are no duplicates.
  private(set) var isEmpty = true

  init(_ records: RecordSorter, _ makeKind: @escaping (SortRecord) -> Kind) {
    self.records = records
    self.makeKind = makeKind
  }

  mutating func add(_ record: SortRecord, group: Int64) throws(CofferError) {
    isEmpty = false
    try records.append(
      SortRecord(
        topic: UInt32(truncatingIfNeeded: record.first), rank: UInt32(record.first >> 32),
        key: group, first: record.second, second: 0))
  }

  /// Passes on the groups, with the primary keys in ascending order.
  func forEach(_ receive: (_ keys: [Int64], _ kind: Kind) throws -> Void) throws {
    var current: SortRecord?
    var keys: [Int64] = []
    func finish() throws {
      if let current { try receive(keys, makeKind(current)) }
    }
    try records.forEach { record in
      if let current, current.topic == record.topic, current.key == record.key {
        return keys.append(record.first)
      }
      try finish()
      (current, keys) = (record, [record.first])
    }
    try finish()
  }
}
