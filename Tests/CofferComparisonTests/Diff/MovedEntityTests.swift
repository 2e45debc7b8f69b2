internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Objects of an entity that has another table on the other side, because it became the subentity of
/// another or stopped being one.
@Suite struct MovedEntityTests {
  private let samples: SampleSources

  init() throws { samples = try SampleSources() }

  /// The subentities of `Content`.
  enum Shape: String, CaseIterable, Sendable {
    /// None, and there is no such entity.
    case apart
    case note, both
    /// Both, and it declares their common properties.
    case raised

    var model: ManagedObjectModel {
      let text = AttributeDescription(name: "text", type: .string)
      let tags = RelationshipDescription(
        name: "tags", destinationName: "Tag", inverseName: "notes", maxCount: 0)
      let isBelow = (note: self != .apart, item: self == .both || self == .raised)
      let isRaised = self == .raised
      var entities = [
        EntityDescription(
          name: "Note", superentityName: isBelow.note ? "Content" : nil,
          attributes: isRaised ? [] : [text],
          relationships: (isRaised ? [] : [tags]) + [
            RelationshipDescription(
              name: "author", destinationName: "Person", inverseName: "notes")
          ]),
        EntityDescription(
          name: "Item", superentityName: isBelow.item ? "Content" : nil,
          attributes: [AttributeDescription(name: "title", type: .string)],
          relationships: [RelationshipDescription(name: "note", destinationName: "Note")]),
        EntityDescription(
          name: "Person",
          relationships: [
            RelationshipDescription(
              name: "notes", destinationName: "Note", inverseName: "author", maxCount: 0,
              isOrdered: true)
          ]),
        EntityDescription(
          name: "Tag",
          relationships: [
            RelationshipDescription(
              name: "notes", destinationName: isRaised ? "Content" : "Note", inverseName: "tags",
              maxCount: 0)
          ]),
      ]
      if isBelow.note {
        entities.append(
          EntityDescription(
            name: "Content", attributes: isRaised ? [text] : [],
            relationships: isRaised ? [tags] : []))
      }
      return ManagedObjectModel(
        entities: entities, versionIdentifiers: [""], source: .modelCache)
    }
  }

  /// What a store holds.
  struct Content: Sendable {
    var notes: [Int64: String] = [1: "a", 2: "b", 30: "c"]
    var items: [Int64: String] = [11: "x", 12: "y"]
    /// The note that an item leads to.
    var noteOfItem: Int64 = 2
    var author: Int64 = 1
    var tags: [Int64] = [1, 30]
    var hasContent = false

    /// The content after a change.
    func with(_ change: (inout Self) -> Void) -> Self {
      var content = self
      change(&content)
      return content
    }
  }

  private func store(_ name: String, _ shape: Shape, _ content: Content) throws -> String {
    let path = samples.directory.file("\(name).sqlite")
    let builder = try SampleStoreBuilder(path: path, model: shape.model, journal: .delete)
    for person in [1, 2] as [Int64] { try builder.insert("Person", primaryKey: person) }
    for (key, text) in content.notes.sorted(by: { $0.key < $1.key }) {
      try builder.insert("Note", ["text": .text(Array(text.utf8))], primaryKey: key)
    }
    for (key, title) in content.items.sorted(by: { $0.key < $1.key }) {
      try builder.insert(
        "Item", ["title": .text(Array(title.utf8)), "note": .integer(content.noteOfItem)],
        primaryKey: key)
    }
    if content.hasContent { try builder.insert("Content", primaryKey: 5) }
    try builder.insert("Tag", primaryKey: 1)
    try builder.link("Tag", "notes", from: 1, to: content.tags)
    try builder.link("Person", "notes", from: content.author, to: [1])
    try builder.finish()
    return path
  }

  /// The differences of objects and pairs, and the number of objects on each side.
  private func found(
    _ first: String, _ second: String
  ) throws -> (texts: [String], first: Int, second: Int) {
    var texts: [String] = []
    let summary = try StoreComparison().compare(first, second) { difference in
      switch difference {
      case .object: texts.append(difference.text)
      // The end that names the table does not matter.
      case .pair(let pair):
        let keys = [pair.source ?? -1, pair.destination ?? -1].sorted()
        texts.append("\(pair.kind.rawValue) pair \(keys[0])-\(keys[1])")
      default: break
      }
    }
    return (texts, summary.firstObjectCount, summary.secondObjectCount)
  }

  private static let base = Content()

  static let changes: [(Content, [String])] = [
    (base, []),
    (base.with { $0.notes[2] = "B" }, ["changed Note/p2 attribute:text"]),
    (
      base.with {
        $0.notes[2] = nil; $0.noteOfItem = 1
      },
      [
        "changed Item/p11 relationship:note", "changed Item/p12 relationship:note",
        "removed Note/p2",
      ]
    ),
    (base.with { $0.notes[3] = "new" }, ["added Note/p3"]),
    // The key of a note becomes that of an item, which may have the same table.
    (
      base.with {
        $0.items[11] = nil; $0.notes[11] = "x"
      }, ["added Note/p11", "removed Item/p11"]
    ),
    (base.with { $0.author = 2 }, ["changed Note/p1 relationship:author"]),
    (base.with { $0.tags = [1, 2] }, ["added pair 1-2", "removed pair 1-30"]),
    (base.with { $0.items = [:] }, ["removed Item/p11", "removed Item/p12"]),
  ]

  static let moves: [(Shape, Shape)] = [
    (.apart, .note), (.note, .apart), (.note, .both), (.both, .note), (.both, .apart),
    (.apart, .raised), (.raised, .note),
  ]

  @Test(arguments: moves, changes)
  func objectsAreMatchedByEntityAndKey(
    _ shapes: (Shape, Shape), _ change: (Content, [String])
  ) throws {
    let first = try store("First", shapes.0, Self.base)
    let second = try store("Second", shapes.1, change.0)
    let result = try found(first, second)
    #expect(result.texts.sorted() == change.1.sorted(), "\(shapes)")
    #expect(result.first == 8)
    #expect(result.second == 3 + change.0.notes.count + change.0.items.count)
  }

  @Test(arguments: Form.allCases)
  func storesAndArchivesGiveTheSame(_ form: Form) throws {
    let first = try store("First", .apart, Self.base)
    let change = Self.base.with {
      $0.notes[1] = "A"
      $0.notes[3] = "new"
      $0.items[12] = nil
      $0.hasContent = true
    }
    let second = try store("Second", .both, change)
    let (old, new) = try form.sources(first, second, samples)
    #expect(
      try found(old, new).texts.sorted() == [
        "added Content/p5", "added Note/p3", "changed Note/p1 attribute:text", "removed Item/p12",
      ])
    #expect(
      try found(new, old).texts.sorted() == [
        "added Item/p12", "changed Note/p1 attribute:text", "removed Content/p5",
        "removed Note/p3",
      ])
  }

  @Test(
    arguments: [
      (.apart, .note), (.note, .apart), (.both, .note), (.both, .apart), (.both, .raised),
    ]
      as [(Shape, Shape)])
  func whatMigrationMovesIsTheSame(_ shapes: (Shape, Shape)) throws {
    let old = try store("Old", shapes.0, Self.base)
    let model = try store("Model", shapes.1, Self.base)
    let new = samples.directory.file("New.sqlite")
    try StoreMigrator().migrate(old, to: model, at: new)
    #expect(try found(old, new).texts == [])
    // Through an archive, as a restored backup of before and after.
    let restored = try samples.restored(samples.archive(of: new))
    #expect(try found(samples.archive(of: old), restored).texts == [])
  }
}
