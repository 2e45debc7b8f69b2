internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Merges the changes of a table's rows with its rows in an archive, both in the order of the keys.
final class ChainTable: RowHandler {
  private let shape: TableLayout
  private let archive: OpenArchive
  private let rule: KeyRule
  private let builder: PartBuilder
  private let columnCount: Int

  /// The parts of the archive that were not started.
  private var parts: ArraySlice<OpenArchive.Part>
  /// The rows of the part that was started; nil if there is none.
  private var rows: ArchiveRows?
  /// The key of their current row.
  private var key: RowKey?
  /// The current line; empty if it may refer to values outside it.
  private var line: ContiguousArray<UInt8> = []

  /// Starts before the first row.
  ///
  /// - Parameters:
  ///   - shape: the table in the archive.
  ///   - archive: the archive.
  ///   - isReplaced: whether the rows of the archive are left out.
  ///   - builder: writes the result.
  init(
    _ shape: TableLayout, of archive: OpenArchive, isReplaced: Bool, to builder: PartBuilder
  ) {
    self.shape = shape
    self.archive = archive
    self.builder = builder
    rule = KeyRule(shape, schema: archive.documents.schema)
    columnCount = shape.fields.count
    parts = isReplaced ? [] : archive.parts(of: shape)[...]
  }

  // MARK: Changes

  func remove(_ first: some RowCursor) throws {
    try move(to: first.row)
    try leave()
  }

  func add(_ second: some RowCursor) throws {
    let key = key(of: second.row)
    try copyRows(before: key)
    guard self.key != key else { throw wrong(key, "it exists, but the changes add it") }
    try builder.append(ChangeSide(second, columnCount))
  }

  func replace(_ second: some RowCursor) throws {
    try move(to: second.row)
    try leave()
    try builder.append(ChangeSide(second, columnCount))
  }

  func compare(_ first: some RowCursor, _ second: some RowCursor) throws {
    try move(to: first.row)
    guard let rows else { return }
    let row = ChangeSide(rows, columnCount)
    let (before, after) = (ChangeSide(first, columnCount), ChangeSide(second, columnCount))
    for column in 0..<columnCount where try !before.hasSameValue(column, as: after, column) {
      guard try rows.hasSameValue(column, as: before, column) else {
        throw wrong(
          key, "\(shape.fields[column].storedName) is not the value that the changes begin with")
      }
      row.take(column, from: after)
    }
    try builder.append(row)
    try leave()
  }

  func finish() throws {
    try copyRows(before: nil)
    try builder.finish()
  }

  // MARK: Rows of the archive

  private func key(of row: Row) -> RowKey {
    RowKey(
      first: KeyValue(row, rule.columns.first),
      rest: rule.columns.dropFirst().map { KeyValue(row, $0) })
  }

  /// Copies the rows before a row of the archive, and moves to it.
  private func move(to row: Row) throws {
    let key = key(of: row)
    try copyRows(before: key)
    guard self.key == key else {
      throw wrong(key, "it does not exist, but the changes begin with it")
    }
  }

  /// Copies the rows with lower keys; all for nil.
  private func copyRows(before end: RowKey?) throws {
    while true {
      guard let key, let rows else {
        guard try beginPart(before: end) else { return }
        continue
      }
      if let end, key >= end { return }
      if line.isEmpty {
        try builder.append(ChangeSide(rows, columnCount))
      } else {
        try unsafe line.withUnsafeBytes { unsafe try builder.append(line: $0, of: rows.row) }
      }
      try leave()
    }
  }

  /// Begins the next part; copies unchanged parts before it.
  ///
  /// - Returns: false at the end.
  private func beginPart(before end: RowKey?) throws -> Bool {
    while let part = parts.popFirst() {
      if builder.takesParts, isUnchanged(part, before: end) {
        try builder.append(part, of: archive)
        continue
      }
      rows = ArchiveRows(shape, of: archive, [part], checksOrder: true)
      try leave()
      if key != nil { return true }
    }
    return false
  }

  /// Whether all rows of a part, and its successor, come before a key.
  ///
  /// A part ends according to the rule, except for the last one, which ends with the table.
  private func isUnchanged(_ part: OpenArchive.Part, before end: RowKey?) -> Bool {
    guard let end else { return true }
    guard !parts.isEmpty, shape.kind == .entity, let last = part.lines.attributes.lastKey else {
      return false
    }
    return RowKey(first: .integer(last)) < end
  }

  /// Leaves the current row, and moves to the next one of the part.
  private func leave() throws {
    key = nil
    guard let rows, try rows.advance() else {
      self.rows = nil
      return
    }
    line.removeAll(keepingCapacity: true)
    // Loading a row changes its line.
    if !rows.mayReferElsewhere, let bytes = unsafe rows.line {
      unsafe line.append(contentsOf: bytes)
    }
    try rows.load()
    key = key(of: rows.row)
  }

  private func wrong(_ key: RowKey?, _ detail: String) -> CofferError {
    let numbers = key.map { [$0.first] + $0.rest } ?? []
    let text = numbers.map { $0.integer.map(String.init) ?? "?" }.joined(separator: ", ")
    return CofferError(
      .wrongState, path: archive.path, item: "table \(shape.storedName), row \(text)",
      detail: detail)
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
