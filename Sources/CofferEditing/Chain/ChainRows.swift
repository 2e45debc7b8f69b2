internal import CofferComparison
package import CofferCore
package import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// The rows of a table of a chain: the full archive's rows with the combined changes, both in the
/// order of the keys.
package final class ChainRows: RowCursor {
  package let row: Row
  private let shape: TableLayout
  private let archive: OpenArchive
  private let rule: KeyRule
  private let columnCount: Int
  private let options: Options

  /// The parts of the archive that were not started.
  private var parts: ArraySlice<OpenArchive.Part>
  /// The rows of the parts that were started; nil if there are none.
  private var rows: ArchiveRows?
  /// The key of their current row, which ``row`` has unless it is held; nil if none waits.
  private var key: RowKey?
  /// Their current row, if other values were needed first.
  private var held: ChangeSide?
  /// The line of the current row; empty if it may refer to values outside it.
  private var line: ContiguousArray<UInt8> = []

  private var changes: JoinedChanges?
  private let needsBefore: Bool
  /// All rows of a table without a row key that are still to come; nil for any other table.
  private var loose: ArraySlice<ChangeSide>?
  /// Fills ``row`` with values that replace the archive's current row.
  private let given: ChangeSide
  private var isGiven = false

  /// How rows are read.
  struct Options {
    /// The requested primary keys; nil for all.
    var keys: ClosedRange<Int64>?
    /// Whether to read values in their own entries with their row.
    var loadsOutOfLineValues = false
    /// Whether ``ChainRows/unchangedLine`` is needed.
    var keepsLines = false
    /// Is offered each part without changed rows before it is read, and returns whether to pass it over;
    /// nil to read all.
    var takesPart: ((OpenArchive.Part) throws -> Bool)?
  }

  /// Starts before the first row.
  init(
    _ shape: TableLayout, into row: Row? = nil, of archive: OpenArchive,
    _ changes: ChangesConcatenation?, _ options: Options = Options()
  ) throws {
    self.shape = shape
    self.archive = archive
    self.options = options
    columnCount = shape.fields.count
    let row = row ?? Row(columnCount: columnCount)
    self.row = row
    given = ChangeSide(row, columnCount: columnCount)
    rule = KeyRule(shape, schema: archive.documents.schema)
    needsBefore = changes?.isReversible ?? false
    let isReplaced = changes?.isWhole(shape) ?? false
    parts = isReplaced ? [] : archive.parts(of: shape, with: options.keys)[...]
    guard let changes, changes.touches(shape) else { return }
    self.changes = try changes.joined(shape)
    guard self.changes == nil else { return }
    var table = try LooseTable(shape, of: archive, isReplaced: isReplaced)
    try changes.join(shape, &table)
    (loose, parts) = (table.rows[...], [])
  }

  // MARK: The current row

  package func advance() throws -> Bool {
    isGiven = false
    if loose != nil {
      guard let next = loose?.popFirst() else { return false }
      try give(next)
      return true
    }
    while true {
      if key == nil { try readRow() }
      if let change = changes?.key, key.map({ change <= $0 }) ?? true {
        if try apply(change) { return true }
        continue
      }
      guard key != nil else { return false }
      if let held { try give(held) }
      leave()
      return true
    }
  }

  /// The rows are filled when they come.
  package func load() {}

  package func readValue(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if isGiven { return try unsafe given.readValue(column, body) }
    try unsafe rows?.readValue(column, body)
  }

  package func digest(of column: Int, from offset: Int) throws -> ArchiveDigest {
    if !isGiven, let rows { return try rows.digest(of: column, from: offset) }
    return try given.digest(of: column, from: offset)
  }

  /// The current row with the places of its values.
  var side: ChangeSide {
    if !isGiven, let rows { return ChangeSide(rows, columnCount) }
    return given
  }

  /// The line of the current row, which means the same in any part; nil for a row that was changed or
  /// refers to values outside its line.
  var unchangedLine: ContiguousArray<UInt8>? { isGiven || line.isEmpty ? nil : line }

  /// Fills the row with other values.
  private func give(_ side: ChangeSide) throws {
    given.clear()
    for column in 0..<columnCount { given.take(column, from: side) }
    row.rowNumber = side.row.rowNumber
    if options.loadsOutOfLineValues { try given.loadValues() }
    isGiven = true
  }

  // MARK: Changes

  /// Applies the changes of one row; returns whether there is a row with its key.
  private func apply(_ change: RowKey) throws -> Bool {
    guard let composed = try changes?.next(), isWanted(change) else { return false }
    switch try composed.outcome(needsBefore: needsBefore) {
    case nil: return false
    case .added(let after):
      guard key != change else { throw wrong(change, "it exists, but the changes add it") }
      hold()
      try give(after)
    case .removed:
      try require(change)
      leave()
      return false
    case .replaced(let after):
      try require(change)
      leave()
      try give(after)
    case .changed(let before, let after):
      try require(change)
      let side = held ?? ChangeSide(archiveRows, columnCount)
      for column in 0..<columnCount where try !before.hasSameValue(column, as: after, column) {
        guard try side.hasSameValue(column, as: before, column) else {
          throw wrong(
            key,
            "\(shape.fields[column].storedName) is not the value that the changes begin with")
        }
        side.take(column, from: after)
      }
      leave()
      try give(side)
    }
    return true
  }

  /// Whether the row of a key is requested.
  private func isWanted(_ key: RowKey) -> Bool {
    guard shape.kind == .entity, let keys = options.keys, let number = key.first.integer else {
      return true
    }
    return keys.contains(number)
  }

  private func require(_ change: RowKey) throws(CofferError) {
    guard key != change else { return }
    throw wrong(change, "it does not exist, but the changes begin with it")
  }

  private func wrong(_ key: RowKey?, _ detail: String) -> CofferError {
    let numbers = key.map { [$0.first] + $0.rest } ?? []
    let text = numbers.map { $0.integer.map(String.init) ?? "?" }.joined(separator: ", ")
    return CofferError(
      .wrongState, path: archive.path, item: "table \(shape.storedName), row \(text)",
      detail: detail)
  }

  // MARK: Rows of the archive

  /// Keeps the archive's current row for later.
  private func hold() {
    if key != nil, held == nil { held = ChangeSide(archiveRows, columnCount) }
  }

  private func leave() { (key, held) = (nil, nil) }

  private var archiveRows: ArchiveRows {
    guard let rows else { preconditionFailure("a row of the archive waits") }
    return rows
  }

  /// Reads the archive's next row, if any.
  private func readRow() throws {
    while try beginParts(), let rows {
      guard try rows.advance() else {
        self.rows = nil
        continue
      }
      line.removeAll(keepingCapacity: true)
      // Loading a row changes its line.
      if options.keepsLines, !rows.mayReferElsewhere, let bytes = unsafe rows.line {
        unsafe line.append(contentsOf: bytes)
      }
      try rows.load()
      let next = RowKey(
        first: KeyValue(row, rule.columns.first),
        rest: rule.columns.dropFirst().map { KeyValue(row, $0) })
      guard isWanted(next) else { continue }
      key = next
      return
    }
  }

  /// Begins the next parts, unless rows of others are still to come; returns false at the end.
  private func beginParts() throws -> Bool {
    if rows != nil { return true }
    while !parts.isEmpty {
      // Without an offer, one reader reads all of them.
      let next = options.takesPart == nil ? parts : parts.prefix(1)
      parts = parts.dropFirst(next.count)
      if let takesPart = options.takesPart, let part = next.first, isUnchanged(part),
        try takesPart(part)
      {
        continue
      }
      rows = ArchiveRows(
        shape, into: row, of: archive, next, loadsOutOfLineValues: options.loadsOutOfLineValues,
        checksOrder: true)
      return true
    }
    return false
  }

  /// Whether all rows of a part that was taken, and its successor, come before the next change.
  ///
  /// A part ends according to the rule, except for the last one, which ends with the table.
  private func isUnchanged(_ part: OpenArchive.Part) -> Bool {
    guard let end = changes?.key else { return true }
    guard !parts.isEmpty, shape.kind == .entity, let last = part.lines.attributes.lastKey else {
      return false
    }
    return RowKey(first: .integer(last)) < end
  }
}

extension ChangeSide {
  /// A copy of the current, loaded row of changes or of an archive.
  convenience init(_ cursor: some RowCursor, _ columnCount: Int) {
    self.init(columnCount: columnCount)
    for column in 0..<columnCount {
      let place =
        (cursor as? ArchiveRows)?.placedValue(column)
        ?? (cursor as? ChangeSide)?.place(of: column)
      take(column, from: cursor.row, place)
    }
    row.rowNumber = cursor.row.rowNumber
  }
}

extension ChangesConcatenation {
  /// Whether a file has lines of a table, or has it as a whole.
  func touches(_ shape: TableLayout) -> Bool {
    isWhole(shape)
      || (0..<fileCount).contains { number in
        let file = file(number)
        return !file.archive.parts(of: own(shape, file)).isEmpty
      }
  }
}
