internal import CoreDataArchive

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Goes through the lines of a table one by one.
final class LineCursor {
  /// The source, for errors.
  let path: String
  /// Whether all lines were passed.
  private(set) var isAtEnd = false
  /// How many lines were reached so far.
  private(set) var lineCount = 0
  /// The values of the current part that stand out of line.
  var blobs: ContiguousArray<UInt8> { reader.blobs }

  private let reader: any PartReader
  private let rule: KeyRule
  private var lines: ContiguousArray<UInt8> = []
  private var hasValuesElsewhere = false
  private var start = 0
  private var end = 0
  private var currentKey: RowKey?
  private var lastNumber: Int64?

  /// Begins at the first line.
  init(_ reader: any PartReader, rule: KeyRule, path: String) throws {
    self.reader = reader
    self.rule = rule
    self.path = path
    try advance()
  }

  /// Goes on to the next line.
  func advance() throws {
    currentKey = nil
    start = end + 1
    while start >= lines.count {
      // Given up first, so that the reader can use the memory again.
      lines = []
      guard try reader.nextPart() else {
        isAtEnd = true
        return
      }
      lines = reader.lines
      hasValuesElsewhere = reader.hasValuesElsewhere
      start = 0
    }
    end = unsafe lines.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
      else { return bytes.count }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
    lineCount += 1
    if rule.isAscending { try checkOrder() }
  }

  /// Makes sure that the keys of all lines ascend, those included that nobody looks at.
  private func checkOrder() throws(ArchiveError) {
    var number = leadingInteger
    if number == nil { number = KeyValue(try value()[rule.members[0]]).integer }
    guard let number else { throw damaged("a line without its key") }
    if let lastNumber, number <= lastNumber {
      throw damaged("the lines are not in the order of their keys")
    }
    lastNumber = number
  }

  /// Whether two current lines have the same bytes.
  func hasSameBytes(as other: LineCursor) -> Bool {
    guard end - start == other.end - other.start else { return false }
    return unsafe lines.withUnsafeBufferPointer { left in
      unsafe other.lines.withUnsafeBufferPointer { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return false }
        return unsafe memcmp(first + start, second + other.start, end - start) == 0
      }
    }
  }

  /// Whether the current line may refer to values elsewhere: a member that is a list does, and the
  /// same bytes within a text are taken for one.
  var mayReferElsewhere: Bool {
    guard hasValuesElsewhere else { return false }
    var place = start + 2
    while place < end {
      if lines[place] == UInt8(ascii: "["), lines[place - 1] == UInt8(ascii: ":"),
        lines[place - 2] == UInt8(ascii: "\"")
      {
        return true
      }
      place += 1
    }
    return false
  }

  /// The bytes of the current line.
  var bytes: ArraySlice<UInt8> { ArraySlice(lines[start..<end]) }

  /// The current line as a value.
  func value() throws(ArchiveError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue.parse(lines[start..<end], limits: JSONLimits(lineOf: reader.limits))
    } catch {
      if error.kind == .tooDeep {
        throw ArchiveError.exceeding(
          .lineDepth, of: reader.limits, path: path, entry: reader.place,
          "byte \(error.offset) of a line: it nests deeper")
      }
      throw damaged("byte \(error.offset) of a line: not valid JSON: \(error.kind.rawValue)")
    }
  }

  /// The key of the current line; nil where rows have none.
  func key() throws(ArchiveError) -> RowKey? {
    if rule.members.isEmpty { return nil }
    if let currentKey { return currentKey }
    let key: RowKey
    if rule.isAscending, let lastNumber {
      key = RowKey(first: .integer(lastNumber))
    } else if let number = leadingInteger {
      key = RowKey(first: .integer(number))
    } else {
      let value = try value()
      key = RowKey(
        first: KeyValue(value[rule.members[0]]),
        rest: rule.members.dropFirst().map { KeyValue(value[$0]) })
    }
    currentKey = key
    return key
  }

  /// The integer that the line begins with, as the member that is its key.
  private var leadingInteger: Int64? {
    let beginning = rule.beginning
    guard !beginning.isEmpty, lines[start..<end].starts(with: beginning) else { return nil }
    var place = start + beginning.count
    let isNegative = place < end && lines[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var number: Int64 = 0
    let first = place
    while place < end, case let digit = lines[place] &- UInt8(ascii: "0"), digit < 10 {
      // Nineteen digits may not fit; the slow way knows.
      guard place - first < 18 else { return nil }
      number = number * 10 + Int64(digit)
      place += 1
    }
    guard place > first, place < end,
      lines[place] == UInt8(ascii: ",") || lines[place] == UInt8(ascii: "}")
    else { return nil }
    return isNegative ? -number : number
  }

  /// Whether the current part has a value of that name that is an entry of its own.
  func hasValue(named name: String) -> Bool { reader.hasValue(named: name) }

  /// The digest of a value that is an entry of its own.
  func digest(ofValue name: String) throws -> ArchiveDigest { try reader.digest(ofValue: name) }

  /// An error at the current part.
  func damaged(_ detail: String) -> ArchiveError {
    ArchiveError(.damaged, path: path, entry: reader.place, detail: detail)
  }
}
