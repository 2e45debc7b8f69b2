internal import CoreDataArchive
internal import CoreDataLayout

/// Checks that the parts of a table end where the rule of the format says: only then do equal data have
/// equal content digests.
///
/// Only the first fault of a table is reported. After an unreadable line, the rest is unknown.
final class PartEnds {
  private var rule = PartRule.standard
  private let keyColumns: [Int]
  private var isDone = false
  private var entry = ""
  /// Whether the row before ends its part; true before the first one, as nothing has to end there.
  private var isFull = true
  /// The position to which the part was read.
  private var position = Position()

  /// The number of bytes of lines and blobs of a part so far.
  struct Position {
    /// The bytes of lines, with their line feeds.
    var lines = 0
    /// The bytes of blobs that lines refer to.
    var blobs = 0
    /// The number of digits in the offsets of these.
    var digits = 0

    /// The beginning of a part.
    init() {}

    init(_ row: DecodedRows.Row) {
      (lines, blobs, digits) = (Int(row.lineEnd), Int(row.blobBytes), Int(row.blobDigits))
    }
  }

  init(_ shape: TableLayout, schema: SchemaDocument) {
    keyColumns = PartRule.keyColumns(of: shape, schema)
    isDone = shape.kind == .entity && keyColumns.isEmpty
  }

  /// Begins a part, and returns the anomaly of the previous one, if any.
  func begin(_ entry: String) -> String? {
    let before = self.entry
    (self.entry, position) = (entry, Position())
    let ended = isFull
    isFull = false
    return ended || isDone ? nil : told("\(before): the part ends too early")
  }

  /// Takes the next row of the part, and returns the anomaly of the part, if any.
  func take(_ row: Row, _ end: Position, line: Int) -> String? {
    if isDone { return nil }
    if isFull { return told("\(entry): the part continues after line \(line - 1), which ends it") }
    rule.begin()
    for column in keyColumns { rule.add(row.integer(column)) }
    if keyColumns.isEmpty { rule.add(nil) }
    let size =
      end.lines - position.lines + end.blobs - position.blobs - (end.digits - position.digits)
    position = end
    isFull = rule.ends(after: size) || max(end.lines, end.blobs) >= rule.most
    return nil
  }

  /// Notes that a line could not be read.
  func lose() { isDone = true }

  private func told(_ detail: String) -> String {
    isDone = true
    return detail
  }
}
