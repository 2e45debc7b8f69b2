internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Orders that become attributes, and the way back.
@Suite struct MigrationOrderTests {
  /// Lists with items, which are ordered or not, and have a position or not.
  private static func model(
    isOrdered: Bool, position: AttributeType? = nil, isMany: Bool = false
  ) -> ManagedObjectModel {
    let items = RelationshipDescription(
      name: "items", destinationName: "Item", inverseName: "list", maxCount: 0,
      isOrdered: isOrdered)
    let list = RelationshipDescription(
      name: "list", destinationName: "List", inverseName: "items", maxCount: isMany ? 0 : 1)
    let attributes = position.map { [AttributeDescription(name: "position", type: $0)] } ?? []
    return ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Item", className: "Item", attributes: attributes, relationships: [list]),
        EntityDescription(name: "List", className: "List", relationships: [items]),
      ], versionIdentifiers: [""], source: .modelCache)
  }

  private static func order(_ side: OrderAttribute.Side) -> MigrationOptions {
    var options = MigrationOptions()
    options.orderAttributes = [
      OrderAttribute(
        entityName: "List", relationshipName: "items", attributeName: "position", side: side)
    ]
    return options
  }

  /// Two lists and an item without one.
  private static func fill(_ builder: SampleStoreBuilder) throws {
    for _ in 0..<2 { try builder.insert("List") }
    for _ in 0..<6 { try builder.insert("Item") }
    try builder.link("List", "items", from: 1, to: [5, 1, 3])
    try builder.link("List", "items", from: 2, to: [6, 2])
  }

  private static let ordered = model(isOrdered: true)
  private static let positioned = model(isOrdered: false, position: .integer16)
  private static let keys = "SELECT Z_PK, ZLIST, Z_FOK_LIST FROM ZITEM ORDER BY 1"

  private func rows(_ path: String, _ query: String) throws -> [[StoreValue]] {
    try GeneratorDatabase(path: path).rows(query)
  }

  @Test func oneAfterTheOtherIsTheIdentity() throws {
    let there = try MigrationTrial(from: Self.ordered, to: Self.positioned, Self.fill)
    let summary = try there.migrate(Self.order(.new))
    #expect(!summary.notes.contains { $0.code == .orderDropped })
    #expect(
      try rows(there.new, "SELECT Z_PK, ZPOSITION FROM ZITEM ORDER BY 1")
        == [[1, 1], [2, 1], [3, 2], [4, .null], [5, 0], [6, 0]])
    let back = there.folder.file("Back.sqlite")
    let returned = try StoreMigrator(options: Self.order(.old))
      .migrate(there.new, to: there.old, at: back)
    #expect(!returned.notes.contains { $0.code == .valuesDropped })
    #expect(try rows(back, Self.keys) == rows(there.old, Self.keys))
    #expect(try StoreComparison().compare(there.old, back).isEqual)
  }

  @Test func withoutTheOptionTheOrderIsDropped() throws {
    let trial = try MigrationTrial(from: Self.ordered, to: Self.positioned, Self.fill)
    let summary = try trial.migrate()
    #expect(summary.notes.contains { $0.code == .orderDropped })
    #expect(
      try rows(trial.new, "SELECT count(ZPOSITION) FROM ZITEM") == [[0]])
  }

  @Test func positionsThatAreEqualOrMissingFollowTheKeys() throws {
    let trial = try MigrationTrial(from: Self.positioned, to: Self.ordered) { builder in
      try builder.insert("List")
      for position in [StoreValue.null, 7, 7, -1] {
        try builder.insert("Item", ["position": position])
      }
      try builder.link("List", "items", from: 1, to: [1, 2, 3, 4])
    }
    try trial.migrate(Self.order(.old))
    #expect(
      try rows(trial.new, Self.keys)
        == [[1, 1, 5120], [2, 1, 3072], [3, 1, 4096], [4, 1, 2048]])
  }

  /// Values of an attribute are never replaced; an attribute without values may be old.
  @Test(arguments: [false, true])
  func anAttributeWithValuesIsNotOverwritten(_ hasValues: Bool) throws {
    let old = Self.model(isOrdered: true, position: .integer16)
    let trial = try MigrationTrial(from: old, to: Self.positioned) { builder in
      try Self.fill(builder)
    }
    // The item without a list keeps its value.
    let store = try GeneratorDatabase(path: trial.old)
    try store.run("UPDATE ZITEM SET ZPOSITION = 40 WHERE Z_PK = 4")
    if hasValues { try store.run("UPDATE ZITEM SET ZPOSITION = 30 WHERE Z_PK = 3") }
    let migrator = StoreMigrator(options: Self.order(.new))
    let plan = try migrator.plan(trial.old, to: trial.model)
    guard hasValues else {
      #expect(plan.isPossible)
      try trial.migrate(Self.order(.new))
      return #expect(
        try rows(trial.new, "SELECT Z_PK, ZPOSITION FROM ZITEM ORDER BY 1")
          == [[1, 1], [2, 1], [3, 2], [4, 40], [5, 0], [6, 0]])
    }
    #expect(
      plan.problems.map { "\($0.code.text) \($0)" } == [
        "unmet-condition Item.position: 1 object has a value of it, which the positions in List.items "
          + "would replace"
      ])
    #expect(throws: CofferError.self) { try trial.migrate(Self.order(.new)) }
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  @Test func oneRelationshipGoesToOneAttribute() throws {
    var entities = Self.positioned.entities
    entities[0].attributes.append(AttributeDescription(name: "rank", type: .integer32))
    let new = ManagedObjectModel(
      entities: entities, versionIdentifiers: [""], source: .modelCache)
    let trial = try MigrationTrial(from: Self.ordered, to: new, Self.fill)
    var options = Self.order(.new)
    options.orderAttributes.append(
      OrderAttribute(
        entityName: "List", relationshipName: "items", attributeName: "rank", side: .new))
    let error = try #require(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error.code == .incompatibleChoices)
    #expect(error.place.item == "List.items")
    #expect(error.detail == "two attributes are given for its order")
  }

  @Test(arguments: [
    (positioned, positioned, "does not become unordered"),
    (ordered, model(isOrdered: false, position: .string), "not a stored integer attribute"),
    (ordered, model(isOrdered: false, position: nil), "not a stored integer attribute"),
    (
      model(isOrdered: true, isMany: true),
      model(isOrdered: false, position: .integer64, isMany: true), "with a to-one inverse"
    ),
  ])
  func whatAPositionCannotExpressIsRefused(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ reason: String
  ) throws {
    let trial = try MigrationTrial(from: old, to: new) { _ in }
    for attempt in [
      { _ = try StoreMigrator(options: Self.order(.new)).plan(trial.old, to: trial.model) },
      { _ = try trial.migrate(Self.order(.new)) },
    ] {
      let error = try #require(throws: CofferError.self) { try attempt() }
      #expect(error.code == .refused)
      #expect(error.detail.contains(reason), "\(error.detail)")
    }
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }
}
