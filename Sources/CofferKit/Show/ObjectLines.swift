internal import CoreDataArchive

/// Goes through the lines of a table as values.
struct ObjectLines {
  private let reader: any PartReader
  private let path: String
  private let limits: JSONLimits
  private var lines: ContiguousArray<UInt8> = []
  private var start = 0

  /// The values of the current part that stand out of line.
  var blobs: ContiguousArray<UInt8> { reader.blobs }

  init(_ reader: any PartReader, path: String) {
    self.reader = reader
    self.path = path
    limits = JSONLimits(lineOf: reader.limits)
  }

  /// The next line; nil behind the last.
  ///
  /// - Throws: `damaged-archive` for a line that is none, what reading throws, `CancellationError`.
  mutating func next() throws -> JSONValue? {
    while start >= lines.count {
      try Task<Never, Never>.checkCancellation()
      guard try reader.nextPart() else { return nil }
      lines = reader.lines
      start = 0
    }
    let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) ?? lines.count
    defer { start = end + 1 }
    do throws(JSONError) {
      return try JSONValue.parse(lines[start..<end], limits: limits)
    } catch {
      throw ArchiveError(
        .damaged, path: path, entry: reader.place, detail: "a line that is not valid JSON")
    }
  }
}
