internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferDerivation

/// The values that leave a store with a share, and the report about them.
@Suite struct AnonymizationPrivacyTests {
  private static let twentyStores = {
    let all = RealStores.any
    let step = max(1, all.count / 20)
    return stride(from: 0, to: all.count, by: step).prefix(20).map { all[$0] }
  }()

  @Test(arguments: twentyStores)
  func noTokenIsLeftOfAnyKindOfColumn(_ store: RealStore) throws {
    let trial = try AnonymizationTrial(store)
    let seed = UInt64.random(in: 0...UInt64.max)
    let tokens = try PlantedTokens(in: trial.source, seed: seed)
    let folder = try TemporaryDirectory()
    let path = folder.file("Share.sqlite")
    let summary = try StoreAnonymizer().anonymize(trial.source, to: path)
    #expect(try tokens.left(in: folder.path, store: path) == [], "seed \(seed)")
    #expect(summary.isAnonymous == (summary.staying.isEmpty && summary.statements.isEmpty))
    // The judge can see.
    if tokens.count > 0 {
      let source = folder.file("Original.sqlite")
      var options = AnonymizationOptions()
      options.isAnonymous = false
      try StoreAnonymizer(options: options).anonymize(trial.source, to: source)
      #expect(try !tokens.left(in: folder.path, store: source).isEmpty, "seed \(seed)")
    }
  }

