internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel

/// Joins files of changes that follow each other.
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

  /// Writes the joined changes.
  func write(to target: ArchiveTarget, _ options: ChangesOptions) throws -> ChangesSummary {
    guard let first = files.first, let last = files.last else {
      preconditionFailure("there are no changes to join")
    }
    return try ChangesOutput.write(
      to: target, ChangesDescription(first.documents),
      ChangesDocument(before: first.before, after: last.after), options
    ) { output, summary in
      for shape in first.documents.layout.tables {
        var handler = CountingHandler(output.table(shape), shape)
        try join(shape, &handler)
        summary.add(handler.counts, of: shape, first.documents.layout.entities)
      }
      try joinFiles(output, &summary)
    }
  }

  private static func gap(_ file: ChangesFile, _ item: String) -> CofferError {
    CofferError(
      .wrongState, path: file.path, item: item,
      detail: "its changes do not follow those of the file before it")
  }

  // MARK: Rows

  /// One file, and its next change.
  private struct Head {
    let file: ChangesFile
    let changes: ChangeCursor
    var word: ChangeWord?
    var key: RowKey? { changes.key }

    init(_ file: ChangesFile, _ shape: TableLayout) throws {
      self.file = file
      changes = ChangeCursor(shape, of: file)
      try advance()
    }

    mutating func advance() throws { word = try changes.next() }
  }

  private func join(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    // The folders may have other names.
    let rule = KeyRule(shape, schema: files[0].documents.schema)
    guard !rule.columns.isEmpty else { return try append(shape, &handler) }
    var heads: [Head] = []
    for file in files { heads.append(try Head(file, own(shape, file))) }
    while let key = heads.compactMap(\.key).min() {
      var composed: ComposedChange?
      for index in heads.indices where heads[index].key == key {
        try take(key, &heads[index], &composed, shape)
      }
      try composed?.pass(&handler)
    }
    try handler.finish()
  }

  /// Takes the changes of one row: an update, an insertion, a deletion, or the last two in any order.
  private func take(
    _ key: RowKey, _ head: inout Head, _ composed: inout ComposedChange?, _ shape: TableLayout
  ) throws {
    var inserted: ComposedChange?
    while head.key == key, let word = head.word {
      if let change = composed {
        var change = change
        if word == .insert, change.after != nil {
          // Its deletion comes next.
          inserted = try ComposedChange(word, head.changes, columnCount: shape.fields.count)
        } else {
          guard try change.add(word, head.changes) else { throw gap(head, key, shape) }
          composed = change
        }
      } else {
        composed = try ComposedChange(word, head.changes, columnCount: shape.fields.count)
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
      throw gap(head, key, shape)
    }
  }

  private func gap(_ head: Head, _ key: RowKey, _ shape: TableLayout) -> CofferError {
    let numbers = ([key.first] + key.rest).map { $0.integer.map(String.init) ?? "?" }
    return Self.gap(
      head.file, "table \(shape.storedName), row \(numbers.joined(separator: ", "))")
  }

  /// Passes on the changes of rows that nothing identifies, one file after the other.
  private func append(_ shape: TableLayout, _ handler: inout some RowHandler) throws {
    for file in files {
      let changes = ChangeCursor(own(shape, file), of: file)
      while let word = try changes.next() {
        if word != .insert { try handler.remove(changes.before) }
        if word != .delete { try handler.add(changes.after) }
      }
    }
    try handler.finish()
  }

  private func own(_ shape: TableLayout, _ file: ChangesFile) -> TableLayout {
    file.documents.layout.tables.first { $0.storedName.hasSameBytes(as: shape.storedName) } ?? shape
  }

  // MARK: Files

  private func joinFiles(_ output: ChangesOutput, _ summary: inout ChangesSummary) throws {
    var joined: [ExactString: (before: Int, after: Int)] = [:]
    let changed = files.map { file in
      Dictionary(file.files.map { ($0.name, $0) }) { first, _ in first }
    }
    for (number, files) in changed.enumerated() {
      for (name, file) in files {
        guard let known = joined[name] else {
          joined[name] = (number, number)
          continue
        }
        guard changed[known.after][name]?.after?.digest == file.before?.digest else {
          throw Self.gap(self.files[number], name.text)
        }
        joined[name]?.after = number
      }
    }
    for name in joined.sortedNames {
      guard let places = joined[name], var file = changed[places.before][name] else { continue }
      file.after = changed[places.after][name]?.after
      if file.before?.digest == file.after?.digest { continue }
      try output.copy(file, before: files[places.before], after: files[places.after])
      summary.add(file)
    }
  }
}
