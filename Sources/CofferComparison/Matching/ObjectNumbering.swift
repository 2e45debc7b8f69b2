internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// Numbers matched objects in the order of the first source's tables and primary keys.
final class ObjectNumbering {
  /// The known numbers of a table.
  private struct Table {
    var hasNumbers: Bool
    /// Whether an object has another key or another table in the other source.
    var isRenumbered = false
    /// Whether an object has no counterpart.
    var hasLoners = false
    /// Whether that holds for an object that was not looked up by its primary key.
    var hasStrictLoners = false
  }

  private let first: [TableLayout]
  private let second: [TableLayout]
  private var tables: [[Table]]
  private let storage: KeyStorage
  private let pairs: KeyPairs
  /// The objects of the first source, each with the counterpart's table and key.
  private let ofFirst: RecordSorter
  /// The objects of the second source, each with its number.
  private let ofSecond: RecordSorter

  init(
    _ first: [TableLayout], _ second: [TableLayout], hasNumbers: [[Bool]], sorterMemory: Int,
    temporaryFolder: String?
  ) {
    self.first = first
    self.second = second
    tables = hasNumbers.map { $0.map { Table(hasNumbers: $0) } }
    storage = KeyStorage(memory: 2 * sorterMemory, temporaryFolder: temporaryFolder)
    pairs = KeyPairs(temporaryFolder: temporaryFolder)
    ofFirst = RecordSorter(memory: sorterMemory, temporaryFolder: temporaryFolder)
    ofSecond = RecordSorter(memory: sorterMemory, temporaryFolder: temporaryFolder)
  }

  /// Adds an object that both sources have.
  func add(_ object: MatchedObject, _ other: MatchedObject) throws(CofferError) {
    if object.key != other.key || !first[object.table].hasSameRoot(as: second[other.table]) {
      tables[0][object.table].isRenumbered = true
      tables[1][other.table].isRenumbered = true
    }
    try ofFirst.append(
      SortRecord(
        topic: UInt32(clamping: object.table), rank: UInt32(clamping: other.table + 1),
        key: object.key, first: other.key, second: 0))
  }

  /// Adds an object that only one source has.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - isStrict: whether the other source may have another object with the same primary key.
  /// - Throws: `temporary-storage-failed`.
  func add(alone object: MatchedObject, isStrict: Bool) throws(CofferError) {
    tables[object.side.rawValue][object.table].hasLoners = true
    if isStrict { tables[object.side.rawValue][object.table].hasStrictLoners = true }
    let sorter = object.side == .first ? ofFirst : ofSecond
    try sorter.append(
      SortRecord(
        topic: UInt32(clamping: object.table), rank: 0, key: object.key, first: 0, second: 0))
  }

  /// Numbers all objects.
  ///
  /// - Returns: the numbers. Tables whose objects match by their primary keys have none.
  func complete() throws -> MatchedObjects {
    let directories = tables.map { $0.map { $0.hasNumbers ? KeyDirectory(storage: storage) : nil } }
    try ofFirst.forEach { record in
      var number = 0
      if record.rank > 0 {
        number = try pairs.append(record.key, record.first)
        try ofSecond.append(
          SortRecord(
            topic: record.rank - 1, rank: 0, key: record.first, first: Int64(number), second: 0))
      }
      try Self.add(record.key, number, to: directories[0][Int(record.topic)])
    }
    try ofSecond.forEach { record in
      try Self.add(record.key, Int(record.first), to: directories[1][Int(record.topic)])
    }
    for directory in directories.joined() { try directory?.finish() }
    let objects = MatchedObjects(directories, pairs)
    for (index, shape) in first.enumerated() where tables[0][index].hasNumbers {
      let other = second.firstIndex { $0.kind == .entity && $0.hasSameRoot(as: shape) }
      guard let other, !isRenumbered(index, other) else { continue }
      objects.removeNumbers(of: index, on: .first)
      objects.removeNumbers(of: other, on: .second)
    }
    return objects
  }

  private static func add(
    _ key: Int64, _ number: Int, to directory: KeyDirectory?
  ) throws(CofferError) {
    let entry = MatchedObjects.entry(number)
    _ = try directory?.append(key: key, entity: entry.entity, version: entry.version)
  }

  private func isRenumbered(_ index: Int, _ other: Int) -> Bool {
    let (table, counterpart) = (tables[0][index], tables[1][other])
    // Two objects with the same primary key that do not match.
    let mayHaveNamesakes =
      (table.hasStrictLoners && counterpart.hasLoners)
      || (table.hasLoners && counterpart.hasStrictLoners)
    return table.isRenumbered || counterpart.isRenumbered || mayHaveNamesakes
  }
}
