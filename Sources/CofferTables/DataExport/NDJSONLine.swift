internal import CofferCore
internal import CoreDataArchive

/// An object as a JSON object in a line; every line has all columns as members.
struct NDJSONLine: DataLine {
  static let ending = "ndjson"

  /// The columns, each with the place of its key in ``keys``.
  private let steps: [(step: DataColumn.Step, key: Range<Int>)]
  /// The text before the values: `{"id":`, `,"name":`.
  private let keys: ContiguousArray<UInt8>
  private let entityNames: EntityNames

  static func entityNames(_ names: [Int64: Name]) -> EntityNames { EntityNames(names) }

  init(_ part: DataPart, entityNames: EntityNames) {
    var text = JSONBuffer(minimumCapacity: 1 << 10)
    var steps: [(step: DataColumn.Step, key: Range<Int>)] = []
    for (index, column) in part.columns.enumerated() {
      let start = text.count
      text.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.appendString(column.name)
      text.append(UInt8(ascii: ":"))
      steps.append((column.step, start..<text.count))
    }
    self.steps = steps
    keys = ContiguousArray(text.bytes())
    self.entityNames = entityNames
  }

  func appendHeader(to text: inout JSONBuffer) {}

  func append(_ row: Row, _ values: DataValues, to text: inout JSONBuffer) {
    for (step, key) in steps {
      unsafe keys.withUnsafeBytes { unsafe text.append(UnsafeRawBufferPointer(rebasing: $0[key])) }
      append(values.value(step, of: row), values, to: &text)
    }
    text.append(steps.isEmpty ? "{}\n" : "}\n")
  }

  private func append(_ value: DataValue, _ values: DataValues, to text: inout JSONBuffer) {
    switch value {
    case .none: text.append("null")
    case .integer(let number): text.appendInteger(number)
    case .real(let number): append(number, values, to: &text)
    case .boolean(let flag): text.append(flag ? "true" : "false")
    case .date(let seconds):
      if !text.appendDate(real: seconds) {
        values.note(.unwritableDate)
        append(seconds, values, to: &text)
      }
    case .wholeDate(let seconds):
      if !text.appendDate(real: Double(seconds)) {
        values.note(.unwritableDate)
        text.appendInteger(seconds)
      }
    case .uuid(let bytes): unsafe _ = text.appendUUID(bytes)
    case .text(let bytes):
      if unsafe !text.appendString(utf8: bytes) {
        values.note(.invalidText)
        unsafe text.appendString(String(decoding: bytes, as: UTF8.self))
      }
    case .bytes(let bytes): unsafe text.appendBase64(bytes)
    case .file(let name):
      text.append("\"External/")
      unsafe text.append(name)
      text.append(UInt8(ascii: "\""))
    case .entity(let number): if !entityNames.append(number, to: &text) { text.append("null") }
    }
  }

  private func append(_ number: Double, _ values: DataValues, to text: inout JSONBuffer) {
    if text.appendReal(number) { return }
    values.note(.infiniteNumber)
    text.append(number > 0 ? "\"Infinity\"" : "\"-Infinity\"")
  }
}
