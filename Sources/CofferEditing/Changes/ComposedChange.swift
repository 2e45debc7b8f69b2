internal import CofferComparison
internal import CofferCore

/// The combined effect of several changes of one row.
struct ComposedChange {
  private let columnCount: Int
  /// The row before all changes; nil if it does not exist, or only its key is known.
  private(set) var before: ChangeSide?
  /// The row after all changes; nil if it does not exist.
  private(set) var after: ChangeSide?
  /// Whether the row exists before all changes.
  private var existsBefore: Bool
  /// The known columns of a row that was only updated; nil if all are known.
  private(set) var columns: Set<Int>?
  /// The key of a row that exists before, but not after all changes.
  private var deleted: ChangeSide?

  /// Begins with a change; the row before a deletion may be known by its key alone.
  init(_ word: ChangeWord, _ changes: ChangeCursor, columnCount: Int, knowsBefore: Bool) throws {
    self.columnCount = columnCount
    existsBefore = word != .insert
    switch word {
    case .insert, .replace: after = changes.after.copy()
    case .delete:
      deleted = changes.before.copy()
      if knowsBefore { before = deleted }
    case .update:
      (before, after) = (changes.before.copy(), changes.after.copy())
      columns = Self.recorded(changes, columnCount)
    }
  }

  /// Adds the next change; returns false if it does not follow the others.
  mutating func add(_ word: ChangeWord, _ changes: ChangeCursor, knowsBefore: Bool) throws -> Bool {
    switch word {
    case .insert:
      guard after == nil else { return false }
      after = changes.after.copy()
      columns = nil
      return true
    case .delete: return try remove(changes, knowsBefore)
    case .update: return try update(changes)
    case .replace:
      guard after != nil else { return false }
      // If a row was only updated, not all of its previous values are known.
      if columns != nil { before = nil }
      after = changes.after.copy()
      columns = nil
      return true
    }
  }

  /// Adds an insertion that was read earlier; returns false if the row exists.
  mutating func insert(_ insertion: ComposedChange) -> Bool {
    guard after == nil else { return false }
    after = insertion.after
    columns = nil
    return true
  }

  private mutating func remove(_ changes: ChangeCursor, _ knowsBefore: Bool) throws -> Bool {
    guard let after else { return false }
    let whole = changes.before.copy()
    if knowsBefore {
      for column in columns.map(Array.init) ?? Array(0..<columnCount) {
        guard try after.hasSameValue(column, as: changes.before, column) else { return false }
      }
      if let columns, let before {
        for column in columns { whole.take(column, from: before) }
        self.before = whole
      }
    } else if columns != nil {
      before = nil
    }
    if existsBefore { deleted = whole }
    columns = nil
    self.after = nil
    return true
  }

  private mutating func update(_ changes: ChangeCursor) throws -> Bool {
    guard let after else { return false }
    for column in Self.recorded(changes, columnCount) {
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

  /// The columns of an updated row that a line has.
  private static func recorded(_ changes: ChangeCursor, _ count: Int) -> Set<Int> {
    let (before, after) = (changes.before.row, changes.after.row)
    return Set((0..<count).filter { !before.isNull($0) || !after.isNull($0) })
  }

  enum Outcome {
    case added(ChangeSide)
    case changed(from: ChangeSide, to: ChangeSide)
    /// The values of the row that it replaces do not matter.
    case replaced(by: ChangeSide)
    case removed(ChangeSide)
  }

  /// The outcome for the row; nil if the changes cancel out.
  ///
  /// A row that replaces another can come with that one.
  func outcome(needsBefore: Bool) throws -> Outcome? {
    switch (existsBefore, after) {
    case (true, let after?):
      guard let before, needsBefore || columns != nil else { return .replaced(by: after) }
      for column in 0..<columnCount where try !before.hasSameValue(column, as: after, column) {
        return .changed(from: before, to: after)
      }
      return nil
    case (true, nil): return (before ?? deleted).map { .removed($0) }
    case (false, let after?): return .added(after)
    case (false, nil): return nil
    }
  }

  /// Passes the result to a handler, unless the changes cancel out.
  func pass(_ handler: inout some RowHandler, needsBefore: Bool) throws {
    switch try outcome(needsBefore: needsBefore) {
    case .added(let row): try handler.add(row)
    case .changed(let before, let after): try handler.compare(before, after)
    case .replaced(let row): try handler.replace(row)
    case .removed(let row): try handler.remove(row)
    case nil: break
    }
  }
}
