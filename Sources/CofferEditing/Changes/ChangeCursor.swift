package import CofferComparison
internal import CofferCore
internal import CoreDataArchive
package import CoreDataLayout
internal import CoreDataModel

/// The changes of one table of a change file, one after another.
package final class ChangeCursor {
  private let file: ChangesFile
  private let reader: LineReader
  private let sink: ChangeSink
  private var parts: ArraySlice<OpenArchive.Part>
  private var lines = StableBytes()
  private var blobs = StableBytes()
  private var decoder: LineDecoder
  private var splitter = LineSplitter()
  private var entry = ""
  private let rule: KeyRule
  /// Whether the lines are all rows of the table after the changes.
  private let isWhole: Bool
  /// The key of the current change's row; nil if the rows have no key.
  package private(set) var key: RowKey?
  /// The changes of the row so far, as stored in the file.
  private var words: [ChangeWord] = []

  /// Starts before the first change.
  package init(_ shape: TableLayout, of file: ChangesFile) {
    self.file = file
    reader = LineReader(shape, entities: file.documents.layout.entities)
    rule = KeyRule(shape, schema: file.documents.schema)
    sink = ChangeSink(columnCount: shape.fields.count, keyColumns: rule.columns, of: file.archive)
    isWhole = file.isWhole(shape)
    parts = file.archive.parts(of: shape)[...]
    decoder = unsafe Self.decoder(blobs.bytes, reader, file)
  }

  private static func decoder(
    _ blobs: UnsafeRawBufferPointer, _ reader: LineReader, _ file: ChangesFile
  ) -> LineDecoder {
    unsafe LineDecoder(
      blobs: blobs, entityNumbers: reader.entityNumbers, limits: file.archive.file.limits)
  }

  /// The current row before its change, and after it; borrowed until the next one.
  var before: ChangeSide { file.isReversed ? sink.after : sink.before }
  var after: ChangeSide { file.isReversed ? sink.before : sink.after }

  /// Moves to the next change.
  ///
  /// - Returns: the kind of change; nil at the end.
  /// - Throws: ``CofferError`` with `damaged-archive` or `archive-limit`; `CancellationError`.
  package func next() throws -> ChangeWord? {
    while true {
      if let range = unsafe splitter.next(in: lines.bytes) { return try decode(range) }
      guard let part = parts.popFirst() else {
        key = nil
        return nil
      }
      try begin(part)
    }
  }

  private func begin(_ part: OpenArchive.Part) throws {
    try Task<Never, Never>.checkCancellation()
    sink.clearBindings()
    entry = part.lines.name
    // Released first, so that the memory can be reused.
    lines = StableBytes()
    lines = try StableBytes(entry, of: file.archive.file)
    blobs =
      part.hasBlobs ? try StableBytes(part.stem + ".blobs", of: file.archive.file) : StableBytes()
    decoder = unsafe Self.decoder(blobs.bytes, reader, file)
    (sink.before.stem, sink.after.stem) = (part.stem, part.stem)
    splitter = LineSplitter()
  }

  private func decode(_ range: Range<Int>) throws(CofferError) -> ChangeWord {
    let word: ChangeWord
    do throws(LineError) {
      let name = unsafe try reader.beginChange(lines.mutableBytes(range), &decoder)
      guard let known = ChangeWord(rawValue: name),
        known != .replace || !file.states.isReversible
      else { throw decoder.failure("unknown change") }
      guard known == .insert || !isWhole else {
        throw decoder.failure("the table is included as a whole, but this is not an insertion")
      }
      sink.begin(known)
      _ = try reader.readRow(&decoder, into: sink)
      word = known
    } catch {
      let place = ArchivePlace(path: file.path, entry: entry, limits: file.archive.file.limits)
      throw error.archiveError(line: splitter.number, in: place)
    }
    try takeKey(word)
    try sink.before.requireValues()
    try sink.after.requireValues()
    guard file.isReversed else { return word }
    return word == .insert ? .delete : word == .delete ? .insert : .update
  }

  /// Reads the key of the current line.
  private func takeKey(_ word: ChangeWord) throws(CofferError) {
    let row = word == .insert || word == .replace ? sink.after.row : sink.before.row
    guard let first = rule.columns.first else { return }
    let next = RowKey(
      first: KeyValue(row, first), rest: rule.columns.dropFirst().map { KeyValue(row, $0) })
    if rule.isAscending, next.first.integer == nil { throw damaged("the key is not an integer") }
    if let key, next < key { throw damaged("the line is not in the order of the keys") }
    if next != key { words = [] }
    words.append(word)
    key = next
    // Keys other than numbers may be cut or NULL, so that several rows have the same key.
    guard words.count > 1, ([next.first] + next.rest).allSatisfy({ $0.integer != nil }) else {
      return
    }
    guard words.count == 2, Set(words) == [.insert, .delete] else {
      throw damaged("the row changes twice")
    }
  }

  private func damaged(_ detail: String) -> CofferError {
    CofferError(
      .damagedArchive, path: file.path, entry: entry,
      detail: "line \(splitter.number): \(detail)")
  }
}

/// The kind of change in a line, by its word.
package enum ChangeWord: String {
  case insert, delete, update
  /// A whole row replaces one with only its key known.
  case replace
}
