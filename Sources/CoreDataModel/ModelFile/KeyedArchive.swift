/// An archive of `NSKeyedArchiver` as a graph of nodes; no class is ever instantiated.
///
/// An archive is a binary property list that contains a dictionary: `$objects` is the list of all
/// objects, `$top.root` refers to the root, and each reference is a UID, the position in
/// `$objects`; position 0 means nil. An object of a class is a dictionary with its fields and
/// `$class`.
///
/// Objects may refer to each other in cycles, so they are accessed through ``Node`` and never
/// expanded, except by ``value(of:)``. Each lookup takes from one budget for the whole archive, so
/// sharing in a hostile archive cannot multiply the work. That is why lookups are mutating.
///
/// Source: store-format, section 3.
package struct KeyedArchive: Sendable {
  /// The maximum number of work units for the lookups in one archive; about one for each field
  /// compared.
  package static let workLimit = 50_000_000
  /// The work units that every archive has, and the units that each object adds, up to the limit.
  ///
  /// Decoding a real model takes a few hundred per object.
  static let baseWork = 2_000_000
  static let workPerObject = 2000
  /// The work units for a value or element that stays in memory.
  static let nodeCost = 16
  /// The maximum number of fields in one object.
  package static let maximumFieldCount = 256
  /// The maximum number of levels that ``value(of:)`` expands.
  package static let maximumDepth = 64

  /// An object or value of an archive; equal nodes are the same object.
  package struct Node: Sendable, Hashable {
    let number: Int
  }

  let plist: BinaryPlistReader
  private let objects: [Int]
  private var work: Int
  /// The root object.
  package let root: Node

  /// Reads an archive.
  ///
  /// - Throws: ``CofferError`` with `notAModel` for bytes that are not a keyed archive, `damaged`
  ///   and `limit` as ``BinaryPlistReader``.
  package init(_ bytes: [UInt8]) throws(CofferError) {
    let plist = try BinaryPlistReader(bytes)
    guard
      let archiver = Self.entry("$archiver", of: plist.top, in: plist),
      case .scalar(.string("NSKeyedArchiver")) = plist.objects[archiver]
    else { throw CofferError(.notAModel, detail: "not an archive of NSKeyedArchiver") }
    guard
      let list = Self.entry("$objects", of: plist.top, in: plist),
      case .array(let objects) = plist.objects[list],
      let tops = Self.entry("$top", of: plist.top, in: plist),
      let top = Self.entry("root", of: tops, in: plist),
      let root = try Self.resolve(top, in: plist, objects: objects)
    else { throw CofferError(.damagedModel, detail: "a keyed archive without a root") }
    self.plist = plist
    self.objects = objects
    // The reader bounds the number of objects, so this cannot overflow.
    work = min(Self.workLimit, Self.baseWork + Self.workPerObject * plist.objects.count)
    self.root = Node(number: root)
  }

  /// The name of the class of an object; nil for a value of a property list.
  package mutating func className(of node: Node) throws(CofferError) -> String? {
    guard let description = try self.node("$class", of: node) else { return nil }
    guard let name = try self.node("$classname", of: description), let text = scalarText(name)
    else {
      throw CofferError(.damagedModel, detail: "an archived object without the name of its class")
    }
    return text
  }

  /// Whether an object is of a class or of one that inherits from it.
  package mutating func isKind(_ node: Node, of className: String) throws(CofferError) -> Bool {
    guard let description = try self.node("$class", of: node) else { return false }
    if let name = try self.node("$classname", of: description), scalarText(name) == className {
      return true
    }
    guard let list = try self.node("$classes", of: description),
      case .array(let names) = plist.objects[list.number]
    else { return false }
    try charge(names.count)
    return names.contains { scalarText(Node(number: $0)) == className }
  }

  /// A field of an object, with references followed; nil if it is missing or nil in the archive.
  ///
  /// - Throws: ``CofferError`` with `damaged` for an invalid reference, `limit` when the budget is
  ///   used up.
  package mutating func node(_ field: String, of node: Node) throws(CofferError) -> Node? {
    guard case .dictionary(let keys, let values) = plist.objects[node.number] else { return nil }
    guard keys.count <= Self.maximumFieldCount else {
      throw CofferError(.modelLimit, detail: "an archived object of \(keys.count) fields")
    }
    try charge(keys.count)
    guard let position = keys.firstIndex(where: { scalarText(Node(number: $0)) == field }) else {
      return nil
    }
    return try resolve(values[position])
  }

  /// The names and values of the fields of an object, with references followed; nil for a value
  /// that is not a dictionary of the property list.
  mutating func fields(of node: Node) throws(CofferError) -> [(name: String, value: Node?)]? {
    guard case .dictionary(let keys, let values) = plist.objects[node.number] else { return nil }
    try charge(keys.count * Self.nodeCost)
    var fields: [(name: String, value: Node?)] = []
    for (key, value) in zip(keys, values) {
      guard let name = scalarText(Node(number: key)) else {
        throw CofferError(.damagedModel, detail: "an archived object with a field without a name")
      }
      fields.append((name, try resolve(value)))
    }
    return fields
  }

  /// The elements of an archived list or set, or of a list of the property list.
  ///
  /// Nil for any other object. An element is nil if it is nil in the archive.
  ///
  /// - Throws: ``CofferError`` with `damaged` for an invalid reference, `limit` when the budget is
  ///   used up.
  package mutating func elements(of node: Node) throws(CofferError) -> [Node?]? {
    let list: Node?
    if case .dictionary = plist.objects[node.number] {
      guard try self.node("NS.keys", of: node) == nil else { return nil }
      list = try self.node("NS.objects", of: node)
    } else {
      list = node
    }
    guard let list else { return nil }
    switch plist.objects[list.number] {
    case .array(let parts), .set(let parts):
      try charge(parts.count * Self.nodeCost)
      return try parts.map { part throws(CofferError) in try resolve(part) }
    default: return nil
    }
  }

  /// The entries of an archived dictionary, including one with a fixed set of keys
  /// (`NSKnownKeysDictionary1`); nil for any other object.
  ///
  /// - Throws: ``CofferError`` with `damaged` for keys and values that do not pair up, `limit` when
  ///   the budget is used up.
  package mutating func entries(of node: Node) throws(CofferError) -> [(key: Node, value: Node?)]? {
    var keys = try self.node("NS.keys", of: node)
    var values = try self.node("NS.objects", of: node)
    var emptyToken: String?
    if keys == nil, let mapping = try self.node("searchMapping", of: node) {
      keys = try self.node("keys", of: mapping)
      values = try self.node("values", of: node)
      emptyToken = try self.node("emptyToken", of: node).flatMap { scalarText($0) }
    }
    guard let keys else { return nil }
    guard
      let values, let names = try elements(of: keys), let objects = try elements(of: values),
      names.count == objects.count
    else {
      throw CofferError(
        .damagedModel, detail: "an archived dictionary with unequal numbers of keys and values")
    }
    var entries: [(key: Node, value: Node?)] = []
    for (name, object) in zip(names, objects) {
      guard let name else {
        throw CofferError(.damagedModel, detail: "an archived dictionary without a key")
      }
      if let emptyToken, let object, scalarText(object) == emptyToken { continue }
      entries.append((name, object))
    }
    return entries
  }

  /// The value that the property list itself contains for a node; nil for containers and objects.
  package func scalar(_ node: Node) -> PropertyListValue? {
    if case .scalar(let value) = plist.objects[node.number] { value } else { nil }
  }

  /// The text of a node if the property list itself contains it as a string.
  func scalarText(_ node: Node) -> String? {
    if case .scalar(.string(let text)) = plist.objects[node.number] { text } else { nil }
  }

  /// Takes work units from the budget.
  mutating func charge(_ units: Int) throws(CofferError) {
    work -= units
    guard work >= 0 else {
      throw CofferError(.modelLimit, detail: "an archive that takes too much work to read")
    }
  }

  private func resolve(_ number: Int) throws(CofferError) -> Node? {
    try Self.resolve(number, in: plist, objects: objects).map(Node.init)
  }

  /// Follows a reference; an object in the list is never a reference itself.
  private static func resolve(
    _ number: Int, in plist: BinaryPlistReader, objects: [Int]
  ) throws(CofferError) -> Int? {
    guard case .scalar(.uid(let uid)) = plist.objects[number] else { return number }
    guard let position = Int(exactly: uid), position < objects.count else {
      throw CofferError(.damagedModel, detail: "a keyed archive with a dangling reference")
    }
    if position == 0 { return nil }
    if case .scalar(.uid) = plist.objects[objects[position]] {
      throw CofferError(.damagedModel, detail: "a keyed archive with a reference to a reference")
    }
    return objects[position]
  }

  private static func entry(_ key: String, of number: Int, in plist: BinaryPlistReader) -> Int? {
    guard case .dictionary(let keys, let values) = plist.objects[number] else { return nil }
    for (name, value) in zip(keys, values) {
      if case .scalar(.string(key)) = plist.objects[name] { return value }
    }
    return nil
  }
}
