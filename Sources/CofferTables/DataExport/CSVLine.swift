internal import CofferCore
internal import CoreDataArchive

/// An object as a CSV record: RFC 4180, in UTF-8 without a byte order mark, with the column names
/// in the first record.
///
/// No value is an empty field; an empty string is a pair of quotes. Fields are quoted only if
/// necessary.
struct CSVLine: DataLine {
  static let ending = "csv"

  private let names: [String]
  private let steps: [DataColumn.Step]
  private let entityNames: EntityNames

  static func entityNames(_ names: [Int64: Name]) -> EntityNames {
    EntityNames(names) { name, text in text.appendField(name) }
  }

  init(_ part: DataPart, entityNames: EntityNames) {
    names = part.columns.map(\.name)
    steps = part.columns.map(\.step)
    self.entityNames = entityNames
  }

  func appendHeader(to text: inout JSONBuffer) {
    for (index, name) in names.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.appendField(name)
    }
    text.append("\r\n")
  }

  func append(_ row: Row, _ values: DataValues, to text: inout JSONBuffer) {
    var isFirst = true
    for step in steps {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      append(values.value(step, of: row), values, to: &text)
    }
    text.append("\r\n")
  }

  private func append(_ value: DataValue, _ values: DataValues, to text: inout JSONBuffer) {
    let start = text.count
    switch value {
    case .none: break
    case .integer(let number): text.appendInteger(number)
    case .real(let number): append(number, values, to: &text)
    case .boolean(let flag): text.append(flag ? "true" : "false")
    case .date(let seconds):
      if text.appendDate(real: seconds) { return text.removeQuotes(from: start) }
      values.note(.unwritableDate)
      append(seconds, values, to: &text)
    case .wholeDate(let seconds):
      if text.appendDate(real: Double(seconds)) { return text.removeQuotes(from: start) }
      values.note(.unwritableDate)
      text.appendInteger(seconds)
    case .uuid(let bytes):
      if unsafe text.appendUUID(bytes) { text.removeQuotes(from: start) }
    case .text(let bytes):
      if unsafe UTF8Text.isValid(bytes) {
        unsafe text.appendField(utf8: bytes)
      } else {
        values.note(.invalidText)
        unsafe text.appendField(String(decoding: bytes, as: UTF8.self))
      }
    case .bytes(let bytes):
      unsafe text.appendBase64(bytes)
      if bytes.count > 0 { text.removeQuotes(from: start) }
    case .file(let name):
      text.append("External/")
      unsafe text.append(name)
    case .entity(let number): _ = entityNames.append(number, to: &text)
    }
  }

  private func append(_ number: Double, _ values: DataValues, to text: inout JSONBuffer) {
    if text.appendReal(number) { return }
    values.note(.infiniteNumber)
    text.append(number > 0 ? "Infinity" : "-Infinity")
  }
}
