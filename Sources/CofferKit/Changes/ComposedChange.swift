internal import CoreDataModel

/// What several changes do to one row, one after the other.
struct ComposedChange {
  private let columnCount: Int
  /// The row before all changes; nil if it does not exist.
  private(set) var before: ChangeSide?
  /// The row after all changes; nil if it does not exist.
  private(set) var after: ChangeSide?
  /// The columns that are known of a row that was only updated; nil if all are.
  private var columns: Set<Int>?

  /// Begins with a change.
  init(_ word: ChangeWord, _ changes: ChangeCursor, columnCount: Int) throws {
    self.columnCount = columnCount
    if word != .insert { before = changes.before.copy() }
    if word != .delete { after = changes.after.copy() }
    if word == .update { columns = try Self.differing(changes, columnCount) }
  }

  /// Adds the next change.
  ///
  /// - Returns: false if it does not follow the others.
  mutating func add(_ word: ChangeWord, _ changes: ChangeCursor) throws -> Bool {
    switch word {
    case .insert:
      guard after == nil else { return false }
      after = changes.after.copy()
      columns = nil
      return true
    case .delete: return try remove(changes)
    case .update: return try update(changes)
    }
  }

  /// Adds an insertion that was read earlier.
  ///
  /// - Returns: false if the row exists.
  mutating func insert(_ insertion: ComposedChange) -> Bool {
    guard after == nil else { return false }
    after = insertion.after
    columns = nil
    return true
  }

  private mutating func remove(_ changes: ChangeCursor) throws -> Bool {
    guard let after else { return false }
    for column in columns.map(Array.init) ?? Array(0..<columnCount) {
      guard try after.hasSameValue(column, as: changes.before, column) else { return false }
    }
    if let columns, let before {
      let whole = changes.before.copy()
      for column in columns { whole.take(column, from: before) }
      self.before = whole
    }
    columns = nil
    self.after = nil
    return true
  }

  private mutating func update(_ changes: ChangeCursor) throws -> Bool {
    guard let after else { return false }
    for column in try Self.differing(changes, columnCount) {
      if columns?.contains(column) ?? true {
        guard try after.hasSameValue(column, as: changes.before, column) else { return false }
      } else {
        before?.take(column, from: changes.before)
        columns?.insert(column)
      }
      after.take(column, from: changes.after)
    }
    return true
  }

  private static func differing(_ changes: ChangeCursor, _ count: Int) throws -> Set<Int> {
    var columns: Set<Int> = []
    for column in 0..<count
    where try !changes.before.hasSameValue(column, as: changes.after, column) {
      columns.insert(column)
    }
    return columns
  }

  /// Passes the result to a handler; nothing if nothing is left of the changes.
  func pass(_ handler: inout some RowHandler) throws {
    switch (before, after) {
    case (let before?, let after?):
      for column in 0..<columnCount where try !before.hasSameValue(column, as: after, column) {
        return try handler.compare(before, after)
      }
    case (let before?, nil): try handler.remove(before)
    case (nil, let after?): try handler.add(after)
    case (nil, nil): break
    }
  }
}
