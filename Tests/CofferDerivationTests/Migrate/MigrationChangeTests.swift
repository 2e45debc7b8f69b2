internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The effect of each single change of the model on the rows.
@Suite(.enabled(if: Oracle.isAvailable)) struct MigrationChangeTests {
  private func model(_ entities: EntityDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities, versionIdentifiers: [""], source: .modelCache)
  }

  private func entity(
    _ name: Name, parent: Name? = nil, isAbstract: Bool = false,
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
    was: Name? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: name, className: name, isAbstract: isAbstract, superentityName: parent,
      attributes: attributes, relationships: relationships, renamingIdentifier: was)
  }

  private func toOne(_ name: Name, _ destination: Name, _ inverse: Name?)
    -> RelationshipDescription
  {
    RelationshipDescription(name: name, destinationName: destination, inverseName: inverse)
  }

  private func toMany(
    _ name: Name, _ destination: Name, _ inverse: Name?, isOrdered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: destination, inverseName: inverse, maxCount: 0,
      isOrdered: isOrdered)
  }

  /// Two entities with a relationship each.
  private func pair(
    _ owner: RelationshipDescription?, _ member: RelationshipDescription?
  ) -> ManagedObjectModel {
    model(
      entity("Owner", [], owner.map { [$0] } ?? []),
      entity("Thing", [], member.map { [$0] } ?? []))
  }

  /// Three owners and four things: the first has two, in another order than that of their keys.
  private func fill(_ builder: SampleStoreBuilder) throws {
    for _ in 0..<3 { try builder.insert("Owner") }
    for _ in 0..<4 { try builder.insert("Thing") }
    let relationships = builder.schema.model["Owner"]?.relationships ?? []
    guard relationships.first?.isToMany == true else { return }
    try builder.link("Owner", "things", from: 1, to: [3, 1])
    try builder.link("Owner", "things", from: 2, to: [4])
  }

  // MARK: Relationships

  @Test func toOneBecomesToMany() throws {
    let trial = try MigrationTrial(
      from: pair(toMany("things", "Thing", "owner"), toOne("owner", "Owner", "things")),
      to: pair(toMany("things", "Thing", "owner"), toMany("owner", "Owner", "things")), fill)
    #expect(try trial.problems() == [])
    #expect(
      try trial.rows("SELECT Z_1OWNER, Z_2THINGS FROM Z_1THINGS ORDER BY 1, 2")
        == ["1|1", "1|3", "2|4"])
  }

  @Test func toManyBecomesToOneWhereNobodyHasTwo() throws {
    let many = pair(toMany("things", "Thing", "owner"), toMany("owner", "Owner", "things"))
    let one = pair(toMany("things", "Thing", "owner"), toOne("owner", "Owner", "things"))
    let possible = try MigrationTrial(from: many, to: one, fill)
    #expect(try possible.problems() == [])
    #expect(
      try possible.rows("SELECT Z_PK, ZOWNER FROM ZTHING ORDER BY 1") == [
        "1|1", "2|", "3|1", "4|2",
      ])
    let impossible = try MigrationTrial(from: many, to: one) { builder in
      try fill(builder)
      try builder.link("Owner", "things", from: 3, to: [4])
    }
    let error = try #require(throws: CofferError.self) { try impossible.migrate() }
    #expect(error.problems.map(\.place) == ["Thing.owner"])
    #expect(error.problems.map(\.code) == [.unmetCondition])
    #expect(error.problems[0].sentence.hasPrefix("1 object"))
    #expect(!FileManager.default.fileExists(atPath: impossible.new))
  }

  @Test func anOrderIsThatOfTheKeys() throws {
    let plain = pair(toMany("things", "Thing", "owner"), toOne("owner", "Owner", "things"))
    let ordered = pair(
      toMany("things", "Thing", "owner", isOrdered: true), toOne("owner", "Owner", "things"))
    let made = try MigrationTrial(from: plain, to: ordered, fill)
    #expect(try made.problems() == [])
    #expect(
      try made.rows("SELECT Z_PK, Z_FOK_OWNER FROM ZTHING ORDER BY 1")
        == ["1|2048", "2|", "3|3072", "4|2048"])
    let kept = try MigrationTrial(from: ordered, to: ordered, fill)
    #expect(try kept.problems() == [])
    #expect(
      try kept.rows("SELECT Z_PK, Z_FOK_OWNER FROM ZTHING ORDER BY 1")
        == ["1|3072", "2|", "3|2048", "4|2048"])
    let lost = try MigrationTrial(from: ordered, to: plain, fill)
    #expect(try lost.problems() == [])
  }

  @Test func anOrderSurvivesTheWayIntoATableOfPairs() throws {
    let trial = try MigrationTrial(
      from: pair(
        toMany("things", "Thing", "owner", isOrdered: true), toOne("owner", "Owner", "things")),
      to: pair(
        toMany("things", "Thing", "owner", isOrdered: true), toMany("owner", "Owner", "things")),
      fill)
    #expect(try trial.problems() == [])
    let back = try MigrationTrial(
      from: pair(
        toMany("things", "Thing", "owner", isOrdered: true), toMany("owner", "Owner", "things")),
      to: pair(
        toMany("things", "Thing", "owner", isOrdered: true), toOne("owner", "Owner", "things")),
      fill)
    #expect(try back.problems() == [])
  }

  @Test func anInverseIsAddedAndRemoved() throws {
    let without = pair(toMany("things", "Thing", nil), nil)
    let with = pair(toMany("things", "Thing", "owner"), toOne("owner", "Owner", "things"))
    for (old, new) in [(without, with), (with, without)] {
      let trial = try MigrationTrial(from: old, to: new, fill)
      #expect(try trial.problems() == [])
    }
  }

  @Test func objectsThatAreLeftBehindAreNotReferredTo() throws {
    let base = [
      entity("Base", isAbstract: true), entity("Kept", parent: "Base"),
      entity("User", [], [toOne("base", "Base", nil)]),
    ]
    let trial = try MigrationTrial(
      from: ManagedObjectModel(
        entities: base + [entity("Gone", parent: "Base")], source: .modelCache),
      to: ManagedObjectModel(entities: base, source: .modelCache)
    ) { builder in
      try builder.insert("Kept")
      try builder.insert("Gone")
      try builder.insert("User", ["base": 1])
      try builder.insert("User", ["base": 2])
    }
    #expect(try trial.problems() == [])
    #expect(try trial.rows("SELECT ZBASE, Z1_BASE FROM ZUSER ORDER BY Z_PK") == ["1|2", "|"])
  }

  /// Items with a minimum count for each owner; the first owner has two, the third none.
  private func counted(_ minimum: Int, isOptional: Bool) throws -> MigrationPlan {
    var things = toMany("things", "Thing", "owner")
    (things.minCount, things.isOptional) = (minimum, isOptional)
    let owner = toOne("owner", "Owner", "things")
    return try MigrationTrial(
      from: pair(toMany("things", "Thing", "owner"), owner), to: pair(things, owner), fill
    ).plan()
  }

  @Test func aToManyGoesByItsMinimumAlone() throws {
    #expect(try counted(0, isOptional: false).problems == [])
    #expect(try counted(0, isOptional: true).problems == [])
    #expect(try counted(1, isOptional: true).problems == [])
    #expect(try counted(1, isOptional: false).problems.map(\.code) == [.unmetCondition])
    // The second has one.
    let few = try counted(2, isOptional: true).problems
    #expect(few.map { $0.sentence.prefix(8) } == ["1 object"])
  }

  // MARK: Hierarchies and numbers

  @Test func numbersChangeWhereverTheyStand() throws {
    func make(_ added: [EntityDescription]) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: added
          + [
            entity(
              "Node", [], [toMany("tags", "Tag", "nodes"), toOne("next", "Node", "previous")]),
            entity("Leaf", parent: "Node"),
            entity("Tag", [], [toMany("nodes", "Node", "tags"), toMany("loose", "Leaf", nil)]),
          ].map { entity in
            var entity = entity
            if entity.name == "Node" {
              entity.relationships.append(toMany("previous", "Node", "next", isOrdered: true))
            }
            return entity
          }, source: .modelCache)
    }
    let trial = try MigrationTrial(
      from: make([]), to: make([entity("A"), entity("B", parent: "A"), entity("M")])
    ) { builder in
      for name in ["Node", "Leaf", "Node", "Leaf"] { try builder.insert(Name(name)) }
      for _ in 0..<2 { try builder.insert("Tag") }
      try builder.link("Node", "tags", from: 1, to: [1, 2])
      try builder.link("Node", "tags", from: 2, to: [2])
      try builder.link("Node", "previous", from: 1, to: [4, 2, 3])
      try builder.link("Tag", "loose", from: 2, to: [2, 4])
    }
    #expect(try trial.problems() == [])
    #expect(try trial.rows("SELECT DISTINCT Z_ENT FROM ZNODE ORDER BY 1") == ["4", "5"])
  }

  @Test func aHierarchyIsTakenApartAndPutTogether() throws {
    let name = AttributeDescription(name: "name", type: .string)
    let together = model(
      entity("Base", isAbstract: true, [name]),
      entity("One", parent: "Base", [], [toOne("two", "Two", "one")]),
      entity("Two", parent: "Base", [], [toOne("one", "One", "two")]))
    let apart = model(
      entity("One", [name], [toOne("two", "Two", "one")]),
      entity("Two", [name], [toOne("one", "One", "two")]))
    let trial = try MigrationTrial(from: together, to: apart) { builder in
      try builder.insert("One", ["name": "a", "two": 2])
      try builder.insert("Two", ["name": "b", "one": 1])
      try builder.insert("Two", ["name": "c"])
    }
    #expect(try trial.problems() == [])
    #expect(try trial.rows("SELECT Z_PK, ZNAME FROM ZTWO ORDER BY 1") == ["2|b", "3|c"])
    #expect(
      try trial.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == ["One|3", "Two|3"])
    let back = try MigrationTrial(from: apart, to: together) { try $0.insert("One") }
    let error = try #require(throws: CofferError.self) { try back.migrate() }
    #expect(error.problems.map(\.code) == [.mergedHierarchies])
  }

  @Test func aNewParentTakesProperties() throws {
    let name = AttributeDescription(name: "name", type: .string)
    let trial = try MigrationTrial(
      from: model(entity("Child", [name])),
      to: model(entity("Parent", isAbstract: true, [name]), entity("Child", parent: "Parent"))
    ) { builder in
      try builder.insert("Child", ["name": "a"])
    }
    #expect(try trial.problems() == [])
    #expect(try trial.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZPARENT") == ["1|2|a"])
  }

  @Test func objectsOfAnEntityThatBecomesAbstractAreCounted() throws {
    let old = model(entity("Base"), entity("Sub", parent: "Base"))
    let new = model(entity("Base", isAbstract: true), entity("Sub", parent: "Base"))
    let possible = try MigrationTrial(from: old, to: new) { try $0.insert("Sub") }
    #expect(try possible.problems() == [])
    let impossible = try MigrationTrial(from: old, to: new) { try $0.insert("Base") }
    #expect(try impossible.plan().problems.map(\.place) == ["Base"])
  }

  // MARK: Attributes

  @Test func defaultsFillWhatIsNew() throws {
    let id = AttributeDescription(name: "id", type: .integer16)
    let added = [
      AttributeDescription(
        name: "flag", type: .boolean, isOptional: false, defaultValue: .bool(true)),
      AttributeDescription(name: "note", type: .string, defaultValue: .string("it's")),
      AttributeDescription(name: "rate", type: .double, defaultValue: .real(0.1)),
      AttributeDescription(name: "since", type: .date, defaultValue: .date(-5)),
      AttributeDescription(name: "empty", type: .string),
    ]
    let trial = try MigrationTrial(
      from: model(entity("A", [id])), to: model(entity("A", [id] + added))
    ) { try $0.insert("A", ["id": 7]) }
    #expect(try trial.problems() == [])
    #expect(
      try trial.rows("SELECT ZID, ZFLAG, ZNOTE, ZRATE, ZSINCE, ZEMPTY FROM ZA")
        == ["7|1|it's|0.1|-5|"])
  }

  @Test func aDefaultFillsWhatBecomesRequired() throws {
    let old = AttributeDescription(name: "x", type: .integer32)
    let new = AttributeDescription(
      name: "x", type: .integer64, isOptional: false, defaultValue: .integer(3))
    let trial = try MigrationTrial(
      from: model(entity("A", [old])), to: model(entity("A", [new]))
    ) { builder in
      try builder.insert("A", ["x": 9])
      try builder.insert("A")
    }
    #expect(try trial.problems() == [])
    #expect(try trial.rows("SELECT ZX FROM ZA ORDER BY Z_PK") == ["9", "3"])
  }

  @Test(
    arguments: [
      (AttributeType.boolean, AttributeType.integer32, [0, 1], "integer", nil),
      (.integer16, .boolean, [0, 1], "integer", 2),
      (.integer64, .double, [1 << 53], "real", 1 << 54),
      (.integer32, .float, [-(1 << 24)], "real", (1 << 24) + 1),
      (.integer32, .decimal, [7], "integer", nil), (.boolean, .double, [1], "real", nil),
    ] as [(AttributeType, AttributeType, [Int64], String, Int64?)])
  func numbersStayTheSameInAnotherType(
    from: AttributeType, to: AttributeType, values: [Int64], storage: String, tooLarge: Int64?
  ) throws {
    let old = model(entity("A", [AttributeDescription(name: "x", type: from)]))
    let new = model(entity("A", [AttributeDescription(name: "x", type: to)]))
    let trial = try MigrationTrial(from: old, to: new) { builder in
      for value in values { try builder.insert("A", ["x": .integer(value)]) }
      try builder.insert("A")
    }
    #expect(try trial.problems() == [])
    #expect(
      try trial.rows("SELECT CAST(ZX AS INTEGER), typeof(ZX) FROM ZA ORDER BY Z_PK")
        == values.map { "\($0)|\(storage)" } + ["|null"])
    guard let tooLarge else { return }
    let impossible = try MigrationTrial(from: old, to: new) {
      try $0.insert("A", ["x": .integer(tooLarge)])
    }
    #expect(try impossible.plan().problems.map(\.code) == [.unmetCondition])
  }

  @Test func aNarrowerTypeHoldsWhatFits() throws {
    let old = model(entity("A", [AttributeDescription(name: "x", type: .integer64)]))
    let new = model(entity("A", [AttributeDescription(name: "x", type: .integer16)]))
    let possible = try MigrationTrial(from: old, to: new) { try $0.insert("A", ["x": 32_767]) }
    #expect(try possible.problems() == [])
    let impossible = try MigrationTrial(from: old, to: new) { try $0.insert("A", ["x": 32_768]) }
    #expect(try impossible.plan().problems.map(\.place) == ["A.x"])
  }

  @Test func aNewConstraintIsChecked() throws {
    let x = AttributeDescription(name: "x", type: .string)
    var constrained = entity("A", [x])
    constrained.uniquenessConstraints = [["x"]]
    let possible = try MigrationTrial(from: model(entity("A", [x])), to: model(constrained)) {
      for value in ["a", "b", nil, nil] as [String?] {
        try $0.insert("A", ["x": value.map { .string($0) } ?? .null])
      }
    }
    #expect(try possible.problems() == [])
    let impossible = try MigrationTrial(from: model(entity("A", [x])), to: model(constrained)) {
      for value in ["a", "a", "b"] { try $0.insert("A", ["x": .string(value)]) }
    }
    #expect(try impossible.plan().problems.map(\.code) == [.unmetCondition])
  }

  @Test func largeValuesComeOutOfTheirFilesAndStay() throws {
    func make(_ isExternal: Bool) -> ManagedObjectModel {
      model(
        entity(
          "A",
          [
            AttributeDescription(
              name: "data", type: .binary, allowsExternalBinaryDataStorage: isExternal)
          ]))
    }
    let name = "6F1B1A7E-52D9-4F44-9A63-8C5E8C1A5F11"
    let large = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    func fill(_ builder: SampleStoreBuilder, _ isExternal: Bool) throws {
      for value in [[], [1, 2], large] as [[UInt8]] {
        try builder.insert("A", ["data": isExternal ? .inline(value) : .blob(value)])
      }
      try builder.insert("A")
      guard isExternal else { return }
      try builder.insert("A", ["data": .external(name)])
      let folder = builder.files.supportFolder + "/_EXTERNAL_DATA"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data([9, 8, 7]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    for (old, new) in [(true, true), (true, false), (false, true), (false, false)] {
      let trial = try MigrationTrial(from: make(old), to: make(new)) { try fill($0, old) }
      #expect(try trial.problems() == [], "\(old) to \(new)")
      let file = trial.folder.file(".New_SUPPORT/_EXTERNAL_DATA/\(name)")
      #expect(FileManager.default.fileExists(atPath: file) == (old && new))
    }
  }

  // MARK: What is left behind, and what is refused

  @Test func theSourceIsNeverChanged() throws {
    let old = model(entity("A", [AttributeDescription(name: "x", type: .string)]))
    let trial = try MigrationTrial(from: old, to: model(entity("A"))) {
      try $0.insert("A", ["x": "a"])
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: trial.old))
    try trial.migrate()
    #expect(try Data(contentsOf: URL(fileURLWithPath: trial.old)) == before)
  }

  @Test func rowsOfNoEntityAreNotLostWithoutAWord() throws {
    let old = model(entity("A"))
    let trial = try MigrationTrial(from: old, to: old) { builder in
      try builder.insert("A")
      try builder.database.run("UPDATE ZA SET Z_ENT = 77")
    }
    #expect(try trial.plan().problems.map(\.code) == [.unexplainedRows])
  }
}
