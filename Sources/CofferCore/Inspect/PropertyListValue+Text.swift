internal import CoreDataArchive
package import CoreDataModel

extension PropertyListValue {
  /// The value as readable text: JSON if possible, `<0001ff>` for bytes, ISO 8601 for dates.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .wideInteger(let high, let low): "\((Int128(high) << 64) | Int128(low))"
    case .real(let value): "\(value)"
    case .date(let seconds): InspectionParts.text(ofDate: seconds) ?? "\(seconds)"
    case .data(let bytes): "<\(Hexadecimal.text(bytes))>"
    case .string(let text): Self.quoted(text)
    case .uid(let number): "uid \(number)"
    case .array(let elements), .set(let elements):
      "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{"
        + entries.sorted { codeUnitsAscend($0.key, $1.key) }
        .map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).bytes(layout: .compact), as: UTF8.self)
  }
}
