internal import CofferKit
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Nothing is left behind without a word.
@Suite(.enabled(if: Oracle.isAvailable)) struct MigrationLossTests {
  private static func model(_ entities: EntityDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities, versionIdentifiers: [""], source: .modelCache)
  }

  private static func entity(_ name: Name, _ attributes: String...) -> EntityDescription {
    EntityDescription(
      name: name, className: name,
      attributes: attributes.map { AttributeDescription(name: Name($0), type: .string) })
  }

  @Test(arguments: [
    (3, 1, "3 of the store's 4 objects"), (2, 0, "all 2 objects of the store"),
    (1, 0, "the only object of the store"), (2, 2, nil), (0, 0, nil),
  ])
  func losingMostObjectsMustBeAllowed(gone: Int, kept: Int, lost: String?) throws {
    let isRefused = lost != nil
    let trial = try MigrationTrial(
      from: Self.model(Self.entity("Gone"), Self.entity("Kept")),
      to: Self.model(Self.entity("Kept"))
    ) { builder in
      for _ in 0..<gone { try builder.insert("Gone") }
      for _ in 0..<kept { try builder.insert("Kept") }
    }
    let plan = try trial.plan()
    #expect(plan.problems.map(\.code) == (isRefused ? [.lostObjects] : []))
    if let lost { #expect(plan.problems.first?.sentence.hasPrefix("\(lost) would not be") == true) }
    #expect(plan.notes.contains { $0.code == .objectsDropped } == (gone > 0))
    if isRefused {
      let error = try #require(throws: CofferError.self) { try trial.migrate() }
      #expect(error.problems == plan.problems)
    }
    var options = MigrationOptions()
    options.allowsLoss = true
    let summary = try trial.migrate(options)
    #expect(summary.objectCount == kept)
    #expect(summary.notes.contains { $0.code == .objectsDropped } == (gone > 0))
  }

  @Test func valuesOfAnAttributeThatIsGoneAreCounted() throws {
    let trial = try MigrationTrial(
      from: Self.model(Self.entity("A", "x", "y"), Self.entity("B", "z")),
      to: Self.model(Self.entity("A", "x"), Self.entity("B"))
    ) { builder in
      try builder.insert("A", ["x": "1", "y": "1"])
      try builder.insert("A", ["y": ""])
      try builder.insert("A", ["x": "1"])
      try builder.insert("B")
    }
    let dropped = try trial.plan().notes.filter { $0.code == .valuesDropped }
    #expect(
      dropped.map(\.text) == [
        "2 values of A.y, which is not in the new model, are not carried over"
      ])
    #expect(try trial.problems() == [])
  }

  /// Owners and things, each with a relationship to the other.
  private func pair(_ owner: Int?, _ thing: Int?) -> ManagedObjectModel {
    var entities = [Self.entity("Owner"), Self.entity("Thing")]
    if let owner {
      entities[0].relationships = [
        RelationshipDescription(
          name: "thing", destinationName: "Thing", inverseName: thing == nil ? nil : "owner",
          maxCount: owner)
      ]
    }
    if let thing {
      entities[1].relationships = [
        RelationshipDescription(
          name: "owner", destinationName: "Owner", inverseName: owner == nil ? nil : "thing",
          maxCount: thing)
      ]
    }
    return Self.model(entities[0], entities[1])
  }

  private func dropped(_ trial: MigrationTrial) throws -> [String] {
    try trial.migrate().notes.filter { $0.code == .referencesDropped }.map(\.text)
  }

  @Test func referencesThatOneSideAloneHasAreCounted() throws {
    let trial = try MigrationTrial(from: pair(1, 1), to: pair(0, 1)) { builder in
      for _ in 0..<3 { try builder.insert("Owner") }
      for _ in 0..<3 { try builder.insert("Thing") }
      try builder.database.run("UPDATE ZOWNER SET ZTHING = Z_PK")
      try builder.database.run("UPDATE ZTHING SET ZOWNER = Z_PK WHERE Z_PK = 1")
    }
    #expect(
      try dropped(trial) == ["2 of 3 references of Owner.thing cannot be kept in the new store"])
  }

  @Test func referencesOfARelationshipThatIsGoneAreCounted() throws {
    let trial = try MigrationTrial(from: pair(0, 0), to: pair(nil, nil)) { builder in
      for _ in 0..<2 { try builder.insert("Owner") }
      for _ in 0..<2 { try builder.insert("Thing") }
      try builder.link("Owner", "thing", from: 1, to: [1, 2])
    }
    #expect(try dropped(trial).map { $0.prefix(13) } == ["2 references "])
    // Its inverse has them still.
    let half = try MigrationTrial(from: pair(0, 1), to: pair(nil, 1)) { builder in
      for _ in 0..<2 { try builder.insert("Owner") }
      try builder.insert("Thing", ["owner": 2])
    }
    #expect(try dropped(half) == [])
  }

  @Test func whatArrivesIsNotCounted() throws {
    for (old, new) in [((0, 1), (0, 0)), ((1, 1), (1, 1)), ((1, 0), (0, 0))] {
      let trial = try MigrationTrial(from: pair(old.0, old.1), to: pair(new.0, new.1)) { builder in
        for _ in 0..<2 { try builder.insert("Owner") }
        for _ in 0..<2 { try builder.insert("Thing") }
        if old.0 == 0 {
          try builder.link("Owner", "thing", from: 1, to: [1, 2])
        } else if old.1 == 0 {
          try builder.link("Thing", "owner", from: 1, to: [1, 2])
        } else {
          try builder.database.run("UPDATE ZOWNER SET ZTHING = Z_PK")
          try builder.database.run("UPDATE ZTHING SET ZOWNER = Z_PK")
        }
      }
      #expect(try dropped(trial) == [], "\(old) to \(new)")
    }
  }
}
