extension ModelValue {
  /// The value in predicate format, such as `'red'`, `5`, `NULL` or `<NSColor>`.
  ///
  /// For people; it cannot be parsed again.
  public var formatDescription: String {
    switch self {
    case .null: "NULL"
    case .bool(let value): value ? "True" : "False"
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .real(let number): number.description
    case .string(let text): Self.quoted(text)
    case .data(let bytes): "<\(bytes.count) bytes>"
    case .date(let seconds): "{\"$date\": \(seconds)}"
    case .uuid(let text): "{\"$uuid\": \"\(text)\"}"
    case .url(let text): "{\"$url\": \"\(text)\"}"
    case .array(let values): "[" + values.map(\.formatDescription).joined(separator: ", ") + "]"
    case .dictionary(let values):
      "{"
        + values.sorted { codeUnitsAscend($0.key, $1.key) }
        .map { "\(Self.quoted($0.key.text)): \($0.value.formatDescription)" }.joined(
          separator: ", ")
        + "}"
    case .object(let className, _), .cycle(let className): "<\(className)>"
    }
  }

  /// A string in single quotes, or in double quotes if it contains single quotes only.
  private static func quoted(_ text: String) -> String {
    let quote: Character = text.contains("'") && !text.contains("\"") ? "\"" : "'"
    var quoted = String(quote)
    for character in text.unicodeScalars {
      switch character {
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "'" where quote == "'": quoted += "\\'"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + String(quote)
  }
}
