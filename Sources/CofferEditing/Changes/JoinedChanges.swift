internal import CofferComparison
internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel

/// The combined changes of a table's rows in files that follow each other, in the order of the keys.
struct JoinedChanges {
  /// One file, and its next change; a class, because changing one of several values would copy all of them.
  private final class Head {
    let file: ChangesFile
    let changes: ChangeCursor
    private(set) var word: ChangeWord?
    var key: RowKey? { changes.key }

    init(_ file: ChangesFile, _ shape: TableLayout) throws {
      self.file = file
      changes = ChangeCursor(shape, of: file)
      try advance()
    }

    func advance() throws { word = try changes.next() }
  }

  private var heads: [Head] = []
  private let columnCount: Int
  private let tableName: String
  /// The key of the next row that changes; nil after the last.
  private(set) var key: RowKey?

  /// Starts before the first row.
  init(
    of files: [(file: ChangesFile, shape: TableLayout)], columnCount: Int, tableName: String
  ) throws {
    self.columnCount = columnCount
    self.tableName = tableName
    for (file, shape) in files { heads.append(try Head(file, shape)) }
    key = nextKey
  }

  private var nextKey: RowKey? { heads.lazy.compactMap(\.key).min() }

  /// The combined changes of the next row; nil after the last.
  ///
  /// - Throws: ``CofferError`` with `wrong-state` if they do not follow each other; the errors of
  ///   ``ChangeCursor``.
  mutating func next() throws -> ComposedChange? {
    while let key {
      var composed: ComposedChange?
      for head in heads where head.key == key {
        try take(key, head, &composed)
      }
      self.key = nextKey
      if let composed { return composed }
    }
    return nil
  }

  /// Adds the changes of one row: an update, an insertion, a deletion, or the last two in any order.
  private func take(_ key: RowKey, _ head: Head, _ composed: inout ComposedChange?) throws {
    let knowsBefore = head.file.states.isReversible
    func begin(_ word: ChangeWord) throws -> ComposedChange {
      try ComposedChange(word, head.changes, columnCount: columnCount, knowsBefore: knowsBefore)
    }
    var inserted: ComposedChange?
    while head.key == key, let word = head.word {
      if let change = composed {
        var change = change
        if word == .insert, change.after != nil {
          // Its deletion comes next.
          inserted = try begin(word)
        } else {
          guard try change.add(word, head.changes, knowsBefore: knowsBefore) else {
            throw gap(head, key)
          }
          composed = change
        }
      } else {
        composed = try begin(word)
        if word == .insert {
          inserted = composed
          composed = nil
        }
      }
      try head.advance()
    }
    guard let inserted else { return }
    if composed == nil {
      composed = inserted
    } else if composed?.insert(inserted) != true {
      throw gap(head, key)
    }
  }

  private func gap(_ head: Head, _ key: RowKey) -> CofferError {
    let numbers = ([key.first] + key.rest).map { $0.integer.map(String.init) ?? "?" }
    return ChangesConcatenation.gap(
      head.file, "table \(tableName), row \(numbers.joined(separator: ", "))")
  }
}
