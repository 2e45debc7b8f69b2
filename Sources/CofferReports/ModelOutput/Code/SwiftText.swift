internal import CoreDataModel

/// Texts in Swift's syntax.
enum SwiftText {
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
    "where",
    "while",
  ]

  /// A name, between backticks if it is a keyword.
  static func name(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A name with its first letter in upper case.
  static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case let scalar where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The type of a value, without the mark of an optional; nil for a composite.
  static func type(_ attribute: AttributeDescription) -> String? {
    switch attribute.type {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .composite: nil
    default: valueClass("\(attribute.valueClassName ?? "NSObject")")
    }
  }

  /// The class of a value; of a generic one of Objective-C, the class without parameters.
  private static func valueClass(_ name: String) -> String {
    let parts = name.split { ModelCode.signsOfTypes.contains($0) }
    return name.contains("*") ? parts.first.map(String.init) ?? "NSObject" : name
  }

  /// The default value of an attribute; nil if there is none, or it has no literal.
  static func defaultValue(_ attribute: AttributeDescription) -> String? {
    guard let value = attribute.defaultValue else { return nil }
    switch (attribute.type, value) {
    case (.string, .string(let text)): return quoted(text)
    case (.boolean, .bool(let flag)): return flag ? "true" : "false"
    case (.boolean, .integer(let number)) where number == 0 || number == 1:
      return number == 1 ? "true" : "false"
    case (.integer16, .integer(let number)) where Int16(exactly: number) != nil,
      (.integer32, .integer(let number)) where Int32(exactly: number) != nil,
      (.integer64, .integer(let number)), (.double, .integer(let number)),
      (.float, .integer(let number)), (.decimal, .integer(let number)):
      return String(number)
    case (.double, .real(let number)) where number.isFinite,
      (.float, .real(let number)) where number.isFinite:
      return number.description
    case (.decimal, let value):
      return DecimalNumber(value).flatMap { $0.isNaN ? nil : "Decimal(string: \"\($0.text)\")!" }
    case (.date, .date(let seconds)) where seconds.isFinite:
      return "Date(timeIntervalSinceReferenceDate: \(seconds))"
    case (.uuid, .uuid(let text)): return "UUID(uuidString: \(quoted(text)))!"
    case (.uri, .url(let text)): return "URL(string: \(quoted(text)))!"
    default: return nil
    }
  }

  /// The value of a required property that nothing else gives one.
  static func emptyValue(_ attribute: AttributeDescription) -> String {
    switch attribute.type {
    case .string: "\"\""
    case .boolean: "false"
    case .date: "Date.distantPast"
    case .binary: "Data()"
    case .uuid: "UUID()"
    case .uri: "URL(fileURLWithPath: \"/\")"
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
    default: "\(type(attribute) ?? "NSObject")()"
    }
  }
}
