internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// The reason why a value of a table is not valid for its attribute.
struct SheetValueProblem: Error, Equatable {
  /// Why, in one sentence without the value.
  var detail: String
  /// What to do, or nil.
  var advice: CofferError.Advice?
}

/// Converts the values of tables to stored values of an attribute: none, an integer, a floating
/// point number, a text or bytes.
///
/// It works on the bytes in place, and allocates nothing except for dates in forms other than an
/// export's.
struct SheetValues {
  /// The bytes of texts.
  let buffer: SheetBuffer
  /// The form of dates; nil for ISO 8601.
  let dateFormat: Instant.Format?

  /// The stored form of the value; throws ``SheetValueProblem`` if it does not have the type.
  func stored(
    _ value: SheetValue, _ form: ValueForm, _ type: AttributeType
  ) throws(SheetValueProblem) -> SheetValue {
    if case .none = value { return .none }
    if case .list = value { throw SheetValueProblem(detail: "it is a list, not a single value") }
    switch form {
    case .integer: return .integer(try integer(value, type))
    case .boolean: return .integer(try boolean(value) ? 1 : 0)
    case .real: return .real(try real(value, type))
    case .number: return try decimal(value)
    case .date: return try date(value)
    case .text: return try text(value)
    case .uuid: return try uuid(value)
    case .binary: return try binary(value)
    case .externalBinary:
      guard case .blob(let range) = try binary(value) else { return .none }
      buffer[range.lowerBound - 1] = 1
      return .blob((range.lowerBound - 1)..<range.upperBound)
    default: return try plain(value)
    }
  }

  /// A primary key, or a position.
  func key(_ value: SheetValue) throws(SheetValueProblem) -> Int64 {
    switch value {
    case .integer(let number): return number
    case .text(let range):
      if let number = digits(range) { return number }
    default: break
    }
    throw SheetValueProblem(detail: "it is not a whole number", advice: .nameKeys)
  }

  /// The whole number that a text is, if it is written as numbers are; nil for any other text.
  func canonicalNumber(_ range: Range<Int>) -> SheetValue? {
    guard let number = digits(range), buffer.string(range) == "\(number)" else { return nil }
    return .integer(number)
  }

  // MARK: Numbers

  private func integer(_ value: SheetValue, _ type: AttributeType) throws(SheetValueProblem)
    -> Int64
  {
    let found: Int64? =
      switch value {
      case .integer(let number): number
      case .real(let number): Int64(exactly: number)
      case .written(let number, let range): isExact(number, range) ? Int64(exactly: number) : nil
      case .text(let range): digits(range)
      default: nil
      }
    guard let found else { throw SheetValueProblem(detail: "it is not a whole number") }
    let isWithin =
      switch type {
      case .integer16: Int16(exactly: found) != nil
      case .integer32: Int32(exactly: found) != nil
      default: true
      }
    guard isWithin else {
      throw SheetValueProblem(detail: "it is out of the range of \(type.name)")
    }
    return found
  }

