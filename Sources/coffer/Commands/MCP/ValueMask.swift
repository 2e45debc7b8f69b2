internal import CoreDataArchive

/// Replaces the values of objects in a line of JSON.
enum ValueMask {
  /// The members whose content comes from objects.
  private static let members: Set<String> = [
    "attributes", "values", "old", "new", "value", "detail", "examples", "defaultValue",
  ]

  /// The line without values.
  static func line(_ line: Substring) -> String {
    guard let value = try? JSONValue.parse(line.utf8) else { return "" }
    return String(decoding: masked(value).bytes(layout: .compact), as: UTF8.self)
  }

  /// A value of JSON in which the values of objects are replaced.
  private static func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(masked))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            JSONObject.Member(
              key: member.key,
              value: isOfObjects(member) ? hidden(member.value) : masked(member.value))
          }))
    default: value
    }
  }

  /// Whether the content of a member comes from objects: a list of attributes is that of a model.
  private static func isOfObjects(_ member: JSONObject.Member) -> Bool {
    if case .array = member.value, member.key == "attributes" { return false }
    return members.contains(member.key)
  }

  /// What can be said of a value without saying it.
  private static func hidden(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool: .string("a Boolean")
    case .integer, .real: .string("a number")
    case .string(let text): .string("a text of \(text.count) characters")
    case .array(let elements): .array(elements.map(hidden))
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(key: $0.key, value: hidden($0.value)) }))
    }
  }
}
