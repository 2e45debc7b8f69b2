package import CofferCore
internal import CoreDataModel

/// Matches the objects of two sources in bounded memory.
///
/// Reads the tables of entities with a rule once on both sides. The key of an object becomes a
/// record of 32 bytes; sorting puts the records of matching objects next to each other.
package final class ObjectMatcher<First: RowSource, Second: RowSource> {
  private let first: First
  private let second: Second
  private let plan: MatchingPlan
  private let temporaryFolder: String?
  private let isIdentified: (MatchedObject) -> Bool
  /// The memory of each sorter in bytes; up to four are in use at a time.
  private let sorterMemory = 4 << 20

  private let tuples: RecordSorter
  /// The objects that their primary keys may identify.
  private let byKey: RecordSorter
  private let numbering: ObjectNumbering
  /// The number of objects in the tables read so far.
  private var readCount = 0
  /// The objects that remain unmatched because of their keys, by side and entity.
  private var unmatchable: [[EntityMatching.Unmatchable]]

  /// - Parameters:
  ///   - first: the first source.
  ///   - second: the second source.
  ///   - plan: the keys of the objects.
  ///   - temporaryFolder: the folder for temporary files; nil for the system's.
  ///   - isIdentified: whether the caller can identify the object in another way; then it does not
  ///     count as unmatched because of its key.
  package init(
    _ first: First, _ second: Second, _ plan: MatchingPlan, temporaryFolder: String? = nil,
    isIdentified: @escaping (MatchedObject) -> Bool = { _ in false }
  ) {
    self.first = first
    self.second = second
    self.plan = plan
    self.temporaryFolder = temporaryFolder
    self.isIdentified = isIdentified
    tuples = RecordSorter(memory: sorterMemory, temporaryFolder: temporaryFolder)
    byKey = RecordSorter(memory: sorterMemory, temporaryFolder: temporaryFolder)
    numbering = ObjectNumbering(
      first.shapes, second.shapes, hasNumbers: plan.tables.map { $0.map { $0 != nil } },
      sorterMemory: sorterMemory, temporaryFolder: temporaryFolder)
    let none = plan.entities.map { _ in EntityMatching.Unmatchable() }
    unmatchable = [none, none]
  }

  /// Matches all objects.
  ///
  /// - Parameter step: called from time to time with the number of objects read so far.
  /// - Returns: the matching of the objects, and the rules for the entities of both sources.
  /// - Throws: errors from the sources and from the closure, and `temporary-storage-failed`.
  package func match(
    step: (Int) throws -> Void
  ) throws -> (objects: MatchedObjects, entities: [EntityMatching]) {
    guard !plan.groups.isEmpty else { return (.byKey(), entities()) }
    try read(first, .first, step)
    try read(second, .second, step)
    try matchTuples()
    try matchKeys()
    return (try numbering.complete(), entities())
  }

  private func entities() -> [EntityMatching] {
    var positions: [Name: Int] = [:]
    for (index, entity) in plan.entities.enumerated() { positions[entity.name] = index }
    return plan.rules.map { name, rule in
      var matching = EntityMatching(entityName: name, rule: rule)
      if let index = positions[name] {
        matching.first = unmatchable[0][index]
        matching.second = unmatchable[1][index]
      }
      return matching
    }
  }

  // MARK: Reading

  private func read(
    _ source: some RowSource, _ side: SourceSide, _ step: (Int) throws -> Void
  ) throws {
    let (folder, memory) = (temporaryFolder, sorterMemory)
    for (index, table) in plan.tables[side.rawValue].enumerated() {
      guard let table else { continue }
      let reader = ObjectTuples(source, table: index, table) {
        RecordSorter(memory: memory, temporaryFolder: folder)
      }
      var last = 0
      try reader.read { entity, key, tuple in
        try take(MatchedObject(side: side, table: index, entity: entity, key: key), tuple)
      } step: {
        try step(readCount + $0)
        last = $0
      }
      readCount += last
    }
  }

  private func take(_ object: MatchedObject, _ tuple: ObjectTuple) throws {
    switch tuple {
    case .complete(let high, let low):
      // 96 bits suffice to distinguish the objects of a store; the rest of the record is the
      // object.
      try tuples.append(
        SortRecord(
          topic: UInt32(clamping: plan.entities[object.entity].group ?? 0),
          rank: UInt32(truncatingIfNeeded: low), key: Int64(bitPattern: high),
          first: object.place, second: object.key))
    case .incomplete: try leave(object) { $0.incompleteCount += 1 }
    case .primaryKey: try tryKey(of: object)
    }
  }

  /// Leaves an object to be matched by its primary key, or unmatched.
  private func leave(
    _ object: MatchedObject, count: (inout EntityMatching.Unmatchable) -> Void = { _ in }
  ) throws {
    let entity = plan.entities[object.entity]
    if let group = entity.group, !plan.groups[group].fallsBackToKeys {
      if !isIdentified(object) {
        let side = object.side.rawValue
        let before = unmatchable[side][object.entity].count
        count(&unmatchable[side][object.entity])
        if unmatchable[side][object.entity].count > before,
          before < EntityMatching.Unmatchable.exampleLimit
        {
          unmatchable[side][object.entity].examples.append(id(object))
        }
      }
      try numbering.add(alone: object, isStrict: true)
    } else {
      try tryKey(of: object)
    }
  }

  private func id(_ object: MatchedObject) -> ManagedObjectID {
    ManagedObjectID(entityName: plan.entities[object.entity].name, primaryKey: object.key)
  }

  private func tryKey(of object: MatchedObject) throws {
    try byKey.append(
      SortRecord(
        topic: plan.entities[object.entity].topic, rank: 0, key: object.key, first: object.place,
        second: 0))
  }

  // MARK: Matching

  /// Matches the objects whose key occurs once on each side.
  private func matchTuples() throws {
    var group: SortRecord?
    /// The first object of each side in the group, and whether there are more.
    var found: [(object: MatchedObject, isRepeated: Bool)?] = [nil, nil]
    func finish() throws {
      if let one = found[0], let other = found[1], !one.isRepeated, !other.isRepeated {
        return try numbering.add(one.object, other.object)
      }
      for case let entry? in found {
        let isAmbiguous = found[1 - entry.object.side.rawValue]?.isRepeated == true
        try leave(entry.object) {
          if entry.isRepeated {
            $0.repeatedCount += 1
          } else if isAmbiguous {
            $0.noteAmbiguous(id(entry.object))
          }
        }
      }
    }
    var count = 0
    try tuples.forEach { record in
      count &+= 1
      if count & 0xffff == 0 { try Task<Never, Never>.checkCancellation() }
      let object = MatchedObject(place: record.first, key: record.second)
      let side = object.side.rawValue
      if let group, group.topic == record.topic, group.key == record.key, group.rank == record.rank
      {
        if found[side] != nil {
          found[side]?.isRepeated = true
          return try leave(object) { $0.repeatedCount += 1 }
        }
      } else {
        try finish()
        (group, found) = (record, [nil, nil])
      }
      found[side] = (object, false)
    }
    try finish()
  }

  /// Matches the objects that have the same primary key on both sides.
  private func matchKeys() throws {
    var waiting: (topic: UInt32, object: MatchedObject)?
    func release() throws {
      if let object = waiting?.object { try numbering.add(alone: object, isStrict: false) }
      waiting = nil
    }
    try byKey.forEach { record in
      let object = MatchedObject(place: record.first, key: record.key)
      if let before = waiting, before.topic == record.topic, before.object.key == object.key,
        before.object.side == .first, object.side == .second
      {
        waiting = nil
        return try numbering.add(before.object, object)
      }
      try release()
      waiting = (record.topic, object)
    }
    try release()
  }
}

extension EntityMatching.Unmatchable {
  /// Notes an object with a key that several objects of the other source have.
  fileprivate mutating func noteAmbiguous(_ id: ManagedObjectID) {
    if ambiguous.map({ id.primaryKey < $0.primaryKey }) ?? true { ambiguous = id }
  }
}

/// An object that is being matched.
package struct MatchedObject {
  package var side: SourceSide
  /// The index of the table in its source.
  package var table: Int
  /// The index of the entity in the plan.
  var entity: Int
  package var key: Int64

  init(side: SourceSide, table: Int, entity: Int, key: Int64) {
    (self.side, self.table, self.entity, self.key) = (side, table, entity, key)
  }

  init(place: Int64, key: Int64) {
    side = place >> 62 == 0 ? .first : .second
    entity = Int(place >> 32 & 0x3fff_ffff)
    table = Int(place & 0xffff_ffff)
    self.key = key
  }

  /// The side, the entity and the table in one number that sorts objects of the first side first.
  var place: Int64 {
    Int64(side.rawValue) << 62 | Int64(entity & 0x3fff_ffff) << 32 | Int64(UInt32(clamping: table))
  }
}
