internal import CofferComparison
internal import CofferCore
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Joins change files that follow each other.
///
/// The changes of a table are in the order of the keys of its rows, so all files are read side by side.
struct ChangesConcatenation {
  private let files: [ChangesFile]

  /// - Throws: ``CofferError`` with `model-mismatch` or `wrong-state` if the files cannot follow each
  ///   other.
  init(_ files: [ChangesFile]) throws(CofferError) {
    self.files = files
    for (one, next) in zip(files, files.dropFirst()) {
      try StateCompatibility.require(one.documents, next.documents, path: next.path)
      guard one.after.hasSameSettings(as: next.before),
        one.after.digest == nil || next.before.digest == nil
          || one.after.digest == next.before.digest
      else { throw Self.gap(next, "the store") }
    }
  }

  func write(to target: ArchiveTarget, _ options: ChangesOptions) throws -> ChangesSummary {
    guard let first = files.first, let last = files.last else {
      preconditionFailure("there are no changes to join")
    }
    var states = ChangesDocument(before: first.before, after: last.after)
    states.isReversible = isReversible
    return try ChangesOutput.write(
      to: target, ChangesDescription(last.documents), states, options
    ) { output, summary in
      for shape in last.documents.layout.tables {
        var handler = CountingHandler(output.table(shape, isWhole: isWhole(shape)), shape)
        try join(shape, &handler)
        summary.add(handler.counts, of: shape, last.documents.layout.entities)
      }
      for change in try joinedFiles() {
        try output.copy(change.file, before: files[change.before], after: files[change.after])
        summary.add(change.file)
      }
    }
  }

  var fileCount: Int { files.count }

  func file(_ number: Int) -> ChangesFile { files[number] }

  /// Whether all files have the previous values.
  var isReversible: Bool { files.allSatisfy(\.states.isReversible) }

  /// Whether one of the files has a table as a whole, so that its earlier content is irrelevant.
  func isWhole(_ shape: TableLayout) -> Bool { lastWhole(shape) != nil }

  private func lastWhole(_ shape: TableLayout) -> Int? {
    files.lastIndex { $0.isWhole(own(shape, $0)) }
  }

  static func gap(_ file: ChangesFile, _ item: String) -> CofferError {
    CofferError(
      .wrongState, path: file.path, item: item,
      detail: "its changes do not follow the previous file's")
  }

  // MARK: Rows

  /// Passes the combined changes of a table's rows to a handler, in the order of the keys.
  ///
  /// - Throws: ``CofferError`` with `wrong-state` if the changes of a row do not follow each other.
  func join(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    guard var changes = try joined(shape) else { return try append(shape, &handler) }
    let isReversible = isReversible
    while let change = try changes.next() { try change.pass(&handler, needsBefore: isReversible) }
    try handler.finish()
  }

  /// The combined changes of a table's rows; nil if the rows have no key.
  func joined(_ shape: TableLayout) throws -> JoinedChanges? {
    // The folders may have other names.
    let rule = KeyRule(shape, schema: files[0].documents.schema)
    guard !rule.columns.isEmpty else { return nil }
    return try JoinedChanges(
      of: files[(lastWhole(shape) ?? 0)...].map { ($0, own(shape, $0)) },
      columnCount: shape.fields.count, tableName: shape.storedName)
  }

  /// Passes on the changes of rows without a key: removed rows, then added ones.
  private func append(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    let whole = lastWhole(shape)
    var removed = LooseRows(columnCount: shape.fields.count)
    var added = removed
    for file in files[(whole ?? 0)...] {
      let changes = ChangeCursor(own(shape, file), of: file)
      while let word = try changes.next() {
        if word != .insert, try !added.remove(changes.before) {
          guard whole == nil else { throw Self.gap(file, "table \(shape.storedName)") }
          removed.add(changes.before)
        }
        guard word != .delete else { continue }
        // A row that an earlier file removed is there again, unless all rows are written.
        if try !removed.remove(changes.after) { added.add(changes.after) }
      }
    }
    for row in removed.all { try handler.remove(row) }
    for row in added.all { try handler.add(row) }
    try handler.finish()
  }

  /// A table in a change file, where its folder may have another name.
  func own(_ shape: TableLayout, _ file: ChangesFile) -> TableLayout {
    file.documents.layout.tables.first { $0.storedName.hasSameBytes(as: shape.storedName) } ?? shape
  }

  // MARK: Files

  /// A file of the support folder, with the numbers of the change files that contain its state
  /// before and after all changes.
  typealias JoinedFile = (file: ChangedFile, before: Int, after: Int)

  /// The combined changes of the files in the support folder, in ascending order.
  ///
  /// - Throws: ``CofferError`` with `wrong-state` if the changes of a file do not follow each other.
  func joinedFiles() throws(CofferError) -> [JoinedFile] {
    var joined: [Name: JoinedFile] = [:]
    for (number, changes) in files.enumerated() {
      for file in changes.files {
        guard let known = joined[file.name] else {
          joined[file.name] = (file, number, number)
          continue
        }
        // If the previous content is unknown, the file must at least exist.
        let hasContent = known.file.after != nil
        let digest = file.before?.digest
        guard hasContent == (file.before != nil),
          digest == nil || digest == known.file.after?.digest
        else { throw Self.gap(changes, file.name.text) }
        joined[file.name]?.file.after = file.after
        joined[file.name]?.after = number
      }
    }
    return joined.keys.sorted().compactMap { joined[$0] }.filter { !$0.file.isSame }
  }
}

/// Rows of a table without a row key, in the order of their addition.
struct LooseRows {
  private var rows: [ChangeSide?] = []
  /// The places of the rows with the same values, as far as a line borrows them.
  private var places: [[KeyValue]: [Int]] = [:]
  private let columns: Range<Int>

  init(columnCount: Int) { columns = 0..<columnCount }

  var all: some Sequence<ChangeSide> { rows.lazy.compactMap { $0 } }

  mutating func add(_ row: ChangeSide) {
    places[key(row), default: []].append(rows.count)
    rows.append(row.copy())
  }

  /// Removes one row with the same values; returns false if there is none.
  mutating func remove(_ row: ChangeSide) throws -> Bool {
    let key = key(row)
    guard let candidates = places[key] else { return false }
    for (index, place) in candidates.enumerated().reversed() {
      guard let known = rows[place],
        try columns.allSatisfy({ try known.hasSameValue($0, as: row, $0) })
      else { continue }
      rows[place] = nil
      places[key]?.remove(at: index)
      return true
    }
    return false
  }

  private func key(_ row: ChangeSide) -> [KeyValue] { columns.map { KeyValue(row.row, $0) } }
}
