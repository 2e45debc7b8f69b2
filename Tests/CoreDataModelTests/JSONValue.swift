internal import Foundation

/// A JSON value; numbers are compared as doubles.
enum JSONValue: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  subscript(key: String) -> JSONValue {
    get { if case .object(let members) = self { members[key] ?? .null } else { .null } }
    set {
      guard case .object(var members) = self else { return }
      members[key] = newValue
      self = .object(members)
    }
  }

  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var text: String { if case .string(let text) = self { text } else { "" } }
  var keys: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }

  /// The value without some keys, at every depth.
  func removing(_ keys: Set<String>) -> JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map { $0.removing(keys) })
    case .object(let members):
      return .object(
        members.filter { !keys.contains($0.key) }.mapValues { $0.removing(keys) })
    default: return self
    }
  }

  /// A model of the oracle with all lists that have no order in order.
  var canonicalModel: JSONValue {
    var model = self
    let entities = model["entities"].elements.map { entity in
      var entity = entity
      entity["properties"] = entity["properties"].sorted { $0["name"].text }
      entity["subentities"] = entity["subentities"].sorted { $0.text }
      return entity
    }
    model["entities"] = JSONValue.array(entities).sorted { $0["name"].text }
    model["versionIdentifiers"] = model["versionIdentifiers"].sorted { $0.text }
    for key in model["configurations"].keys {
      model["configurations"][key] = model["configurations"][key].sorted { $0.text }
    }
    return model
  }

  private func sorted(by key: (JSONValue) -> String) -> JSONValue {
    .array(elements.sorted { key($0) < key($1) })
  }
}
