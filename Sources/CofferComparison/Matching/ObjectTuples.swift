package import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout

/// The values that identify an object.
package enum ObjectTuple {
  /// The hash of all properties of its key.
  case complete(high: UInt64, low: UInt64)
  /// A property of its key has no value.
  case incomplete
  case primaryKey
}

/// Reads the keys of a table's objects, including properties behind relationships, in bounded
/// memory.
///
/// A property of the object's own row is hashed at once. One behind a relationship is a request for
/// the key of the destination; requests and the rows of the destination's table are sorted by that
/// key, so each step along a path reads one table once.
package struct ObjectTuples<Source: RowSource> {
  /// Receives an object: its entity, its primary key, and its natural key.
  package typealias Receiver = (Int, Int64, ObjectTuple) throws -> Void

  private let source: Source
  private let table: Int
  private let plan: MatchingPlan.TablePlan
  /// The entities with properties behind relationships, whose numbers are in the records.
  private let joined: [(number: Int64, plan: MatchingPlan.EntityPlan)]
  private let makeSorter: () -> RecordSorter

  /// Prepares to collect the objects of a table, given by its index.
  package init(
    _ source: Source, table: Int, _ plan: MatchingPlan.TablePlan,
    makeSorter: @escaping () -> RecordSorter
  ) {
    self.source = source
    self.table = table
    self.plan = plan
    self.makeSorter = makeSorter
    joined = plan.entities.filter { $0.value.paths.contains { !$0.hops.isEmpty } }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Passes all objects with a key and a known entity to a receiver.
  ///
  /// - Throws: errors from the source and the receiver, and `temporary-storage-failed`.
  package func read(_ receive: Receiver, step: (Int) throws -> Void) throws {
    let parts = makeSorter()
    var requests: [Request: RecordSorter] = [:]
    let rows = try source.rows(of: source.shapes[table])
    var count = 0
    while try rows.next() {
      count += 1
      if count & 0xfff == 0 { try step(count) }
      guard let key = rows.row.integer(plan.keyColumn), let entity = plan.plan(for: rows.row) else {
        continue
      }
      guard !entity.paths.isEmpty else {
        try receive(entity.entity, key, .primaryKey)
        continue
      }
      guard !joined.isEmpty, let code = code(of: rows.row) else {
        try receive(entity.entity, key, try tuple(rows, entity.paths))
        continue
      }
      // An object without any values counts, too.
      try parts.append(SortRecord(topic: code, rank: 0, key: key, first: 0, second: 0))
      for (index, path) in entity.paths.enumerated() {
        guard let hop = path.hops.first else {
          if let hash = try rows.keyHash(path.column) {
            try parts.append(Self.part(hash, index, of: key, code))
          }
          continue
        }
        guard let destination = rows.row.integer(hop.column) else { continue }
        let request = Request(code: code, index: index)
        let sorter = requests[request] ?? makeSorter()
        requests[request] = sorter
        try sorter.append(SortRecord(topic: 0, rank: 1, key: destination, first: key, second: 0))
      }
    }
    for (request, sorter) in requests.sorted(by: { $0.key < $1.key }) {
      let entity = joined[Int(request.code)].plan
      try follow(entity.paths[request.index], sorter) { key, hash in
        try parts.append(Self.part(hash, request.index, of: key, request.code))
      }
    }
    if !joined.isEmpty { try combine(parts, receive) }
    try step(count)
  }

  /// The index of the row's entity among those with properties behind relationships.
  private func code(of row: Row) -> UInt32? {
    let number = plan.entityColumn.map { row.integer($0) } ?? 0
    return joined.firstIndex { $0.number == number }.map { UInt32(clamping: $0) }
  }

  // MARK: Hashes

  private func tuple(_ rows: some RowCursor, _ paths: [KeyColumn]) throws -> ObjectTuple {
    var hasher = TupleHasher()
    for path in paths {
      guard let hash = try rows.keyHash(path.column) else { return .incomplete }
      hasher.mix(hash.high, hash.low)
    }
    let (high, low) = hasher.finish()
    return .complete(high: high, low: low)
  }

  private static func part(
    _ hash: (high: UInt64, low: UInt64), _ index: Int, of key: Int64, _ code: UInt32
  ) -> SortRecord {
    SortRecord(
      topic: code, rank: UInt32(clamping: index + 1), key: key,
      first: Int64(bitPattern: hash.high), second: Int64(bitPattern: hash.low))
  }

  /// Puts the properties of each object together.
  private func combine(_ parts: RecordSorter, _ receive: Receiver) throws {
    var current: (code: UInt32, key: Int64)?
    var hasher = TupleHasher()
    var count = 0
    func finish() throws {
      guard let current else { return }
      let entity = joined[Int(current.code)].plan
      let (high, low) = hasher.finish()
      try receive(
        entity.entity, current.key,
        count == entity.paths.count ? .complete(high: high, low: low) : .incomplete)
    }
    try parts.forEach { record in
      if record.rank == 0 {
        try finish()
        (current, hasher, count) = ((record.topic, record.key), TupleHasher(), 0)
      } else {
        hasher.mix(UInt64(bitPattern: record.first), UInt64(bitPattern: record.second))
        count += 1
      }
    }
    try finish()
  }

  // MARK: Relationships

  /// A path of an entity whose requests are collected.
  private struct Request: Hashable, Comparable {
    var code: UInt32
    var index: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.code, left.index) < (right.code, right.index)
    }
  }

  /// Follows a path from the destinations of its first relationship to its property.
  private func follow(
    _ path: KeyColumn, _ requests: RecordSorter,
    _ found: (Int64, (high: UInt64, low: UInt64)) throws -> Void
  ) throws {
    var requests = requests
    for (level, hop) in path.hops.enumerated() {
      let isLast = level == path.hops.count - 1
      let column = isLast ? path.column : path.hops[level + 1].column
      try provide(column, of: hop.table, isLast: isLast, to: requests)
      let next = makeSorter()
      var provider: SortRecord?
      try requests.forEach { record in
        if record.rank == 0 {
          provider = record
        } else if let provider, provider.key == record.key {
          let hash = (UInt64(bitPattern: provider.first), UInt64(bitPattern: provider.second))
          if isLast { return try found(record.first, hash) }
          try next.append(
            SortRecord(topic: 0, rank: 1, key: provider.first, first: record.first, second: 0))
        }
      }
      requests = next
    }
  }

  /// Adds each object's value in a column: a key, or the hash of the value.
  private func provide(_ column: Int, of table: Int, isLast: Bool, to sorter: RecordSorter) throws {
    let shape = source.shapes[table]
    guard let keyColumn = shape.fields.firstIndex(where: { $0.role == .primaryKey }) else { return }
    let rows = try source.rows(of: shape)
    var count = 0
    while try rows.next() {
      count += 1
      if count & 0xfff == 0 { try Task<Never, Never>.checkCancellation() }
      guard let key = rows.row.integer(keyColumn) else { continue }
      var record = SortRecord(topic: 0, rank: 0, key: key, first: 0, second: 0)
      if isLast {
        guard let hash = try rows.keyHash(column) else { continue }
        record.first = Int64(bitPattern: hash.high)
        record.second = Int64(bitPattern: hash.low)
      } else {
        guard let next = rows.row.integer(column) else { continue }
        record.first = next
      }
      try sorter.append(record)
    }
  }
}

extension RowCursor {
  /// The hash of a value of the current row, the same for equal values in any source; nil for NULL.
  fileprivate func keyHash(_ column: Int) throws -> (high: UInt64, low: UInt64)? {
    var hasher = TupleHasher()
    // The size at which values can no longer be borrowed depends on the source.
    if row.size(column) >= LineLimits.outOfLine {
      let isText = row.storageClass(column) == .text
      hasher.add(Int64(isText ? 1 : 0))
      let digest = try digest(of: column, from: 0)
      unsafe Array(digest.hex.utf8).withUnsafeBytes { unsafe hasher.add(blob: $0) }
    } else if !hasher.add(row, column) {
      return nil
    }
    return hasher.finish()
  }
}
