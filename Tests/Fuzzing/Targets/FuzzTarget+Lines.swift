internal import CofferKit
internal import CoreDataArchive
internal import CoreDataLayout

extension FuzzTarget {
  /// Words of lines.
  static let lineWords =
    jsonWords + [
      "{\"$pk\":", "\"$opt\":", "\"$entity\":\"B\"", "\"$number\":", "\"$row\":", "\"$columns\":",
      "{\"$blob\":\"", "{\"$bytes\":[", "{\"$text\":[", "{\"$text64\":\"", "{\"$real\":\"NaN\"}",
      "{\"$external\":\"", "\"$order\":{", "\"$owner\":{", "{\"$integer\":", "\"large\":",
    ]

  /// The lines of tables with every form of a column.
  static let lines = FuzzTarget(
    "lines", "lines of a table; values lie within the line, and JSON decides what is one",
    maximumSize: 1 << 14, words: lineWords, seeds: { FuzzLines.seeds },
    change: { bytes, random in
      guard let table = bytes.first else { return }
      var line = Array(bytes.dropFirst())
      try JSONValue.mutate(&line, words: lineWords, &random)
      bytes = [table] + line
    }
  ) { input in
    guard let first = input.first else { return }
    let table = FuzzLines.tables[Int(first) % FuzzLines.tables.count]
    let line = Array(input.dropFirst())
    let once = try read(line, table)
    try hold(once == (try read(line, table)), "a line is read in two ways")
    guard once != nil else { return }
    do throws(JSONError) {
      guard case .object = try JSONValue.parse(line) else {
        throw JSONError(.unexpectedByte, at: 0)
      }
    } catch {
      try hold(error.kind == .duplicateKey, "a line is read that is no object: \(error)")
    }
  }

  /// Reads a line; nil if it is refused.
  private static func read(_ line: [UInt8], _ table: TableLayout) throws -> BoundValues? {
    let text = try GuardedBytes.copy(line)
    let blobs = try GuardedBytes.copy(FuzzLines.blobs)
    let record = BoundValues()
    record.lenders = [text.addresses, blobs.addresses]
    let reader = LineReader(table, entities: FuzzLines.entities)
    var decoder = unsafe LineDecoder(
      blobs: UnsafeRawBufferPointer(blobs.bytes), entityNumbers: reader.entityNumbers)
    do throws(LineError) {
      _ = try unsafe reader.read(text.bytes, &decoder, into: RecordingSink(record: record))
    } catch {
      try hold(error.offset >= 0 && error.offset <= line.count, "an error outside of the line")
      return nil
    }
    try hold(!record.isOutside, "a value lies outside of the line and the blobs")
    let parameters = 1...Int32(table.fields.count + 1)
    try hold(
      record.values.allSatisfy { parameters.contains($0.parameter) }, "a value without a column")
    return record
  }
}
