package import CoreDataModel

/// A value of a JSON document that knows its place, so that a wrong type can be told by its path.
///
/// Unknown members are ignored; missing ones have defaults; `null` has the wrong type unless it is
/// expected.
package struct DocumentNode: Sendable {
  /// The value.
  package let value: JSONValue
  private let place: Place

  /// The way from the root to a value.
  private indirect enum Place: Sendable {
    case document(String)
    case member(Place, String)
    case element(Place, Int)

    var text: String {
      switch self {
      case .document(let name): name
      case .member(.document(let name), let key): "\(name): \(key)"
      case .member(let outer, let key): "\(outer.text).\(key)"
      case .element(let outer, let index): "\(outer.text)[\(index)]"
      }
    }
  }

  /// The root of the document of that name.
  package init(_ root: JSONValue, name: String) { self.init(root, .document(name)) }

  private init(_ value: JSONValue, _ place: Place) {
    self.value = value
    self.place = place
  }

  /// The document and the path of the value, as `model.json: entities[3].name`.
  package var path: String { place.text }

  /// The error that something else is expected here.
  package func error(_ expected: String) -> DocumentError {
    DocumentError(path: path, expected: expected)
  }

  // MARK: - As a type

  /// The value as a string; throws ``DocumentError`` when it is not one, as do all of these.
  package func string() throws(DocumentError) -> String {
    guard case .string(let text) = value else { throw error("a string") }
    return text
  }

  /// The value as a name.
  package func name() throws(DocumentError) -> Name { Name(try string()) }

  /// The value as a truth value.
  package func bool() throws(DocumentError) -> Bool {
    guard case .bool(let flag) = value else { throw error("true or false") }
    return flag
  }

  /// The value as an integer of 64 bits.
  package func integer() throws(DocumentError) -> Int64 {
    guard case .integer(let number) = value else { throw error("an integer") }
    return number
  }

  /// The value as an integer of the machine's size.
  package func int() throws(DocumentError) -> Int {
    guard let number = Int(exactly: try integer()) else {
      throw error("an integer within range")
    }
    return number
  }

  /// The elements of an array.
  package func elements() throws(DocumentError) -> [DocumentNode] {
    guard case .array(let values) = value else { throw error("an array") }
    return values.enumerated().map { DocumentNode($0.element, .element(place, $0.offset)) }
  }

  /// The elements of an array of strings.
  package func strings() throws(DocumentError) -> [String] {
    return try elements().map { element throws(DocumentError) in try element.string() }
  }

  /// The names of an array.
  package func names() throws(DocumentError) -> [Name] { try strings().map { Name($0) } }

  /// The members of an object in order.
  package func members() throws(DocumentError) -> [(key: String, node: DocumentNode)] {
    guard case .object(let object) = value else { throw error("an object") }
    return object.members.map { ($0.key, DocumentNode($0.value, .member(place, $0.key))) }
  }

  /// The bytes of a string of base64.
  package func base64() throws(DocumentError) -> [UInt8] {
    let text = ContiguousArray(try string().utf8)
    guard let bytes = Base64Text.bytes(of: text) else { throw error("base64") }
    return bytes
  }

  // MARK: - Members

  /// The member with that key, or nil; not an object is an error.
  package func optional(_ key: String) throws(DocumentError) -> DocumentNode? {
    guard case .object(let object) = value else { throw error("an object") }
    return object[key].map { DocumentNode($0, .member(place, key)) }
  }

  /// The member with that key, which must be there.
  package func required(_ key: String) throws(DocumentError) -> DocumentNode {
    guard let member = try optional(key) else {
      throw DocumentError(path: Place.member(place, key).text, expected: "a value")
    }
    return member
  }

  /// The string with that key, or nil.
  package func string(_ key: String) throws(DocumentError) -> String? {
    try optional(key)?.string()
  }

  /// The name with that key, or nil.
  package func name(_ key: String) throws(DocumentError) -> Name? {
    try optional(key)?.name()
  }

  /// The truth value with that key, or the default.
  package func flag(_ key: String, default standard: Bool = false) throws(DocumentError) -> Bool {
    try optional(key)?.bool() ?? standard
  }

  /// The integer with that key, or the default.
  package func int(_ key: String, default standard: Int) throws(DocumentError) -> Int {
    try optional(key)?.int() ?? standard
  }

  /// The elements of the array with a key; none if there is no such member.
  package func elements(_ key: String) throws(DocumentError) -> [DocumentNode] {
    try optional(key)?.elements() ?? []
  }

  /// The strings of the array with a key; none if there is no such member.
  package func strings(_ key: String) throws(DocumentError) -> [String] {
    try optional(key)?.strings() ?? []
  }
}

extension JSONValue {
  /// A name as a string.
  package static func name(_ name: Name) -> JSONValue { .string(name.text) }

  /// An array of names.
  package static func names(_ names: [Name]) -> JSONValue { .array(names.map(JSONValue.name)) }

  /// An array of strings.
  package static func strings(_ strings: [String]) -> JSONValue {
    .array(strings.map { .string($0) })
  }
}

extension JSONObject {
  /// Appends an array unless it is empty.
  package mutating func append<Element>(
    _ key: String, _ list: [Element], _ convert: (Element) -> JSONValue
  ) {
    if !list.isEmpty { append(key, .array(list.map(convert))) }
  }

  /// Appends a truth value unless it is the default.
  package mutating func append(_ key: String, _ flag: Bool, unless standard: Bool = false) {
    if flag != standard { append(key, .bool(flag)) }
  }

  /// Appends an integer unless it is the default.
  package mutating func append(_ key: String, _ number: Int, unless standard: Int) {
    if number != standard { append(key, .integer(Int64(number))) }
  }

  /// Appends a string; nil appends nothing.
  package mutating func append(_ key: String, _ text: String?) {
    if let text { append(key, .string(text)) }
  }

  /// Appends a name; nil appends nothing.
  package mutating func append(_ key: String, _ name: Name?) { append(key, name?.text) }
}

/// A defect of a document: a missing member, or one with the wrong type.
package struct DocumentError: Error, Sendable, Equatable {
  /// The document and the path of the member in it, such as `store/layout.json: tables[3].kind`.
  package var path: String
  /// The expected value.
  package var expected: String

  /// The error of the archive that holds the document.
  package func archiveError(path archive: String) -> CofferError {
    CofferError(.damagedArchive, path: archive, detail: "\(path): expected \(expected)")
  }
}
