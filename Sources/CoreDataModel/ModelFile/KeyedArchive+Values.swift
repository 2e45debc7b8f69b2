extension KeyedArchive {
  /// The classes that ``value(of:)`` does not expand, with the field that names their objects.
  ///
  /// Through them, a value would reach the whole model.
  private static let namedClasses: [(className: String, nameField: String)] = [
    ("NSEntityDescription", "NSEntityName"), ("NSPropertyDescription", "NSPropertyName"),
    ("NSManagedObjectModel", "NSManagedObjectModel"), ("NSFetchIndexDescription", "NSIndexName"),
  ]

  mutating func name(_ node: Node?) throws(CofferError) -> Name? {
    try string(node).map { Name($0) }
  }

  /// The text of a node: a string of the property list, or an archived string; nil for all others.
  package mutating func string(_ node: Node?) throws(CofferError) -> String? {
    guard let node else { return nil }
    if let text = scalarText(node) { return text }
    guard let text = try self.node("NS.string", of: node) else { return nil }
    return scalarText(text)
  }

  /// The integer of a node; nil for all others and for numbers that are out of range.
  package func integer(_ node: Node?) -> Int? {
    guard let node, case .integer(let number) = scalar(node) else { return nil }
    return Int(exactly: number)
  }

  /// Whether a node is true, or an integer other than 0; nil nodes are false, as in archives.
  package func bool(_ node: Node?) -> Bool {
    guard let node else { return false }
    return switch scalar(node) {
    case .bool(let value): value
    case .integer(let number): number != 0
    default: false
    }
  }

  /// A node with everything that it refers to, as a tree.
  ///
  /// A reference to an enclosing object becomes ``ModelValue/cycle(className:)``. An entity, a
  /// property, a fetch index or the model becomes an object with only its name.
  ///
  /// - Throws: ``CofferError`` with `limit` for more levels than ``maximumDepth`` or at the end of
  ///   the budget, `damaged` for contradictions.
  package mutating func value(of node: Node) throws(CofferError) -> ModelValue {
    var path: [Node] = []
    return try value(of: node, path: &path)
  }

  /// Like ``value(of:)``, with the enclosing objects.
  private mutating func value(of node: Node, path: inout [Node]) throws(CofferError) -> ModelValue {
    try charge(Self.nodeCost + path.count)
    if let value = scalar(node) { return try Self.value(value) }
    guard path.count < Self.maximumDepth else {
      throw CofferError(.modelLimit, detail: "an archived value nested too deeply")
    }
    let className = try className(of: node)
    if let className, let leaf = try leaf(node, className: className) { return leaf }
    let list = try elements(of: node)
    let dictionary = list == nil ? try entries(of: node) : nil
    if path.contains(node) {
      let kind = list != nil ? "NSArray" : dictionary != nil ? "NSDictionary" : className
      return .cycle(className: kind ?? "NSDictionary")
    }
    path.append(node)
    defer { path.removeLast() }
    if let list {
      var values: [ModelValue] = []
      for element in list { values.append(try value(of: element, path: &path)) }
      return .array(values)
    }
    if let dictionary {
      var values: [Name: ModelValue] = [:]
      for (key, element) in dictionary {
        values[Name(try keyText(key, path: &path))] = try value(of: element, path: &path)
      }
      return .dictionary(values)
    }
    var fields: [Name: ModelValue] = [:]
    for (name, field) in try self.fields(of: node) ?? [] where name != "$class" {
      fields[Name(name)] = try value(of: field, path: &path)
    }
    guard let className else { return .dictionary(fields) }
    let isDecimal = className == DecimalNumber.placeholderClassName
    return .object(className: isDecimal ? DecimalNumber.className : className, fields: fields)
  }

  private mutating func value(
    of node: Node?, path: inout [Node]
  ) throws(CofferError) -> ModelValue {
    guard let node else { return .null }
    return try value(of: node, path: &path)
  }

  /// The text for a key of a dictionary; a key that is not a string is written in predicate format.
  private mutating func keyText(_ key: Node, path: inout [Node]) throws(CofferError) -> String {
    if let text = try string(key) { return text }
    return try value(of: key, path: &path).formatDescription
  }

  /// The value of an object that wraps one, or the name of a part of the model.
  private mutating func leaf(_ node: Node, className: String) throws(CofferError) -> ModelValue? {
    if className == "NSNull" { return .null }
    if let text = try string(node) { return .string(text) }
    for field in ["NS.data", "NS.bytes"] {
      guard let bytes = try self.node(field, of: node) else { continue }
      if case .data(let bytes) = scalar(bytes) { return .data(bytes) }
    }
    if let time = try self.node("NS.time", of: node) {
      switch scalar(time) {
      case .real(let seconds): return .date(seconds)
      case .integer(let seconds): return .date(Double(seconds))
      default: break
      }
    }
    if let bytes = try self.node("NS.uuidbytes", of: node),
      case .data(let bytes) = scalar(bytes), let text = UUIDText.text(bytes)
    {
      return .uuid(text)
    }
    if let relative = try self.node("NS.relative", of: node),
      try self.node("NS.base", of: node) == nil, let text = try string(relative)
    {
      return .url(text)
    }
    for (known, nameField) in Self.namedClasses where try isKind(node, of: known) {
      guard let name = try string(try self.node(nameField, of: node)) else {
        return .object(className: className, fields: [:])
      }
      return .object(className: className, fields: [Name(nameField): .string(name)])
    }
    return nil
  }

  private static func value(_ value: PropertyListValue) throws(CofferError) -> ModelValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let number): return .integer(number)
    case .wideInteger(0, let number): return .unsigned(number)
    case .real(let number): return .real(number)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .string(let text): return .string(text)
    case .wideInteger:
      throw CofferError(.damagedModel, detail: "an archived integer of more than 64 bits")
    case .uid, .array, .set, .dictionary:
      throw CofferError(.damagedModel, detail: "an archived value of an unknown kind")
    }
  }
}
