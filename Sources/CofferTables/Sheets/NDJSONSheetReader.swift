internal import CoreDataArchive
internal import CoreDataModel

/// Reads lines with one JSON object each; empty lines are passed over.
///
/// A column is a member. The members of an object in an object are columns with both names, as
/// `place.latitude`.
final class NDJSONSheetReader: SheetReader {
  private(set) var columns: [String] = []
  private(set) var record = SheetRecord()
  let buffer: SheetBuffer
  let unit = "line"
  private let path: String
  private var line = 0
  private var scanner: JSONScanner
  /// The keys that have occurred.
  private var entries: ContiguousArray<Entry> = []
  /// Their numbers, by the key of the object around them.
  private var numbers: [Int: [Name: Int]] = [:]

  /// A key of an object.
  private struct Entry {
    var key: JSONKey
    /// The key of the object around it; -1 for none.
    var parent: Int
    /// The names of both.
    var path: String
    /// The number of its column; -1 as long as its value has been an object.
    var column = -1
  }

  /// Opens a file.
  init(path: String) throws(CofferError) {
    self.path = path
    buffer = try SheetBuffer(path: path)
    try buffer.requireUTF8()
    if buffer.end >= 4, buffer[1] == 0xEF, buffer[2] == 0xBB, buffer[3] == 0xBF {
      buffer.position = 4
    }
    scanner = unsafe JSONScanner(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  func next() throws(CofferError) -> Bool {
    while let text = try nextLine() {
      record.removeAll()
      record.line = line
      unsafe scanner.reset(buffer.mutableBytes(text))
      do throws(JSONError) {
        guard try scanner.next() == .objectStart else {
          throw JSONError(.unexpectedByte, at: 0)
        }
        try readObject(within: -1, from: text.lowerBound)
        guard try scanner.next() == .end else { throw JSONError(.trailingBytes, at: 0) }
        return true
      } catch {
        let detail =
          error.kind == .bigNumber ? "a number is out of range" : "it is not a JSON object"
        throw SheetPlace(path: path, line: "line \(line)").error(
          "\(detail) (byte \(error.offset + 1))")
      }
    }
    return false
  }

  /// The place of the next line that is not empty; nil at the end.
  private func nextLine() throws(CofferError) -> Range<Int>? {
    var searched = buffer.position
    while true {
      let found = buffer.firstIndex(of: 0x0A, from: searched)
      if found == nil {
        let read = buffer.end - buffer.position
        if try buffer.more() {
          searched = buffer.position + read
          continue
        }
      }
      let start = buffer.position
      var end = found ?? buffer.end
      guard start < end || found != nil else { return nil }
      buffer.position = found.map { $0 + 1 } ?? buffer.end
      line += 1
      while end > start, buffer[end - 1] == 0x0D || buffer[end - 1] == 0x20 { end -= 1 }
      if start < end { return start..<end }
      searched = buffer.position
    }
  }

  /// Reads the members of an object, whose brace was read.
  private func readObject(within parent: Int, from start: Int) throws(JSONError) {
    var expected = parent < 0 ? 0 : parent + 1
    while true {
      let entry: Int
      if expected < entries.count, entries[expected].parent == parent,
        scanner.takeKey(entries[expected].key)
      {
        entry = expected
      } else {
        switch try scanner.next() {
        case .key(let key): entry = find(key, within: parent)
        default: return
        }
      }
      expected = entry + 1
      try readValue(of: entry, from: start)
    }
  }

  private func find(_ key: JSONSlice, within parent: Int) -> Int {
    let name = scanner.string(of: key)
    if let known = numbers[parent]?[Name(name)] { return known }
    numbers[parent, default: [:]][Name(name)] = entries.count
    let path = parent < 0 ? name : "\(entries[parent].path).\(name)"
    entries.append(Entry(key: JSONKey(name), parent: parent, path: path))
    return entries.count - 1
  }

  private func readValue(of entry: Int, from start: Int) throws(JSONError) {
    let token = try scanner.next()
    switch token {
    case .objectStart: return try readObject(within: entry, from: start)
    case .arrayStart:
      let first = record.elements.count
      while true {
        let element = try scanner.next()
        if element == .arrayEnd { break }
        record.elements.append(try value(of: element, from: start))
      }
      append(.list(first..<record.elements.count), of: entry)
    default: append(try value(of: token, from: start), of: entry)
    }
  }

  private func append(_ value: SheetValue, of entry: Int) {
    if entries[entry].column < 0 {
      entries[entry].column = columns.count
      columns.append(entries[entry].path)
    }
    record.fields.append(SheetRecord.Field(column: entries[entry].column, value: value))
  }

  private func value(of token: JSONToken, from start: Int) throws(JSONError) -> SheetValue {
    switch token {
    case .null: return .none
    case .integer(let number): return .integer(number)
    case .real(let number): return self.number(number, endingAt: start + scanner.offset)
    case .bool(let flag): return .boolean(flag)
    case .string(let slice):
      return .text((start + slice.start)..<(start + slice.start + slice.count))
    default: throw JSONError(.unexpectedByte, at: scanner.offset)
    }
  }

  /// A number with the place of its text, if that is so long that the number may be another one.
  private func number(_ number: Double, endingAt end: Int) -> SheetValue {
    var first = end
    while first > 0, Self.isNumberByte(buffer[first - 1]) { first -= 1 }
    return end - first > 15 ? .written(number, first..<end) : .real(number)
  }

  /// Whether a byte can be a part of a number that is not whole.
  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
