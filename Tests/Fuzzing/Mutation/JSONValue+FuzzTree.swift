internal import CoreDataArchive
internal import StoreGenerator

extension JSONValue: FuzzTree {
  var parts: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let object): object.members.map(\.value)
    default: []
    }
  }

  func replacing(parts: [JSONValue]) -> JSONValue {
    switch self {
    case .array: .array(parts)
    case .object(let object):
      .object(
        JSONObject(
          parts.enumerated().map { position, part in
            let key =
              position < object.members.count ? object.members[position].key : "key\(position)"
            return JSONObject.Member(key: key, value: part)
          }))
    default: self
    }
  }

  func renaming(_ position: Int, to name: String) -> JSONValue {
    guard case .object(var object) = self, position < object.members.count else { return self }
    object.members[position].key = name
    return .object(object)
  }

  static var oddities: [JSONValue] {
    [
      .null, .bool(true), .integer(0), .integer(-1), .integer(.max), .integer(.min), .real(0.5),
      .integer(1 << 40), .real(1e300), .string(""), .string("\u{0}"), .string("e\u{301}"),
      .string("../x"), .string("\"; DROP TABLE Z_METADATA; --"), .string("$pk"), .array([]),
      .string(String(repeating: "a/", count: 600)), .object(JSONObject()), .string("sqlite_x"),
      .string("AAAA"), .string("0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"), .string("Z_METADATA"),
    ]
  }

  /// Changes a JSON text by its values; other texts are an error.
  static func mutate(
    _ bytes: inout [UInt8], words: [String], _ random: inout SeededGenerator
  ) throws {
    let value = try JSONValue.parse(bytes).mutated(words: words, &random)
    bytes = value.bytes(layout: random.chance(0.5) ? .compact : .indented)
  }
}
