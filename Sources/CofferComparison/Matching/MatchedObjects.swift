internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// The correspondence between the objects of two sources, on disk.
///
/// Matching objects have the same number. Numbers ascend with the tables and primary keys of the
/// first source. In a table without numbers, objects match if and only if their primary keys are
/// equal.
package final class MatchedObjects {
  /// The counterpart of an object, as far as known.
  enum Identity: Equatable {
    /// The source has no such object.
    case missing
    /// The other source does not have the object.
    case alone
    /// The number of the object in both sources, from 1 on.
    case number(Int)
  }

  /// The numbers by side and table; nil for tables without numbers.
  ///
  /// 0 means ``Identity/alone``.
  private var directories: [[KeyDirectory?]]
  private let pairs: KeyPairs

  /// Whether no table has numbers.
  var isByKey: Bool { directories.allSatisfy { $0.allSatisfy { $0 == nil } } }

  init(_ directories: [[KeyDirectory?]], _ pairs: KeyPairs) {
    self.directories = directories
    self.pairs = pairs
  }

  static func byKey() -> MatchedObjects { MatchedObjects([[], []], KeyPairs()) }

  /// Whether the objects of a table have numbers; otherwise they are matched by their keys.
  func hasNumbers(_ table: Int?, on side: SourceSide) -> Bool { directory(table, side) != nil }

  /// Forgets the numbers of a table whose objects turned out to match by their primary keys.
  func removeNumbers(of table: Int, on side: SourceSide) {
    directories[side.rawValue][table] = nil
  }

  /// The known facts about an object of a table with numbers.
  func identity(of key: Int64, in table: Int, on side: SourceSide) throws(CofferError) -> Identity {
    guard let entry = try directory(table, side)?.find(key) else { return .missing }
    let number = Self.number(entry)
    return number == 0 ? .alone : .number(number)
  }

  /// The primary keys of an object in both sources.
  func keys(of number: Int) throws -> (first: Int64, second: Int64) {
    try pairs[number]
  }

  /// The primary key that an object has in the other source.
  ///
  /// - Returns: nil if only one source has the object.
  /// - Throws: `temporary-storage-failed`.
  package func counterpart(of key: Int64, in table: Int, on side: SourceSide) throws -> Int64? {
    guard hasNumbers(table, on: side) else { return key }
    guard case .number(let number) = try identity(of: key, in: table, on: side) else { return nil }
    let keys = try keys(of: number)
    return side == .first ? keys.second : keys.first
  }

  private func directory(_ table: Int?, _ side: SourceSide) -> KeyDirectory? {
    let tables = directories[side.rawValue]
    guard let table, table < tables.count else { return nil }
    return tables[table]
  }

  // MARK: Numbers

  /// The payload of a directory for a number below 2^48.
  static func entry(_ number: Int) -> (entity: UInt16, version: UInt32) {
    (UInt16(truncatingIfNeeded: number >> 32), UInt32(truncatingIfNeeded: number))
  }

  private static func number(_ entry: KeyDirectory.Entry) -> Int {
    Int(entry.entity) << 32 | Int(entry.version)
  }
}

/// The primary keys of matched objects in both sources by number, in memory or a temporary file.
@safe final class KeyPairs {
  private static let pairSize = 16
  private static let pageSize = 4096 * pairSize

  private(set) var count = 0
  private let file: TemporaryFile
  /// The pairs that are not yet in the file.
  private var tail: ContiguousArray<Int64> = []
  /// A part of the file, and its offset.
  private var page: ContiguousArray<Int64> = []
  private var pageStart = 0

  init(temporaryFolder: String? = nil) { file = TemporaryFile(in: temporaryFolder) }

  /// Adds the keys of the object with the next number; returns the number, 1 for the first.
  func append(_ first: Int64, _ second: Int64) throws -> Int {
    tail.append(first)
    tail.append(second)
    count += 1
    if tail.count * MemoryLayout<Int64>.size == Self.pageSize {
      let bytes = tail
      tail.removeAll(keepingCapacity: true)
      _ = try unsafe bytes.withUnsafeBytes { unsafe try file.append($0) }
    }
    return count
  }

  subscript(_ number: Int) -> (first: Int64, second: Int64) {
    get throws {
      precondition(number > 0 && number <= count, "no such number")
      let offset = (number - 1) * Self.pairSize
      if offset >= file.size {
        let place = (offset - file.size) / MemoryLayout<Int64>.size
        return (tail[place], tail[place + 1])
      }
      let start = offset / Self.pageSize * Self.pageSize
      if page.isEmpty || start != pageStart { try read(start) }
      let place = (offset - start) / MemoryLayout<Int64>.size
      return (page[place], page[place + 1])
    }
  }

  private func read(_ start: Int) throws {
    var buffer = ContiguousArray<Int64>(
      repeating: 0, count: Self.pageSize / MemoryLayout<Int64>.size)
    try unsafe buffer.withUnsafeMutableBytes { unsafe try file.read(at: start, into: $0) }
    (page, pageStart) = (buffer, start)
  }
}

/// One of the two sources that are compared.
package enum SourceSide: Int, CaseIterable {
  case first, second
}

extension RowSource {
  /// The index of the table with the objects of an entity; nil if there is none.
  func tableIndex(ofEntity entity: Name) -> Int? {
    guard let root = model.root(of: entity)?.name else { return nil }
    return shapes.firstIndex { $0.kind == .entity && $0.entityName == root }
  }
}
