internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator

extension MergeState {
  // MARK: Writing

  /// Writes all objects into a copy of an empty store.
  func write(to path: String) throws {
    let database = try GeneratorDatabase(path: path)
    try database.run("BEGIN")
    let numbers = try Self.entityNumbers(database)
    for (root, highest) in highest {
      try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_NAME = '\(root)'")
    }
    let columns = try Dictionary(
      uniqueKeysWithValues: MergeModel.roots.map { ($0, try Self.columns(of: $0.text, database)) })
    for (uid, item) in items {
      let root = MergeModel.root(item.entity)
      let row = try row(uid, item, numbers, columns[root] ?? [], StoreFiles(path))
      try database.run(
        "INSERT INTO Z\(root.text.uppercased()) (\(row.map(\.0).joined(separator: ", "))) VALUES ("
          + row.map { _ in "?" }.joined(separator: ", ") + ")", row.map(\.1))
    }
    let table = try Self.pairTable(database)
    for pair in pairs {
      guard let note = items[pair[0]], let tag = items[pair[1]] else { continue }
      try database.run(
        "INSERT INTO \(table.name) (\(table.notes), \(table.tags)) VALUES (\(note.key), \(tag.key))"
      )
    }
    try database.run("COMMIT")
  }

  private func row(
    _ uid: String, _ item: Item, _ numbers: [Name: Int64], _ columns: [String],
    _ files: StoreFiles
  ) throws -> [(String, StoreValue)] {
    var row: [(String, StoreValue)] = [
      ("Z_PK", .integer(item.key)), ("Z_ENT", .integer(numbers[item.entity] ?? 0)),
      ("Z_OPT", .integer(1)), ("ZUID", .string(uid)),
    ]
    for (name, value) in item.values {
      row.append(("Z" + name.text.uppercased(), try stored(value, of: item, files)))
    }
    for link in MergeModel.links(of: item.entity) {
      guard let destination = item.links[link.name].flatMap({ items[$0] }) else { continue }
      row.append(("Z" + link.name.text.uppercased(), .integer(destination.key)))
      let entity = columns.first {
        $0.hasPrefix("Z") && $0.hasSuffix("_" + link.name.text.uppercased())
      }
      if let entity, !entity.hasPrefix("Z_") {
        row.append((entity, .integer(numbers[destination.entity] ?? 0)))
      }
    }
    for link in MergeModel.links where link.isOneToOne && link.destination == item.entity {
      guard let inverse = link.inverse, let uid = holders(link.name, of: uid).first,
        let holder = items[uid]
      else { continue }
      row.append(("Z" + inverse.text.uppercased(), .integer(holder.key)))
      let entity = columns.first { $0.hasSuffix("_" + inverse.text.uppercased()) }
      if let entity { row.append((entity, .integer(numbers[holder.entity] ?? 0))) }
    }
    if let folder = item.links["folder"], let place = lists[folder]?.firstIndex(of: uid) {
      row.append(("Z_FOK_FOLDER", .integer(2048 + 1024 * Int64(place))))
    }
    return row
  }

  /// A value as it is stored; that of an image can be in a file.
  private func stored(
    _ value: StoreValue, of item: Item, _ files: StoreFiles
  ) throws -> StoreValue {
    guard item.entity == "Cover", case .blob(let bytes) = value else { return value }
    guard let file = item.file else { return .inline(bytes) }
    try FileManager.default.createDirectory(
      atPath: files.externalDataFolder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(files.externalDataFolder)/\(file)"))
    return .external(file)
  }

  private static func entityNumbers(_ database: GeneratorDatabase) throws -> [Name: Int64] {
    var numbers: [Name: Int64] = [:]
    for row in try database.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      guard let name = text(row[0]), case .integer(let number) = row[1] else { continue }
      numbers[Name(name)] = number
    }
    return numbers
  }

  private static func columns(of root: String, _ database: GeneratorDatabase) throws -> [String] {
    try database.rows("SELECT name FROM pragma_table_info('Z\(root.uppercased())')")
      .compactMap { text($0[0]) }
  }