  /// The app's own SQL is kept unchanged.
  @Test func whatTheAppsOwnStatementsSayIsNamed() throws {
    let trial = try self.trial(["1.5, 2.5, 3.5, 4.5, 12345678, 7, 9.5, 1.5, 1234567"])
    let before = try trial.share("Before.sqlite").summary
    #expect(before.statements == [])
    let database = try GeneratorDatabase(path: trial.source)
    for statement in [
      "CREATE INDEX PLAIN ON ZPLACE(ZPHONE)", "CREATE VIEW SEATS AS SELECT ZSEAT FROM ZPLACE",
      "CREATE INDEX HOME ON ZPLACE(ZX) WHERE ZX = 12345678",
      "CREATE VIEW STREET AS SELECT 'Main Street 5' FROM ZPLACE",
      "CREATE TRIGGER MAIL AFTER DELETE ON ZPLACE BEGIN SELECT 'ada@example.com'; END",
      "CREATE TABLE LOG (a DEFAULT 'Main Street 5', b)", "CREATE TABLE PLAINER (a, b)",
    ] { try database.run(statement) }
    let summary = try trial.share("After.sqlite").summary
    #expect(
      Set(summary.statements) == ["table LOG", "index HOME", "view STREET", "trigger MAIL"])
    #expect(!summary.isAnonymous)
  }

  // MARK: Numbers

  private static let places = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Place">
    <attribute name="latitude" optional="YES" attributeType="Double"/>
    <attribute name="centerLng" optional="YES" attributeType="Double"/>
    <attribute name="x" optional="YES" attributeType="Double"/>
    <attribute name="y" optional="YES" attributeType="Double"/>
    <attribute name="phone" optional="YES" attributeType="Integer 64"/>
    <attribute name="seat" optional="YES" attributeType="Integer 16"/>
    <attribute name="price" optional="YES" attributeType="Decimal"/>
    <attribute name="volume" optional="YES" attributeType="Float"/>
    <attribute name="code" optional="YES" attributeType="Integer 32"/>
    </entity></model>
    """

  /// A store of places, with a row of numbers each.
  private func trial(_ rows: [String]) throws -> AnonymizationTrial {
    let trial = try AnonymizationTrial(objects: 10)
    try FileManager.default.removeItem(atPath: trial.source)
    let source = trial.folder.file("Places.xcdatamodel")
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    try Data(Self.places.utf8).write(to: URL(fileURLWithPath: source + "/contents"))
    try StoreCreator().create(source, at: trial.source)
    let database = try GeneratorDatabase(path: trial.source)
    for row in rows {
      try database.run(
        "INSERT INTO ZPLACE (Z_ENT, Z_OPT, ZLATITUDE, ZCENTERLNG, ZX, ZY, ZPHONE, ZSEAT, ZPRICE, "
          + "ZVOLUME, ZCODE) VALUES (1, 1, \(row))")
    }
    try database.run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count)")
    return trial
  }

  private func numbers(_ path: String, _ column: String) throws -> [Double] {
    try GeneratorDatabase(path: path).rows("SELECT \(column) FROM ZPLACE ORDER BY Z_PK").map {
      switch $0.first {
      case .integer(let number)?: Double(number)
      case .real(let number)?: number
      default: .nan
      }
    }
  }

  @Test func coordinatesBecomeOthersByTheirNamesAndInPairs() throws {
    let trial = try trial([
      "52.520008, 13.404954, 48.858370, 2.294481, 1, 1, 1, 1, 1",
      "52.0, 13.0, 48.0, 2.0, 1, 1, 1, 1, 1", "0, -180, 0, 0, 1, 1, 1, 1, 1",
      "52.520008, 13.404954, 48.858370, 2.294481, 1, 1, 1, 1, 1",
    ])
    let (path, summary) = try trial.share()
    for (column, bound) in [("ZLATITUDE", 90.0), ("ZCENTERLNG", 180), ("ZX", 90), ("ZY", 90)] {
      let (before, after) = (try numbers(trial.source, column), try numbers(path, column))
      #expect(after[0] != before[0] && after[1] != before[1] && after[0] == after[3])
      // What says that there is no place stays.
      #expect(after[2] == before[2])
      #expect(after.allSatisfy { abs($0) <= bound || $0 == -180 })
    }
    #expect(!summary.staying.contains { $0.hasSuffix("latitude") || $0.hasSuffix("x") })
    #expect(summary.staying.contains("Place.seat") && !summary.isAnonymous)
  }

  @Test func numbersBecomeOthersOfTheirSizeAndSmallOnesAreListed() throws {
    let rows = (0..<60).map {
      "1, 1, 1, 1, \(49_170_000_000 + $0 / 2), \($0), \($0).25, 0.\($0 + 10), \(1000 + $0 % 3)"
    }
    let trial = try trial(rows)
    let (path, summary) = try trial.share()
    let phones = try numbers(path, "ZPHONE")
    #expect(phones.allSatisfy { (1e10..<1e11).contains($0) })
    #expect(Set(phones).isDisjoint(with: try numbers(trial.source, "ZPHONE")))
    // Equal ones stay equal, different ones different.
    #expect(Set(phones).count == 30 && zip(phones, phones.dropFirst()).first { $0 == $1 } != nil)
    #expect(try numbers(path, "ZSEAT") == numbers(trial.source, "ZSEAT"))
    #expect(try numbers(path, "ZPRICE").allSatisfy { $0 >= 0 && $0 < 100 })
    #expect(try numbers(path, "ZVOLUME").allSatisfy { $0 > 0 && $0 < 1 })
    #expect(summary.staying.contains("Place.seat") && !summary.staying.contains("Place.phone"))
    #expect(!summary.staying.contains("Place.price") && !summary.staying.contains("Place.volume"))
    #expect(summary.enumerations.contains { $0.attribute == "Place.code" && $0.count == 3 })
  }

  @Test func onlyAShareOfWhichNothingStaysIsAnonymous() throws {
    let trial = try trial(["1.5, 1.5, 1.5, 1.5, 12345, 12345, 1.5, 0.5, 12345"])
    #expect(try trial.share().summary.isAnonymous)
    let (_, kept) = try trial.share("Kept.sqlite") { $0.kept = ["Place.phone"] }
    #expect(!kept.isAnonymous && kept.isReplaced && kept.kept == ["Place.phone"])
  }

  // MARK: The model

  @Test func versionIdentifiersAndNotesAreLeftOut() throws {
    let trial = try AnonymizationTrial(objects: 10)
    let store = try PersistentStore(readingFrom: trial.source)
    var entities = store.model.entities
    for key in ["com.apple.planted", "NSPlanted", "note"] {
      entities[0].userInfo[Name(key)] = .string("PlantedToken")
    }
    let model = ManagedObjectModel(
      entities: entities, versionIdentifiers: ["PlantedVersion"],
      configurations: store.model.configurations, source: store.model.source)
    let bytes = try ModelCacheWriter.write(model)
    let database = try GeneratorDatabase(path: trial.source)
    try database.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(bytes)])
    var list = try PropertyListValue.parse(store.metadata.propertyList).entries ?? []
    list.removeAll { $0.key == "NSStoreModelVersionIdentifiers" }
    list += [
      .init("NSStoreModelVersionIdentifiers", .array([.string("PlantedVersion")])),
      .init("NSStorePlanted", .string("PlantedValue")),
    ]
    try database.run(
      "UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(BinaryPlistWriter.write(.dictionary(list)))])
    let (path, _) = try trial.share()
    let shared = try PersistentStore(readingFrom: path)
    #expect(shared.model.versionIdentifiers == [""])
    #expect(shared.model.entities.allSatisfy { $0.userInfo.isEmpty })
    #expect(shared.metadata.modelVersionIdentifiers == [""])
    let text = String(decoding: shared.metadata.propertyList, as: UTF8.self)
    #expect(!text.contains("Planted"))
  }
}
