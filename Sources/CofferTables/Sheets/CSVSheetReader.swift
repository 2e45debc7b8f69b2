internal import CoreDataModel

/// Reads comma-separated values (RFC 4180) in UTF-8, as ``CSVLine`` writes them.
///
/// Records end with CR LF, LF or CR. An empty field is no value, a pair of quotes an empty text. Lines
/// without anything are passed over.
final class CSVSheetReader: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer: SheetBuffer
  let unit = "line"
  /// The line of the names of the columns.
  private(set) var headerLine: Int?
  private let path: String
  /// The line at ``SheetBuffer/position``.
  private var line = 1
  /// The fields of the record in which quotes are doubled.
  private var doubled: ContiguousArray<Int> = []

  /// The result of a scan of the bytes that were read.
  private enum Outcome {
    case record(end: Int, lines: Int)
    case incomplete
    case nothing
  }

  /// Opens a file and reads its first record, the names of the columns.
  init(path: String) throws(CofferError) {
    self.path = path
    buffer = try SheetBuffer(path: path)
    try buffer.requireUTF8()
    if buffer.end >= 4, buffer[1] == 0xEF, buffer[2] == 0xBB, buffer[3] == 0xBF {
      buffer.position = 4
    }
    guard try read() else {
      throw SheetPlace(path: path).error(
        "it is empty", advice: "The first line has the names of the columns.")
    }
    headerLine = record.line
    columns = record.fields.map { field in
      if case .text(let range) = field.value { buffer.string(range) } else { "" }
    }
    if let index = columns.firstIndex(where: \.isEmpty) {
      throw place(nil).error("column \(index + 1) has no name")
    }
  }

  func next() throws(CofferError) -> Bool {
    while try read() {
      if record.fields.count == 1, record.fields[0].value == .none { continue }
      if record.fields.count == columns.count { return true }
      let (count, expected) = (record.fields.count, columns.count)
      throw place(nil).error(
        "it has \(count) \(count == 1 ? "field" : "fields"), and the first line \(expected)",
        advice: "Put fields that contain commas or line breaks into quotes.")
    }
    return false
  }

  private func place(_ column: String?) -> SheetPlace {
    SheetPlace(path: path, line: "line \(record.line)", column: column)
  }

  /// Reads the next record, whatever it has; false at the end.
  private func read() throws(CofferError) -> Bool {
    var isComplete = false
    while true {
      record.removeAll()
      doubled.removeAll(keepingCapacity: true)
      record.line = line
      switch try scan(isComplete: isComplete) {
      case .nothing:
        if isComplete { return false }
      case .incomplete: break
      case .record(let end, let lines):
        for index in doubled { unescape(index) }
        buffer.position = end
        line += lines
        return true
      }
      isComplete = try !buffer.more()
    }
  }

  /// Finds the fields of a record; the file may end with the bytes that were read.
  private func scan(isComplete: Bool) throws(CofferError) -> Outcome {
    let end = buffer.end
    var place = buffer.position
    var lines = 0
    guard place < end else { return .nothing }
    while true {
      if place < end, buffer[place] == 0x22 {
        guard let close = try quoted(from: place, &lines, isComplete: isComplete) else {
          return .incomplete
        }
        place = close
      } else {
        let start = place
        while place < end {
          let byte = buffer[place]
          if byte == 0x2C || byte == 0x0A || byte == 0x0D { break }
          place &+= 1
        }
        append(place == start ? .none : .text(start..<place))
      }
      guard place < end else { return isComplete ? .record(end: end, lines: lines) : .incomplete }
      let byte = buffer[place]
      place &+= 1
      if byte == 0x2C { continue }
      lines &+= 1
      if byte == 0x0D {
        guard place < end || isComplete else { return .incomplete }
        if place < end, buffer[place] == 0x0A { place &+= 1 }
      }
      return .record(end: place, lines: lines)
    }
  }

  /// Finds the end of a field in quotes.
  ///
  /// - Returns: the place behind the closing quote; nil if more bytes are needed.
  private func quoted(
    from start: Int, _ lines: inout Int, isComplete: Bool
  ) throws(CofferError) -> Int? {
    let end = buffer.end
    var place = start &+ 1
    var hasDoubled = false
    while true {
      guard place < end else {
        guard isComplete else { return nil }
        throw self.place(name(record.fields.count)).error("a quote is not closed")
      }
      let byte = buffer[place]
      if byte == 0x0A { lines &+= 1 }
      place &+= 1
      guard byte == 0x22 else { continue }
      guard place < end || isComplete else { return nil }
      guard place < end, buffer[place] == 0x22 else { break }
      hasDoubled = true
      place &+= 1
    }
    if hasDoubled { doubled.append(record.fields.count) }
    append(.text((start &+ 1)..<(place &- 1)))
    if place < end, ![0x2C, 0x0A, 0x0D].contains(buffer[place]) {
      throw self.place(name(record.fields.count - 1)).error(
        "something follows a closing quote", advice: "Double the quotes within quotes.")
    }
    return place
  }

  private func name(_ column: Int) -> String? {
    columns.indices.contains(column) ? columns[column] : nil
  }

  private func append(_ value: SheetValue) {
    record.fields.append(SheetRecord.Field(column: record.fields.count, value: value))
  }

  /// Makes one quote of two.
  private func unescape(_ index: Int) {
    guard case .text(let range) = record.fields[index].value else { return }
    var (read, write) = (range.lowerBound, range.lowerBound)
    while read < range.upperBound {
      let byte = buffer[read]
      buffer[write] = byte
      read &+= byte == 0x22 ? 2 : 1
      write &+= 1
    }
    record.fields[index].value = .text(range.lowerBound..<write)
  }
}
