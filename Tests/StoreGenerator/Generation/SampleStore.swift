internal import CoreDataModel

/// The sample: a small store with every kind of property and every awkward value, each by hand.
///
/// The same on every run. `Fixtures/Stores/Todo.sqlite` is made from it.
package enum SampleStore {
  /// Seconds since 2001 of 2025-01-01 09:00:00 UTC.
  static let start = 757_414_800.0

  /// Writes the store; an existing store is removed.
  ///
  /// - Throws: ``GeneratorError``, or the file system's error.
  package static func write(to path: String, journal: SampleStoreBuilder.Journal = .wal) throws {
    try (journal == .wal ? logged : deleted).get().write(to: path)
  }

  /// The store in WAL mode and the one in DELETE mode, built by the first who asks.
  private static let logged = Result { try StoreBytes { try build(at: $0, .wal) } }
  private static let deleted = Result { try StoreBytes { try build(at: $0, .delete) } }

  /// Builds the store again; ``write(to:journal:)`` does so once.
  ///
  /// - Throws: ``GeneratorError``, or the file system's error.
  package static func build(at path: String, _ journal: SampleStoreBuilder.Journal) throws {
    let builder = try SampleStoreBuilder(path: path, schema: TodoModel.schema, journal: journal)
    builder.identity.metadata = [
      .init("AppLastSync", .date(start + 0.125)),
      .init(
        "AppSettings",
        PropertyList.dictionary([
          "theme": .string("dark 🌒"), "columns": .array([.integer(3), .real(0.5)]),
          "token": .data([0, 1, 2, 255]), "beta": .bool(true),
        ])),
    ]
    try insertPeople(builder)
    try insertLocations(builder)
    try insertItems(builder)
    try insertTags(builder)
    try insertAttachments(builder)
    recordHistory(builder)
    // Objects that were deleted again.
    builder.extraPrimaryKeys.merge(["TagEntity": 2, "VisitEntity": 5]) { $1 }
    try builder.finish()
  }

  /// A UUID with version and variant bits as they should be, from a number.
  static func uuid(_ number: Int) -> StoreValue {
    var generator = SeededGenerator(seed: UInt64(number))
    return .blob(uuidBytes(&generator))
  }

  private static func insertPeople(_ builder: SampleStoreBuilder) throws {
    let people: [(String, [Name: StoreValue])] = [
      ("Ada Lovelace", ["email": "ada@example.org", "birthday": -5_859_475_200, "balance": 12.5]),
      // Before 2001, a fraction of a second, and a number that a double cannot hold exactly.
      (
        "José Ñandú", ["email": "jose@example.org", "birthday": -0.001, "balance": 3.3333333333333]
      ),
      ("山田 太郎", ["email": "", "birthday": 473_385_600, "balance": -7]),
      ("محمد الحسن", ["balance": 12_345_678_901_234_567_890.5]),
      ("👩‍👩‍👧‍👦 Family", ["email": "family@example.org", "avatar": .blob([])]),
      ("Eve\u{0}Null", ["avatar": .blob([0, 1, 2, 0xff]), "isActive": 0]),
    ]
    for (index, (name, values)) in people.enumerated() {
      var row = values.merging(["name": .string(name)]) { $1 }
      if row["isActive"] == nil { row["isActive"] = 1 }
      try builder.insert("PersonEntity", row, version: Int64(1 + index % 3))
    }
    // Friendships: one in both directions, one in one direction only, as real stores have them.
    try builder.link("PersonEntity", "friends", from: 1, to: [2, 3])
    try builder.link("PersonEntity", "friends", from: 2, to: [1])
    for (key, person) in zip(Int64(1)..., [2, 1, 4] as [Int64]) {
      try builder.insert(
        "SettingsEntity",
        [
          "locale": .string(["de_DE", "en_GB", "ar_EG"][Int(key - 1)]),
          "uuid": uuid(100 + Int(key)),
          "volume": .real([0, 0.699999988079071, 1][Int(key - 1)]),
          "colors": key == 3 ? .null : .blob([0x52, 0x47, 0x42, UInt8(key)]),
          "person": .integer(person),
        ])
      try builder.database.run("UPDATE ZPERSONENTITY SET ZSETTINGS = \(key) WHERE Z_PK = \(person)")
    }
  }

  private static func insertLocations(_ builder: SampleStoreBuilder) throws {
    try builder.insert(
      "LocationEntity",
      [
        "name": "Home", "place.latitude": 52.520008, "place.longitude": 13.404954,
        "place.address.street": "Straße des 17. Juni", "place.address.city": "Berlin",
        "place.address.name": "", "place.address.number": 135, "radius": 50, "todoCount": 3,
      ])
    try builder.insert(
      "LocationEntity",
      [
        "name": "Null Island", "place.latitude": 0.0, "place.longitude": -0.0, "radius": 1e-3,
        "todoCount": 1,
      ])
    try builder.insert("LocationEntity", ["name": "", "radius": 0.5, "todoCount": 0], version: 9)
    for day in 0..<4 {
      let arrival = start + Double(day) * 86_400
      let departure: StoreValue = day == 3 ? .null : .real(arrival + 3600.25)
      try builder.insert("VisitEntity", ["arrival": .real(arrival), "departure": departure])
    }
    try builder.link("LocationEntity", "visits", from: 1, to: [3, 1, 2], keys: [1024, 2048, 2560])
    try builder.link("LocationEntity", "visits", from: 2, to: [4])
  }

  private static func insertTags(_ builder: SampleStoreBuilder) throws {
    let names = ["home", "work", "Überfällig", "買い物", "🔥", "e\u{301}", "\u{e9}"]
    for (index, name) in names.enumerated() {
      let color = [0, -1, Int64(Int32.max), Int64(Int32.min), 0xff_aa00, 1, 2][index]
      try builder.insert("TagEntity", ["name": .string(name), "color": .integer(color)])
    }
    try builder.link("TodoEntity", "tags", from: 1, to: [1, 2, 5])
    try builder.link("TodoEntity", "tags", from: 2, to: [2])
    try builder.link("TodoEntity", "tags", from: 4, to: [3, 4, 6, 7])
  }

  private static func insertAttachments(_ builder: SampleStoreBuilder) throws {
    var random = SeededGenerator(seed: 7)
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(random.below(256)) } }
    let small = bytes(300)
    let contents: [StoreValue] = [
      .inline(small), .inline([]), .null,
      try builder.writeExternalFile(named: "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1", bytes(20_000)),
      // The content of the file is the value itself, even when it begins like a marker.
      try builder.writeExternalFile(named: "A1B2C3D4-E5F6-4A7B-8C9D-0E1F2A3B4C5D", [1, 2, 3]),
    ]
    for (index, content) in contents.enumerated() {
      try builder.insert(
        "AttachmentEntity",
        [
          "content": content, "checksum": .blob(bytes(index * 4)), "uuid": uuid(200 + index),
          "fileName": .string(
            ["a.txt", "empty", "no content", "Foto 📷.jpg", "b/c\\d\".bin"][index]),
          "size": .integer([300, 0, -1, 20_000, 3][index]),
        ])
    }
    // One entry was moved in between: its key is half way.
    try builder.link(
      "TodoEntity", "attachments", from: 1, to: [2, 4, 1], keys: [2048, 2560, 3072])
    try builder.link("NoteEntity", "attachments", from: 6, to: [3])
  }
}
