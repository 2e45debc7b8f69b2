package import CoreDataModel

/// The tags of values that JSON has no form for; a key of the user's own that begins with `$` gets
/// a second one.
///
///     {"$unsigned": "18446744073709551615"}     {"$real": "-Infinity"}    "Infinity", "NaN"
///     {"$data": "base64"}                       {"$uuid": "…"}            {"$url": "…"}
///     {"$date": "2024-05-01T12:30:00.0Z"}       seconds since 2001 where no date says it
///     {"$object": "NSColor", "$fields": {…}}    {"$cycle": "NSColor"}
extension JSONValue {
  /// A value of a model.
  package init(_ value: ModelValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .tag("$unsigned", .string(String(number)))
    case .real(let number): self = .anyReal(number)
    case .string(let text): self = .string(text)
    case .data(let bytes): self = .tag("$data", .base64(bytes))
    case .date(let seconds): self = .tag("$date", .date(seconds))
    case .uuid(let text): self = .tag("$uuid", .string(text))
    case .url(let text): self = .tag("$url", .string(text))
    case .array(let values): self = .array(values.map { JSONValue($0) })
    case .dictionary(let entries): self = JSONValue(entries)
    case .object(let className, let fields):
      self = .object(["$object": .string(className), "$fields": JSONValue(fields)])
    case .cycle(let className): self = .tag("$cycle", .string(className))
    }
  }

  /// A dictionary of values of a model, such as a user info; keys ascend by code units.
  package init(_ entries: [Name: ModelValue]) {
    var object = JSONObject()
    for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
      let key = name.text
      object.append(key.utf8.first == 0x24 ? "$" + key : key, JSONValue(value))
    }
    self = .object(object)
  }

  /// Bytes as a string of base64.
  package static func base64(_ bytes: [UInt8]) -> JSONValue {
    .string(Base64Text.text(of: bytes))
  }

  private static func tag(_ name: String, _ value: JSONValue) -> JSONValue {
    .object([name: value])
  }

  private static func anyReal(_ number: Double) -> JSONValue {
    if number.isFinite { return .real(number) }
    return .tag("$real", .string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity"))
  }

  private static func date(_ seconds: Double) -> JSONValue {
    Instant.Stored.text(of: seconds).map { .string($0) } ?? .anyReal(seconds)
  }
}

extension DocumentNode {
  /// The value of a model.
  package func modelValue() throws(DocumentError) -> ModelValue {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text): return .string(text)
    case .array:
      let values = try elements().map { element throws(DocumentError) in try element.modelValue() }
      return .array(values)
    case .object(let object):
      if object.members.contains(where: { Self.isTag($0.key) }) { return try taggedValue() }
      return .dictionary(try modelValues())
    }
  }

  /// The dictionary of values of a model.
  package func modelValues() throws(DocumentError) -> [Name: ModelValue] {
    var entries: [Name: ModelValue] = [:]
    for (key, node) in try members() {
      let isEscaped = key.utf8.first == 0x24
      let name = isEscaped ? String(decoding: key.utf8.dropFirst(), as: UTF8.self) : key
      entries[Name(name)] = try node.modelValue()
    }
    return entries
  }

  /// Whether a key begins with one dollar sign and not with two.
  private static func isTag(_ key: String) -> Bool {
    key.utf8.first == 0x24 && key.utf8.dropFirst().first != 0x24
  }

  private func taggedValue() throws(DocumentError) -> ModelValue {
    if let node = try optional("$unsigned") {
      guard let number = UInt64(try node.string()) else { throw node.error("an integer") }
      return .unsigned(number)
    }
    if let node = try optional("$real") { return .real(try node.namedReal()) }
    if let node = try optional("$data") { return .data(try node.base64()) }
    if let node = try optional("$date") { return .date(try node.date()) }
    if let text = try string("$uuid") { return .uuid(text) }
    if let text = try string("$url") { return .url(text) }
    if let name = try string("$cycle") { return .cycle(className: name) }
    if let name = try string("$object") {
      return .object(className: name, fields: try optional("$fields")?.modelValues() ?? [:])
    }
    throw error("a known tag")
  }

  private func namedReal() throws(DocumentError) -> Double {
    switch try string() {
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    case "NaN": return .nan
    default: throw error("Infinity, -Infinity or NaN")
    }
  }

  private func date() throws(DocumentError) -> Double {
    switch value {
    case .real(let seconds): return seconds
    case .integer(let seconds): return Double(seconds)
    case .object: return try required("$real").namedReal()
    default:
      guard let seconds = Instant.Stored.seconds(of: try string()) else { throw error("a date") }
      return seconds
    }
  }
}