  /// The whole number that digits are, with a sign or without; nil for anything else.
  private func digits(_ range: Range<Int>) -> Int64? {
    guard let first = range.first else { return nil }
    let isSigned = buffer[first] == 0x2D || buffer[first] == 0x2B
    let isNegative = buffer[first] == 0x2D
    var place = isSigned ? first + 1 : first
    guard place < range.upperBound else { return nil }
    var number: Int64 = 0
    while place < range.upperBound {
      let digit = buffer[place] &- 0x30
      guard digit <= 9 else { return nil }
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) =
        isNegative
        ? tens.subtractingReportingOverflow(Int64(digit))
        : tens.addingReportingOverflow(Int64(digit))
      guard !isTooLarge, !isBeyond else { return nil }
      number = sum
      place &+= 1
    }
    return number
  }

  private func boolean(_ value: SheetValue) throws(SheetValueProblem) -> Bool {
    switch value {
    case .boolean(let flag): return flag
    case .integer(0): return false
    case .integer(1): return true
    case .text(let range):
      if buffer.equal(range, "true") || buffer.equal(range, "1") { return true }
      if buffer.equal(range, "false") || buffer.equal(range, "0") { return false }
      let text = buffer.string(range).lowercased()
      if text == "true" { return true }
      if text == "false" { return false }
    default: break
    }
    throw SheetValueProblem(
      detail: "it is not a truth value", advice: "Write true or false, or 1 or 0.")
  }

  /// A number within the range of the type; a Float keeps the digits that the tables of a store have.
  private func real(_ value: SheetValue, _ type: AttributeType) throws(SheetValueProblem) -> Double
  {
    let number = try real(value)
    guard type != .float || !number.isFinite || Float(number).isFinite else {
      throw SheetValueProblem(detail: "it is out of the range of \(type.name)")
    }
    return number
  }

  private func real(_ value: SheetValue) throws(SheetValueProblem) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .real(let number), .written(let number, _): return number
    case .text(let range):
      if let number = unsafe RealText.parse(buffer.bytes(range)) { return number }
      if buffer.equal(range, "Infinity") { return .infinity }
      if buffer.equal(range, "-Infinity") { return -.infinity }
      if let number = digits(range) { return Double(number) }
    default: break
    }
    throw Self.noNumber
  }

  private static let noNumber = SheetValueProblem(
    detail: "it is not a number", advice: "Write digits with a point, such as 1234.5 or 1e-7.")

  /// A decimal number, which must be one that a store can keep with all its digits.
  private func decimal(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    let range: Range<Int>
    switch value {
    case .integer: return value
    case .text(let place), .written(_, let place): range = place
    default: return .real(try real(value))
    }
    if let number = digits(range) { return .integer(number) }
    let number = try real(value)
    guard !number.isFinite || isExact(number, range) else {
      throw SheetValueProblem(
        detail: "it has more digits than a store keeps",
        advice: "Core Data stores decimal numbers with the precision of a double: about 16 digits.")
    }
    return .real(number)
  }

  private func isExact(_ number: Double, _ range: Range<Int>) -> Bool {
    DecimalDigits(buffer.string(range)).isExact(number)
  }

  // MARK: Others

  private func date(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    switch value {
    case .integer(let seconds): return .integer(seconds)
    case .real(let seconds), .written(let seconds, _): return .real(seconds)
    case .text(let range):
      if let dateFormat {
        guard let date = dateFormat.read(buffer.string(range)) else {
          throw SheetValueProblem(detail: "it is not a date in the given form")
        }
        return SheetValue(date)
      }
      if let date = unsafe Instant.Stored.parse(buffer.bytes(range)) { return SheetValue(date) }
      return try otherDate(buffer.string(range), range)
    default: break
    }
    throw SheetValueProblem(detail: "it is not a date")
  }

  private func otherDate(
    _ text: String, _ range: Range<Int>
  ) throws(SheetValueProblem) -> SheetValue {
    do throws(Instant.Problem) {
      return SheetValue(try Instant.Stored(iso8601: text))
    } catch {
      // A date that no text can be of is exported as a number.
      if let seconds = try? real(.text(range)) { return .real(seconds) }
      throw SheetValueProblem(detail: "it is not a date: \(error.detail)", advice: .giveDateFormat)
    }
  }

  private func text(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    guard case .text(let range) = value else {
      throw SheetValueProblem(detail: "it is not a text")
    }
    guard unsafe UTF8Text.isValid(buffer.bytes(range)) else {
      throw SheetValueProblem(detail: "it is not valid UTF-8")
    }
    return value
  }

  private func uuid(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    switch value {
    case .text(let range) where range.count == UUIDText.textCount:
      let bytes = unsafe buffer.mutableBytes(range)
      if unsafe UUIDText.parse(UnsafeRawBufferPointer(bytes), into: bytes) {
        return .blob(range.lowerBound..<(range.lowerBound + UUIDText.byteCount))
      }
    case .blob(let range) where range.count == UUIDText.byteCount: return value
    default: break
    }
    throw SheetValueProblem(
      detail: "it is not a UUID", advice: "Write it as E621E1F8-C36C-495A-93FC-0C247A3E6E5F.")
  }

  private func binary(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    switch value {
    case .blob: return value
    case .text(let range):
      let bytes = unsafe buffer.mutableBytes(range)
      if let count = unsafe Base64Text.decode(UnsafeRawBufferPointer(bytes), into: bytes) {
        return .blob(range.lowerBound..<(range.lowerBound + count))
      }
    default: break
    }
    throw SheetValueProblem(
      detail: "it is not base64",
      advice: "To take the content of a file, put its path into a column NAME.file.")
  }

  private func plain(_ value: SheetValue) throws(SheetValueProblem) -> SheetValue {
    switch value {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .written(let number, _): .real(number)
    default: value
    }
  }
}

extension SheetValue {
  /// The stored form of a point in time.
  fileprivate init(_ date: Instant.Stored) {
    switch date {
    case .integer(let seconds): self = .integer(seconds)
    case .real(let seconds): self = .real(seconds)
    }
  }
}

/// The digits of a decimal number without zeros at either end, and the place of the point behind them.
package struct DecimalDigits: Equatable {
  private var digits: [UInt8] = []
  private var exponent = 0

  /// Reads the digits of a text such as `-12.5e3`.
  package init(_ text: String) {
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    exponent = parts.count > 1 ? Int(parts[1].drop { $0 == "+" }) ?? 0 : 0
    var isFraction = false
    for byte in (parts.first ?? "").utf8 {
      if byte == 0x2E { isFraction = true }
      guard (0x30...0x39).contains(byte) else { continue }
      if isFraction { exponent -= 1 }
      if byte != 0x30 || !digits.isEmpty { digits.append(byte) }
    }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// Whether the shortest digits of a number are these.
  package func isExact(_ number: Double) -> Bool {
    guard digits.count > 15 else { return true }
    return Self("\(number)") == self
  }
}