  private static func pairTable(
    _ database: GeneratorDatabase
  ) throws -> (name: String, notes: String, tags: String) {
    let found = try database.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    let name = found.first.flatMap { text($0[0]) } ?? ""
    let columns = try database.rows("SELECT name FROM pragma_table_info('\(name)')")
      .compactMap { text($0[0]) }
    return (
      name, columns.first { $0.contains("NOTES") } ?? "",
      columns.first { $0.contains("TAGS") } ?? ""
    )
  }

  private static func text(_ value: StoreValue) -> String? {
    if case .text(let bytes) = value { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  // MARK: Reading

  /// Reads the objects of a store.
  init(readingFrom path: String) throws {
    self.init()
    let database = try GeneratorDatabase(path: path)
    let numbers = try Self.entityNumbers(database)
    let entities = Dictionary(uniqueKeysWithValues: numbers.map { ($1, $0) })
    var names: [Name: [Int64: String]] = [:]
    for root in MergeModel.roots {
      for row in try database.rows("SELECT Z_PK, ZUID, Z_ENT FROM Z\(root.text.uppercased())") {
        guard case .integer(let key) = row[0], let uid = Self.text(row[1]),
          case .integer(let number) = row[2]
        else { continue }
        names[root, default: [:]][key] = uid
        items[uid] = Item(entity: entities[number] ?? "", key: key)
      }
    }
    for (uid, item) in items {
      try readValues(of: uid, item, database, StoreFiles(path))
      try readLinks(of: uid, item, database, names)
    }
    let table = try Self.pairTable(database)
    for row in try database.rows("SELECT \(table.notes), \(table.tags) FROM \(table.name)") {
      guard case .integer(let note) = row[0], case .integer(let tag) = row[1] else { continue }
      pairs.insert([names["Note"]?[note] ?? "nothing", names["Tag"]?[tag] ?? "nothing"])
    }
    for (uid, item) in items where item.entity == "Folder" {
      let rows = try database.rows(
        "SELECT Z_PK FROM ZNOTE WHERE ZFOLDER = \(item.key) ORDER BY Z_FOK_FOLDER, Z_PK")
      lists[uid] = rows.compactMap {
        if case .integer(let key) = $0[0] { names["Note"]?[key] } else { nil }
      }
    }
  }

  private mutating func readValues(
    of uid: String, _ item: Item, _ database: GeneratorDatabase, _ files: StoreFiles
  ) throws {
    let table = "Z\(MergeModel.root(item.entity).text.uppercased())"
    for name in MergeModel.attributes[item.entity] ?? [] {
      let value = try database.rows(
        "SELECT Z\(name.text.uppercased()) FROM \(table) WHERE Z_PK = \(item.key)")[0][0]
      switch value {
      case .null: continue
      case .blob(let bytes) where bytes.first == 2:
        let file = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        let content = FileManager.default.contents(atPath: "\(files.externalDataFolder)/\(file)")
        items[uid]?.file = file
        items[uid]?.values[name] = content.map { .blob(Array($0)) } ?? .string("no file")
      case .blob(let bytes): items[uid]?.values[name] = .blob(Array(bytes.dropFirst()))
      default: items[uid]?.values[name] = value
      }
    }
  }

  private mutating func readLinks(
    of uid: String, _ item: Item, _ database: GeneratorDatabase, _ names: [Name: [Int64: String]]
  ) throws {
    let table = "Z\(MergeModel.root(item.entity).text.uppercased())"
    for link in MergeModel.links(of: item.entity) {
      let key = try database.integer(
        "SELECT Z\(link.name.text.uppercased()) FROM \(table) WHERE Z_PK = \(item.key)")
      guard let key else { continue }
      items[uid]?.links[link.name] = names[link.destination]?[key] ?? "nothing"
      guard link.isOneToOne, let inverse = link.inverse else { continue }
      let back = try database.integer(
        "SELECT Z\(inverse.text.uppercased()) FROM Z\(link.destination.text.uppercased()) WHERE Z_PK = \(key)"
      )
      if back != item.key { items[uid]?.links[link.name] = "one who does not know" }
    }
  }
}
