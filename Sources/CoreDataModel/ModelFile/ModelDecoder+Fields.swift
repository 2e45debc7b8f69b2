/// The fields that several classes of a model share.
extension ModelDecoder {
  mutating func string(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> String? {
    try archive.string(try archive.node(field, of: node))
  }

  mutating func bool(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> Bool {
    archive.bool(try archive.node(field, of: node))
  }

  /// The integer of a field; nil if the field is missing.
  mutating func integer(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> Int? {
    guard let value = try archive.node(field, of: node) else { return nil }
    guard let number = archive.integer(value) else {
      throw CofferError(.damagedModel, detail: "\(field) is not an integer")
    }
    return number
  }

  /// The non-nil elements of a list; empty if the field is missing.
  mutating func elements(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> [KeyedArchive.Node] {
    guard let list = try archive.node(field, of: node) else { return [] }
    guard let elements = try archive.elements(of: list) else {
      throw CofferError(.damagedModel, detail: "\(field) is not a list")
    }
    return elements.compactMap { $0 }
  }

  /// The strings in a list, in order; other elements are left out.
  mutating func strings(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> [String] {
    var strings: [String] = []
    for element in try elements(field, of: node) {
      if let text = try archive.string(element) { strings.append(text) }
    }
    return strings
  }

  /// The string keys of a dictionary, sorted.
  mutating func keys(_ field: String, of node: KeyedArchive.Node) throws(CofferError) -> [String] {
    guard let dictionary = try archive.node(field, of: node),
      let entries = try archive.entries(of: dictionary)
    else { return [] }
    var keys: [String] = []
    for (key, _) in entries {
      if let text = try archive.string(key) { keys.append(text) }
    }
    return keys.sorted(by: codeUnitsAscend)
  }

  /// The renaming identifier, or nil if it is the name itself.
  mutating func renamingIdentifier(
    of node: KeyedArchive.Node, name: String
  ) throws(CofferError) -> String? {
    let identifier = try string("NSRenamingIdentifier", of: node)
    return identifier == name ? nil : identifier
  }

  mutating func userInfo(of node: KeyedArchive.Node) throws(CofferError) -> [ExactString:
    ModelValue]
  {
    guard let info = try archive.node("NSUserInfo", of: node) else { return [:] }
    guard case .dictionary(let values) = try archive.value(of: info) else {
      throw CofferError(.damagedModel, detail: "a user info that is not a dictionary")
    }
    return values
  }

  mutating func value(
    _ field: String, of node: KeyedArchive.Node
  ) throws(CofferError) -> ModelValue? {
    guard let value = try archive.node(field, of: node) else { return nil }
    let decoded = try archive.value(of: value)
    return decoded == .null ? nil : decoded
  }

  /// Checks the depth of nested objects.
  func check(depth: Int) throws(CofferError) {
    guard depth <= Self.maximumDepth else {
      throw CofferError(.modelLimit, detail: "a model nested too deeply")
    }
  }
}
