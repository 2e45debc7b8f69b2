internal import CofferKit
internal import Foundation
internal import StoreGenerator
internal import TestSupport

/// The objects of a small store, as values: what an app would have in memory.
///
/// Objects are told apart by a text that never changes, not by their keys.
struct MergeState: Equatable {
  /// An object.
  struct Item: Equatable {
    var entity: String
    var key: Int64
    var values: [String: StoreValue] = [:]
    /// The destinations of to-one relationships by name.
    var links: [String: String] = [:]
  }

  /// The objects by their texts.
  var items: [String: Item] = [:]
  /// The pairs of notes and tags.
  var pairs: Set<[String]> = []
  /// The notes of each folder in order.
  var lists: [String: [String]] = [:]
  /// The highest keys that were given.
  var highest: [String: Int64] = [:]

  /// The model: folders with ordered notes, notes with tags.
  static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Folder">
        <attribute name="uid" optional="YES" attributeType="String"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" ordered="YES" \
    deletionRule="Cascade" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
        UNIQUE
      </entity>
      <entity name="Note">
        <attribute name="uid" optional="YES" attributeType="String"/>
        <attribute name="text" optional="YES" attributeType="String"/>
        <attribute name="count" optional="YES" attributeType="Integer 64"/>
        <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
        <relationship name="related" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Note"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="notes" inverseEntity="Note"/>
        UNIQUE
      </entity>
      <entity name="Tag">
        <attribute name="uid" optional="YES" attributeType="String"/>
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
        UNIQUE
      </entity>
    </model>
    """.replacing(
      "UNIQUE",
      with:
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"uid\"/>"
        + "</uniquenessConstraint></uniquenessConstraints>")

  static let entities = ["Folder", "Note", "Tag"]
  static let attributes = ["Folder": ["name"], "Note": ["count", "text"], "Tag": ["name"]]
  static let toOne = ["Note": ["folder": "Folder", "related": "Note"]]

  /// Creates a store without objects.
  static func createEmptyStore(in directory: TemporaryDirectory) throws -> String {
    let model = directory.file("Model.xcdatamodel")
    try FileManager.default.createDirectory(
      atPath: model, withIntermediateDirectories: true)
    try Data(Self.model.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    let path = directory.file("Empty.sqlite")
    try StoreCreator().create(model, at: path)
    return path
  }

  // MARK: Stores

  /// Writes all objects into a copy of an empty store.
  func write(to path: String) throws {
    let database = try GeneratorDatabase(path: path)
    try database.run("BEGIN")
    for (number, entity) in Self.entities.enumerated() {
      try database.run(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest[entity] ?? 0) WHERE Z_NAME = '\(entity)'")
      for (uid, item) in items where item.entity == entity {
        var columns = ["Z_PK", "Z_ENT", "Z_OPT", "ZUID"]
        var values: [StoreValue] = [
          .integer(item.key), .integer(Int64(number + 1)), .integer(1), .string(uid),
        ]
        for (name, value) in item.values {
          columns.append("Z" + name.uppercased())
          values.append(value)
        }
        for (name, destination) in item.links {
          columns.append("Z" + name.uppercased())
          values.append(items[destination].map { .integer($0.key) } ?? .null)
        }
        if let folder = item.links["folder"],
          let place = lists[folder]?.firstIndex(of: uid)
        {
          columns.append("Z_FOK_FOLDER")
          values.append(.integer(2048 + 1024 * Int64(place)))
        }
        try database.run(
          "INSERT INTO Z\(entity.uppercased()) (\(columns.joined(separator: ", "))) VALUES ("
            + columns.map { _ in "?" }.joined(separator: ", ") + ")", values)
      }
    }
    for pair in pairs {
      guard let note = items[pair[0]], let tag = items[pair[1]] else { continue }
      try database.run(
        "INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) VALUES (\(note.key), \(tag.key))")
    }
    try database.run("COMMIT")
  }

  /// Reads the objects of a store.
  init(readingFrom path: String) throws {
    let database = try GeneratorDatabase(path: path)
    var names: [String: [Int64: String]] = [:]
    for entity in Self.entities {
      for row in try database.rows("SELECT Z_PK, ZUID FROM Z\(entity.uppercased())") {
        guard case .integer(let key) = row[0], case .text(let bytes) = row[1] else { continue }
        let uid = String(decoding: bytes, as: UTF8.self)
        names[entity, default: [:]][key] = uid
        items[uid] = Item(entity: entity, key: key)
      }
    }
    for (uid, item) in items {
      let table = "Z\(item.entity.uppercased())"
      for name in Self.attributes[item.entity] ?? [] {
        let value = try database.rows(
          "SELECT Z\(name.uppercased()) FROM \(table) WHERE Z_PK = \(item.key)")[0][0]
        if case .null = value { continue }
        items[uid]?.values[name] = value
      }
      for (name, destination) in Self.toOne[item.entity] ?? [:] {
        let key = try database.integer(
          "SELECT Z\(name.uppercased()) FROM \(table) WHERE Z_PK = \(item.key)")
        if let key { items[uid]?.links[name] = names[destination]?[key] ?? "nothing" }
      }
    }
    for row in try database.rows("SELECT Z_2NOTES, Z_3TAGS FROM Z_2TAGS") {
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

  init() {}

  // MARK: Changes

  /// Adds an object with the next key.
  mutating func add(_ uid: String, _ entity: String) {
    highest[entity, default: 0] += 1
    items[uid] = Item(entity: entity, key: highest[entity] ?? 0)
    if entity == "Folder" { lists[uid] = [] }
  }

  /// Lets a note be the last one of a folder.
  mutating func move(_ note: String, to folder: String?) {
    if let old = items[note]?.links["folder"] { lists[old]?.removeAll { $0 == note } }
    items[note]?.links["folder"] = folder
    if let folder { lists[folder, default: []].append(note) }
  }

  /// Deletes an object; a folder with its notes.
  mutating func delete(_ uid: String) {
    guard let item = items.removeValue(forKey: uid) else { return }
    if let folder = item.links["folder"] { lists[folder]?.removeAll { $0 == uid } }
    for note in lists.removeValue(forKey: uid) ?? [] { delete(note) }
    for (other, item) in items {
      for (name, destination) in item.links where destination == uid {
        items[other]?.links[name] = nil
      }
    }
    pairs = pairs.filter { !$0.contains(uid) }
  }

  /// The objects of an entity in the order of their keys.
  func names(_ entity: String) -> [String] {
    items.filter { $0.value.entity == entity }.sorted { $0.value.key < $1.value.key }.map(\.key)
  }

  /// The objects without their keys.
  var content: [String: Item] {
    items.mapValues { Item(entity: $0.entity, key: 0, values: $0.values, links: $0.links) }
  }
}

extension MergeState {
  /// Makes random changes; new objects get names with a prefix.
  mutating func change(_ count: Int, _ prefix: String, _ random: inout SeededGenerator) {
    for number in 0..<count {
      let name = "\(prefix)\(number)"
      let notes = names("Note")
      let (folders, tags) = (names("Folder"), names("Tag"))
      func any(_ names: [String]) -> String? {
        names.isEmpty ? nil : names[random.below(names.count)]
      }
      switch random.below(14) {
      case 0: add(name, "Folder")
      case 1, 2:
        add(name, "Note")
        items[name]?.values["text"] = .string("new")
        move(name, to: any(folders))
      case 3: add(name, "Tag")
      case 4: if let note = any(notes) { delete(note) }
      case 5: if random.chance(0.3), let folder = any(folders) { delete(folder) }
      case 6: if random.chance(0.5), let tag = any(tags) { delete(tag) }
      case 7: if let note = any(notes) { move(note, to: random.chance(0.2) ? nil : any(folders)) }
      case 8: if let note = any(notes) { items[note]?.links["related"] = any(notes) }
      case 9:
        if let note = any(notes), let tag = any(tags) {
          let pair = [note, tag]
          if pairs.remove(pair) == nil { pairs.insert(pair) }
        }
      case 10:
        if let folder = any(folders), var list = lists[folder], list.count > 1 {
          let moved = list.remove(at: random.below(list.count))
          list.insert(moved, at: random.below(list.count + 1))
          lists[folder] = list
        }
      default:
        guard let (uid, item) = items.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
        else { continue }
        let attributes = Self.attributes[item.entity] ?? []
        let attribute = attributes[random.below(attributes.count)]
        items[uid]?.values[attribute] =
          attribute == "count"
          ? .integer(Int64(random.below(4))) : .string("value \(random.below(4))")
      }
    }
  }
}
