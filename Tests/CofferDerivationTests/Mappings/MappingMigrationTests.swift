internal import CofferKit
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Migrations with mapping models.
@Suite struct MappingMigrationTests {
  private static func model(_ entities: EntityDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: entities, versionIdentifiers: [""], source: .modelCache)
  }

  private static func toOne(_ name: Name, _ to: Name, _ inverse: Name?) -> RelationshipDescription {
    RelationshipDescription(name: name, destinationName: to, inverseName: inverse)
  }

  private static func toMany(
    _ name: Name, _ to: Name, _ inverse: Name?, isOrdered: Bool = false
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationName: to, inverseName: inverse, maxCount: 0, isOrdered: isOrdered)
  }

  /// Persons with a street and friends, in teams.
  private static let old = model(
    EntityDescription(
      "Person", [("age", .integer16), ("name", .string), ("street", .string)],
      [toOne("team", "Team", "people")]),
    EntityDescription(
      "Team", [("title", .string)], [toMany("people", "Person", "team", isOrdered: true)]))

  private static func fill(_ builder: SampleStoreBuilder) throws {
    for (name, age) in [("Ada", 36), ("Ben", 7), ("Cid", 50)] {
      try builder.insert(
        "Person",
        ["name": .string(name), "age": .integer(Int64(age)), "street": .string("\(name)s street")])
    }
    try builder.insert("Team", ["title": .string("Red")])
    try builder.link("Team", "people", from: 1, to: [3, 1])
  }

  private func trial(
    _ new: ManagedObjectModel, _ entities: [MappingFile.Entity]
  ) throws -> (MigrationTrial, MigrationOptions) {
    let trial = try MigrationTrial(from: Self.old, to: new, Self.fill)
    let path = trial.folder.file("Map.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let text = MappingFile(source: Self.old, destination: new, entities: entities).text
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
    var options = MigrationOptions()
    options.mapping = path
    return (trial, options)
  }

  /// A new model: persons with addresses, in teams.
  private static let split = model(
    EntityDescription(
      "Person", [("label", .string), ("years", .double), ("kind", .string), ("team", .string)],
      [toOne("address", "Address", "person"), toOne("group", "Group", "members")]),
    EntityDescription("Address", [("street", .string)], [toOne("person", "Person", "address")]),
    EntityDescription(
      "Group", [("title", .string)], [toMany("members", "Person", "group", isOrdered: true)]))

  private static let splitting: [MappingFile.Entity] = [
    .init(
      source: "Person", destination: "Person",
      attributes: [
        ("label", .source("name")), ("years", .source("age")),
        ("kind", .constant(.string("human"))), ("team", .source("team.title")),
      ],
      relationships: [
        ("address", .instances("Streets", .variable("source"))),
        ("group", .instances("TeamToGroup", .source("team"))),
      ]),
    .init(
      name: "Streets", source: "Person", destination: "Address", attributes: [("street", nil)]),
    .init(
      source: "Team", destination: "Group", attributes: [("title", nil)],
      relationships: [("members", .instances("PersonToPerson", .source("people")))]),
  ]

  @Test func oneEntityBecomesTwo() throws {
    let (trial, options) = try trial(Self.split, Self.splitting)
    let summary = try trial.migrate(options)
    #expect(summary.objectCount == 7)
    #expect(summary.plan.steps.map(\.mappingName) == ["Map.xcmappingmodel"])
    #expect(
      try trial.rows(
        "SELECT p.Z_PK, p.ZLABEL, p.ZYEARS, p.ZKIND, p.ZTEAM, a.ZSTREET, g.ZTITLE FROM ZPERSON p "
          + "JOIN ZADDRESS a ON a.Z_PK = p.ZADDRESS LEFT JOIN ZGROUP g ON g.Z_PK = p.ZGROUP ORDER BY 1"
      ) == [
        "1|Ada|36.0|human|Red|Adas street|Red", "2|Ben|7.0|human||Bens street|",
        "3|Cid|50.0|human|Red|Cids street|Red",
      ])
    #expect(
      try trial.rows("SELECT Z_PK FROM ZPERSON WHERE ZGROUP = 1 ORDER BY Z_FOK_GROUP") == [
        "3", "1",
      ])
    #expect(try trial.rows("SELECT ZPERSON FROM ZADDRESS ORDER BY Z_PK") == ["1", "2", "3"])
    #expect(!summary.notes.contains { $0.code == .objectsDropped })
  }

  /// Without Xcode's expressions, a property without one keeps its default.
  @Test func whatXcodeDoesNotFillInStaysEmpty() throws {
    let new = Self.model(EntityDescription("Adult", [("name", .string), ("age", .double)]))
    let (trial, options) = try trial(
      new,
      [
        .init(
          source: "Person", destination: "Adult", fillsIn: false,
          attributes: [("name", nil), ("age", .source("age"))])
      ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT Z_PK, ZNAME, ZAGE FROM ZADULT ORDER BY 1") == [
        "1||36.0", "2||7.0", "3||50.0",
      ])
  }

  /// A relationship whose key path and entity mapping were chosen in Xcode.
  @Test func chosenKeyPathsAreFollowed() throws {
    var entities = Self.splitting
    entities[0].relationships[1].1 = nil
    entities[0].chosen = ["group": ("$source.team", "TeamToGroup")]
    entities[2].relationships[0].1 = nil
    entities[2].chosen = [
      "members": ("$source.people.@distinctUnionOfSets.team.people", "PersonToPerson")
    ]
    let (trial, options) = try trial(Self.split, entities)
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT Z_PK FROM ZPERSON WHERE ZGROUP = 1 ORDER BY Z_FOK_GROUP") == [
        "3", "1",
      ])
  }

  /// Ada and Cid are in the team, by the mapping of one side; by that of the other, only Cid.
  @Test func sidesThatContradictEachOtherAreRefused() throws {
    var entities = Self.splitting
    entities[2].relationships[0].1 = .instances("PersonToPerson", .fetch("Person", "age > 40"))
    let (trial, options) = try trial(Self.split, entities)
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(
      error?.problems.map { "\($0.place) \($0.code.text): \($0.sentence)" } == [
        "Group.members unmet-condition: its mapping contradicts that of its inverse group: 1 reference is on one "
          + "side only"
      ])
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  /// Objects of one entity go to two by filters; keys stay where they can.
  @Test func filtersDivideAnEntity() throws {
    let new = Self.model(
      EntityDescription("Adult", [("name", .string)]),
      EntityDescription("Child", [("name", .string)]))
    let (trial, options) = try trial(
      new,
      [
        .init(
          source: "Person", destination: "Adult", filter: "age >= 18", attributes: [("name", nil)]),
        .init(
          source: "Person", destination: "Child", filter: "age < 18 AND name BEGINSWITH 'B'",
          attributes: [("name", nil)]), .init(source: "Team"),
      ])
    let summary = try trial.migrate(options)
    #expect(try trial.rows("SELECT Z_PK, ZNAME FROM ZADULT ORDER BY 1") == ["1|Ada", "3|Cid"])
    #expect(try trial.rows("SELECT Z_PK, ZNAME FROM ZCHILD") == ["2|Ben"])
    #expect(
      summary.notes.filter { $0.code == .objectsDropped }.map(\.text)
        == ["1 object of Team, which the mapping model leaves behind, is not carried over"])
  }

  /// Objects of two hierarchies go into one: the keys of the second follow those of the first.
  @Test func twoEntitiesBecomeOne() throws {
    let new = Self.model(
      EntityDescription(
        "Thing", [("title", .string)],
        [Self.toMany("parts", "Thing", "whole"), Self.toOne("whole", "Thing", "parts")]))
    let (trial, options) = try trial(
      new,
      [
        .init(
          source: "Person", destination: "Thing", attributes: [("title", .source("name"))],
          relationships: [("whole", .instances("TeamToThing", .source("team")))]),
        .init(source: "Team", destination: "Thing", attributes: [("title", nil)]),
      ])
    try trial.migrate(options)
    #expect(
      try trial.rows("SELECT Z_PK, ZTITLE, ZWHOLE FROM ZTHING ORDER BY 1")
        == ["1|Ada|4", "2|Ben|", "3|Cid|4", "4|Red|"])
  }

  // MARK: Refusals

  /// Mappings that cannot be carried out, and why.
  private static let refused: [(entity: MappingFile.Entity, reason: String)] = [
    (.init(source: "Person", destination: "Adult", policy: "My.Policy"), "Adult custom-policy"),
    (.init(source: "Gone", destination: "Adult"), "Adult incomplete-model"),
    (.init(source: "Person", destination: "Gone"), "Gone incomplete-model"),
    (
      .init(source: "Person", destination: "Adult", attributes: [("gone", nil)]),
      "Adult.gone incomplete-model"
    ),
    (
      .init(source: "Person", destination: "Adult", attributes: [("name", .source("team.gone"))]),
      "Adult.name incomplete-model"
    ),
    (
      .init(source: "Person", destination: "Adult", attributes: [("name", .source("age"))]),
      "Adult.name changed-type"
    ),
    (
      .init(
        source: "Person", destination: "Adult", attributes: [("name", .constant(.integer(1)))]),
      "Adult.name changed-type"
    ),
    (
      .init(
        source: "Person", destination: "Adult",
        attributes: [("name", .function(operand: nil, name: "now", arguments: []))]),
      "Adult.name not-supported"
    ),
    (
      .init(
        source: "Person", destination: "Adult",
        relationships: [("boss", .instances("Nobody", .source("team")))]),
      "Adult.boss not-supported"
    ),
  ]

  @Test(arguments: refused)
  func whatCannotBeCarriedOutIsRefused(
    _ refused: (entity: MappingFile.Entity, reason: String)
  ) throws {
    let new = Self.model(
      EntityDescription("Adult", [("name", .string)], [Self.toOne("boss", "Adult", nil)]))
    let (trial, options) = try trial(new, [refused.entity])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.code == .impossibleMigration)
    #expect(error?.problems.map { "\($0.place) \($0.code.text)" } == [refused.reason])
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  @Test func aPolicyCanBeTreatedAsTheStandardOne() throws {
    let new = Self.model(EntityDescription("Adult", [("name", .string), ("title", .string)]))
    var (trial, options) = try trial(
      new,
      [
        .init(
          source: "Person", destination: "Adult", policy: "My.Policy",
          attributes: [
            ("name", nil),
            (
              "title",
              .function(
                operand: .variable("entityPolicy"), name: "title:",
                arguments: [.variable("source")])
            ),
          ])
      ])
    options.defaultPolicies = ["My.Policy"]
    let summary = try trial.migrate(options)
    #expect(
      summary.notes.filter { $0.code == .policyReplaced }.map(\.text) == [
        "3 objects of Adult are carried over without the class My.Policy, so that they only have defaults "
          + "for: title"
      ])
    #expect(try trial.rows("SELECT ZNAME, ZTITLE FROM ZADULT WHERE Z_PK = 2") == ["Ben|"])
  }

  @Test func objectsThatCouldNotBeSavedPreventTheMigration() throws {
    var adult = EntityDescription("Adult", [("name", .string), ("title", .string)])
    adult.attributes[1].isOptional = false
    let (trial, options) = try trial(
      Self.model(adult),
      [
        .init(
          source: "Person", destination: "Adult", attributes: [("title", .source("team.title"))])
      ])
    let error = #expect(throws: CofferError.self) { try trial.migrate(options) }
    #expect(error?.problems.map { "\($0.place) \($0.code.text)" } == ["Adult unmet-condition"])
    #expect(!FileManager.default.fileExists(atPath: trial.new))
  }

  // MARK: Laws

  /// A mapping that only copies gives the store that an inferred mapping gives.
  @Test(arguments: 1...12)
  func copyingIsWhatIsInferred(_ seed: Int) throws {
    var evolving = EvolvingModel(seed: UInt64(seed))
    let model = evolving.model
    let trial = try MigrationTrial(from: model, to: model) { try evolving.fill($0) }
    let inferred = try trial.migrate()
    let path = trial.folder.file("Copy.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(MappingFile.copying(model, to: model).text.utf8)
      .write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
    var options = MigrationOptions()
    options.mapping = path
    let copy = trial.folder.file("Copy.sqlite")
    let copied = try StoreMigrator(options: options)
      .migrate(trial.old, to: trial.model, at: copy)
    #expect(copied.objectCount == inferred.objectCount)
    #expect(copied.pairCount == inferred.pairCount)
    var comparing = ComparisonOptions()
    comparing.matchesByObjectID = true
    comparing.ignoredAspects = [.counters, .history]
    var differences: [String] = []
    _ = try StoreComparison(options: comparing).compare(trial.new, copy) {
      differences.append("\($0)")
    }
    #expect(differences == [])
  }
}
