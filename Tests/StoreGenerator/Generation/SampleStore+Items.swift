internal import CoreDataModel

extension SampleStore {
  /// The items: to-dos, a recurring one, notes; their primary keys are those of one table.
  static func insertItems(_ builder: SampleStoreBuilder) throws {
    for (index, (entity, values)) in items.enumerated() {
      var row: [Name: StoreValue] = [
        "uuid": uuid(index + 1), "createdAt": .real(start + Double(index) * 60), "flags": 0,
        "position": .integer(Int64(index)), "sequence": 0,
      ]
      if entity != "NoteEntity" { row.merge(["isDone": 0, "priority": 3]) { $1 } }
      if entity == "NoteEntity" { row["isLocked"] = 0 }
      row.merge(values) { $1 }
      try builder.insert(Name(entity), row, version: [1, 3, 1, 2, 1, 1, 4, 1, 1][index])
    }
    try builder.link("TodoEntity", "assignees", from: 1, to: [2, 1])
    try builder.link("TodoEntity", "assignees", from: 2, to: [1, 3])
    try builder.link("RecurringTodoEntity", "assignees", from: 4, to: [1])
    try builder.link("NoteEntity", "links", from: 6, to: [8, 7])
    // A note that links to itself.
    try builder.link("NoteEntity", "links", from: 7, to: [7])
  }

  private static let items: [(String, [Name: StoreValue])] = [
    (
      "TodoEntity",
      [
        "title": "Buy milk 🥛", "text": "2 l\nsemi-skimmed", "location": 1, "locationName": "Home",
        "dueDate": 757_500_000, "cost": 2.49, "estimate": 0.25, "progress": 0.5, "colorId": 1,
        "modifiedAt": .real(start + 0.1), "link": "https://example.org/milk?q=%F0%9F%A5%9B#top",
        "extra": .blob(
          PropertyList.archivedDictionary(["font": .string("Body"), "größe": .integer(12)])),
      ]
    ),
    (
      "TodoEntity",
      [
        "title": "Edge of numbers", "flags": -32768, "position": -2_147_483_648,
        "sequence": .integer(.min), "priority": 5, "colorId": 2_147_483_647,
        "estimate": 1.7976931348623157e308, "progress": 1.401298464324817e-45, "cost": 1e20,
        "dueDate": .real(.leastNonzeroMagnitude), "isDone": 1, "completedAt": -63_114_076_800,
        "parent": 1,
        "createdAt": .real(start + 0.000001), "text": "",
      ]
    ),
    (
      "TodoEntity",
      [
        "title": "Edge of numbers, the other", "flags": 32767, "position": 2_147_483_647,
        "sequence": .integer(.max), "priority": 0, "estimate": 2.2250738585072014e-308,
        "progress": -0.0, "cost": 0.1, "dueDate": 64_092_211_200, "parent": 1, "location": 1,
        "locationName": "Home", "text": "tab\t, quote \", backslash \\, \u{7f}, \u{2028}, \u{feff}",
      ]
    ),
    (
      "RecurringTodoEntity",
      [
        "title": "Water the plants", "interval": 3, "nextDate": 757_674_000.5, "location": 1,
        "locationName": "Home", "parent": 3, "progress": 0.3333333432674408,
        "sequence": 9_007_199_254_740_993, "estimate": 0.30000000000000004,
      ]
    ),
    (
      "TodoEntity",
      [
        "title": "", "location": 2, "locationName": "Null Island", "parent": 4, "estimate": -1.5,
        "text": "NUL\u{0}inside", "extra": .blob([]), "link": "",
      ]
    ),
    (
      "NoteEntity",
      [
        "title": "Меню недели", "text": "Пн: борщ\nВт: 寿司\nСр: كسكس\nЧт: 🍕🍕", "author": 1,
        "colorID": 7, "isLocked": 1, "extra": .blob(PropertyList.archivedDictionary([:])),
      ]
    ),
    // Not in normal form: an e with a combining accent, a flag of two scalars, a skin tone.
    (
      "NoteEntity",
      ["title": "e\u{301} 🇪🇺 👍🏽", "text": .string(String(repeating: "long ", count: 300))]
    ),
    ("NoteEntity", ["title": "Linked", "colorID": -1, "modifiedAt": 0]),
    ("NoteEntity", ["title": "\u{10FFFF}\u{1}\u{8}\u{c}\r\n", "author": 5]),
  ]

  /// The history: insertions, updates with their masks, deletions with what is kept of the objects.
  static func recordHistory(_ builder: SampleStoreBuilder) {
    let todos: [HistoryChange] = [
      .init(.insert, "TodoEntity", 1), .init(.insert, "TodoEntity", 2),
      .init(.insert, "TodoEntity", 3), .init(.insert, "RecurringTodoEntity", 4),
    ]
    let tags = (1...9).map { HistoryChange(.insert, "TagEntity", $0) }
    builder.record(HistoryTransaction(at: start, author: "app", context: "main", todos + tags))
    builder.record(
      HistoryTransaction(
        at: start + 60.5, author: "widget", process: "TodoWidget",
        [
          .init(.update, "TodoEntity", 2, properties: ["isDone", "completedAt", "parent"]),
          .init(.update, "RecurringTodoEntity", 4, properties: ["nextDate", "assignees"]),
          .init(.update, "TodoEntity", 2, properties: []),
        ]))
    builder.record(
      HistoryTransaction(
        at: start + 120,
        [
          .init(.delete, "TagEntity", 8), .init(.delete, "TagEntity", 9),
          .init(.insert, "VisitEntity", 5), .init(.delete, "VisitEntity", 5),
        ]))
    // A transaction whose changes are gone, and objects known only by what was kept of them.
    builder.record(HistoryTransaction(at: start + 180, author: "app", []))
    builder.extraPrimaryKeys["AttachmentEntity"] = 1
    builder.record(
      HistoryTransaction(
        at: start + 240, author: "app",
        [.init(.delete, "AttachmentEntity", 6, tombstones: ["old 📎.pdf", uuid(206)])]))
  }
}
