/// A value in a model: a default, a constant of a predicate, an entry of a user info dictionary.
///
/// Objects of unknown classes are kept as trees of their fields; no class is ever instantiated.
public indirect enum ModelValue: Sendable, Equatable {
  /// The null value.
  case null
  /// A Boolean.
  case bool(Bool)
  case integer(Int64)
  /// An integer above the range of `Int64`.
  case unsigned(UInt64)
  /// A floating-point number; two NaN are equal here.
  case real(Double)
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A point in time, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// A UUID in upper case.
  case uuid(String)
  /// A URL as text.
  case url(String)
  /// A list; sets are lists in the order of the source.
  case array([ModelValue])
  /// A dictionary with string keys.
  case dictionary([Name: ModelValue])
  /// An object: the name of its class, and its fields by key.
  case object(className: String, fields: [Name: ModelValue])
  /// An enclosing object of the same value, which is not repeated, so that values are trees.
  case cycle(className: String)

  /// Whether two values are equal; two NaN are, unlike as numbers.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
      left == right || (left.isNaN && right.isNaN)
    case (.string(let left), .string(let right)), (.uuid(let left), .uuid(let right)),
      (.url(let left), .url(let right)):
      left.hasSameBytes(as: right)
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.object(let leftName, let left), .object(let rightName, let right)):
      leftName.hasSameBytes(as: rightName) && left == right
    case (.cycle(let left), .cycle(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }
}

extension ModelValue {
  /// The value in predicate format, such as `'red'`, `5`, `12.50` or `NULL`; dates, UUIDs and URLs
  /// as in an export; other objects by their class, with the fields that are plain values:
  /// `<Cover: text = 'none'>`.
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
    case .data(let bytes):
      bytes.count <= 16 ? "<\(Hexadecimal.text(bytes))>" : "<\(bytes.count) bytes>"
    case .date(let seconds): Instant.description(of: seconds)
    case .uuid(let text), .url(let text): text
    case .array(let values): "[" + values.map(\.formatDescription).joined(separator: ", ") + "]"
    case .dictionary(let values): "{" + Self.members(values, ": ", Self.quoted) + "}"
    case .object(let className, let fields):
      DecimalNumber(self)?.text ?? Self.description(of: className, fields)
    case .cycle(let className): "<\(className)>"
    }
  }

  /// Whether the value is an archived decimal number.
  package var isDecimalNumber: Bool { DecimalNumber(self) != nil }

  var hasPredicateFormat: Bool {
    switch self {
    case .null, .bool, .integer, .string: true
    case .real(let number): number.isFinite
    default: false
    }
  }

  private static func description(of className: String, _ fields: [Name: ModelValue]) -> String {
    let plain = fields.filter { _, value in
      switch value {
      case .null, .array, .dictionary, .object, .cycle: false
      default: true
      }
    }
    guard !plain.isEmpty else { return "<\(className)>" }
    return "<\(className): " + members(plain, " = ", \.self) + ">"
  }

  private static func members(
    _ values: [Name: ModelValue], _ separator: String, _ name: (String) -> String
  ) -> String {
    values.sorted { $0.key < $1.key }
      .map { name($0.key.text) + separator + $0.value.formatDescription }
      .joined(separator: ", ")
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

extension Bool {
  /// The truth value of a text that a person wrote: `true`, `yes` or `1`, `false`, `no` or `0`, in any
  /// case; nil for any other text.
  package init?(written text: String) {
    switch text.lowercased() {
    case "true", "yes", "1": self = true
    case "false", "no", "0": self = false
    default: return nil
    }
  }
}
