internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator

/// Written and read by SQL, without coffer's code.
extension CyclicGraph {
  /// A column with keys of objects, in a table of objects or of pairs.
  private struct Column {
    var name: String
    /// The relationship whose destinations it holds.
    var relation: CyclicModel.Relation
  }

  /// A join table: the columns with the objects at both ends.
  private struct Pairs {
    var table: String
    var start: String
    var end: Column
  }

  /// Writes all objects into an empty store.
  func write(to path: String) throws {
    let database = try GeneratorDatabase(path: path)
    try database.run("BEGIN")
    var numbers: [String: Int64] = [:]
    for row in try database.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      if case .integer(let number) = row[1] { numbers[Self.text(row[0])] = number }
    }
    for object in all {
      let columns = try Self.names("Z\(object.root.uppercased())", database)
      var row: [String: Int64] = [
        "Z_PK": object.key, "Z_ENT": numbers[objects[object] ?? ""] ?? 0, "Z_OPT": 1,
      ]
      for column in try Self.columns(of: object.root, database) {
        let name = column.relation.name.uppercased()
        guard let other = holderEdge(column, of: object) else { continue }
        row[column.name] = other.key
        if let entity = columns.first(where: { Self.isNumbered($0, "_\(name)") }) {
          row[entity] = numbers[objects[other] ?? ""] ?? 0
        }
        let order = "Z_FOK_\(name)"
        if columns.contains(order) { row[order] = 2048 + 1024 * object.key }
      }
      let names = row.keys.sorted()
      try database.run(
        "INSERT INTO Z\(object.root.uppercased()) (\(names.joined(separator: ", "))) VALUES "
          + "(\(names.map { "\(row[$0] ?? 0)" }.joined(separator: ", ")))")
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(object.key) WHERE Z_NAME = '\(object.root)'")
    }
    for pairs in try Self.pairs(database) {
      let isReflexive = pairs.end.relation.name == "friends"
      for edge in edges where edge.relation == pairs.end.relation.fullName {
        if isReflexive, edge.start.key > edge.end.key { continue }
        try database.run(
          "INSERT INTO \(pairs.table) (\(pairs.start), \(pairs.end.name)) "
            + "VALUES (\(edge.start.key), \(edge.end.key))")
      }
    }
    try database.run("COMMIT")
  }

  /// Reads the objects of a store.
  init(readingFrom path: String) throws {
    let database = try GeneratorDatabase(path: path)
    for root in CyclicModel.roots {
      let table = "Z\(root.uppercased())"
      let found = try database.rows(
        "SELECT Z_PK, Z_NAME FROM \(table) AS t JOIN Z_PRIMARYKEY AS n ON n.Z_ENT = t.Z_ENT")
      for row in found {
        guard case .integer(let key) = row[0] else { continue }
        objects[Object(root: root, key: key)] = Self.text(row[1])
      }
      for column in try Self.columns(of: root, database) {
        try read("SELECT Z_PK, \(column.name) FROM \(table)", root, column, database)
      }
    }
    for pairs in try Self.pairs(database) {
      try read(
        "SELECT \(pairs.start), \(pairs.end.name) FROM \(pairs.table)", "Node", pairs.end, database)
    }
  }

  private mutating func read(
    _ sql: String, _ root: String, _ column: Column, _ database: GeneratorDatabase
  ) throws {
    for row in try database.rows(sql) {
      guard case .integer(let first) = row[0], case .integer(let second) = row[1] else { continue }
      let relation = column.relation
      let isOwned = relation.name == "marks"
      let object = Object(root: root, key: first)
      let other = Object(root: (isOwned ? relation.entity : relation.destination).text, key: second)
      let (start, end) = isOwned ? (other, object) : (object, other)
      edges.insert(Edge(relation: relation.fullName, start: start, end: end))
      guard let reverse = relation.reverse, reverse.isToMany else { continue }
      edges.insert(Edge(relation: reverse.fullName, start: end, end: start))
    }
  }

  /// The object that a column of an object's row refers to.
  private func holderEdge(_ column: Column, of object: Object) -> Object? {
    let name = column.relation.fullName
    if column.relation.name == "marks" {
      return edges.first { $0.relation == name && $0.end == object }?.start
    }
    return edges.first { $0.relation == name && $0.start == object }?.end
  }

  private static func columns(of root: String, _ database: GeneratorDatabase) throws -> [Column] {
    let names = try names("Z\(root.uppercased())", database)
    let toOne = CyclicModel.relations.filter {
      CyclicModel.root($0.entity) == Name(root) && !$0.isToMany
    }
    .map { Column(name: "Z\($0.name.uppercased())", relation: $0) }
    guard root == "Mark", let marks = CyclicModel.relation("Alpha.marks") else { return toOne }
    return names.filter { isNumbered($0, "MARKS") }.map { Column(name: $0, relation: marks) }
  }

  private static func pairs(_ database: GeneratorDatabase) throws -> [Pairs] {
    let tables = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    return try tables.compactMap { row in
      let names = try names(text(row[0]), database)
      let known = [
        ("Node.friends", "REFLEXIVE"), ("Leaf.links", "BACKLINKS"), ("Node.labels", "NODES"),
      ]
      for (relation, other) in known {
        guard let found = CyclicModel.relation(relation),
          let end = names.first(where: { isNumbered($0, found.name.uppercased()) }),
          let start = names.first(where: { isNumbered($0, other) || $0 == other })
        else { continue }
        return Pairs(table: text(row[0]), start: start, end: Column(name: end, relation: found))
      }
      return nil
    }
  }

  /// Whether a name is `Z`, digits with or without a line before them, and the rest.
  private static func isNumbered(_ name: String, _ rest: String) -> Bool {
    guard name.hasPrefix("Z"), name.hasSuffix(rest) else { return false }
    let middle = name.dropFirst().dropLast(rest.count)
    let digits = middle.hasPrefix("_") ? middle.dropFirst() : middle
    return !digits.isEmpty && digits.allSatisfy(\.isNumber)
  }

  private static func names(_ table: String, _ database: GeneratorDatabase) throws -> [String] {
    try database.rows("SELECT name FROM pragma_table_info('\(table)')").map { text($0[0]) }
  }

  private static func text(_ value: StoreValue) -> String {
    if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}
