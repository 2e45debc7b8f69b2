internal import CoreDataModel

/// A JSON value in memory, for documents; lines of objects are never turned into one.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number without `.`, `e` and `E`.
  case integer(Int64)
  /// A number with `.`, `e` or `E`; always finite.
  case real(Double)
  case string(String)
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)

  /// The number of values, this one and those in it; keys are not counted.
  package var valueCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
    default: 1
    }
  }

  /// The value of the member with a key; nil if there is none or this is not an object.
  package subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { return object[key] }
    return nil
  }
}

/// The members of a JSON object, in the order of the text.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// A key and its value.
  package struct Member: Sendable, Equatable {
    /// The key, unique in the object.
    package var key: String
    /// The value.
    package var value: JSONValue

    /// Creates a member with a key and a value.
    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members in order.
  package var members: [Member]

  /// Creates an object of these members, whose keys must differ.
  package init(_ members: [Member] = []) { self.members = members }

  /// Creates an object of these members, whose keys must differ; a member with the value nil is left out.
  package init(dictionaryLiteral elements: (String, JSONValue?)...) {
    members = elements.compactMap { key, value in value.map { Member(key: key, value: $0) } }
  }

  /// The value of a key, or nil; takes time by the number of members.
  package subscript(key: String) -> JSONValue? {
    members.first { $0.key.hasSameBytes(as: key) }?.value
  }

  /// Appends a member; nil appends nothing.
  package mutating func append(_ key: String, _ value: JSONValue?) {
    if let value { members.append(Member(key: key, value: value)) }
  }
}
