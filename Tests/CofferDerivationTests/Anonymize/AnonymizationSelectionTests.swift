internal import CofferKit
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The objects of a share.
@Suite struct AnonymizationSelectionTests {
  private let trial: AnonymizationTrial

  init() throws { trial = try AnonymizationTrial(objects: 2000) }

  private static let persons = "SELECT Z_PK FROM ZPERSONENTITY ORDER BY Z_PK"

  /// A person with a friend.
  private var person: Int64 {
    get throws {
      try #require(
        try AnonymizationTrial.integers(trial.source, "SELECT min(Z_7FRIENDS) FROM Z_7FRIENDS")
          .first)
    }
  }

  /// A graph of persons who are friends: it has cycles, and refers to itself.
  @Test func aRelationshipIsFollowedToItsEnd() throws {
    let person = try person
    let reached = """
      WITH RECURSIVE e(a, b) AS (SELECT Z_7FRIENDS, REFLEXIVE FROM Z_7FRIENDS UNION
        SELECT REFLEXIVE, Z_7FRIENDS FROM Z_7FRIENDS),
        f(k) AS (VALUES(\(person)) UNION SELECT b FROM e, f WHERE a = k)
      SELECT k FROM f ORDER BY k
      """
    let expected = try AnonymizationTrial.integers(trial.source, reached)
    let (path, _) = try trial.share {
      $0.objects = [ManagedObjectID(entityName: "PersonEntity", primaryKey: person)]
      $0.followed = ["PersonEntity.friends"]
    }
    #expect(try AnonymizationTrial.integers(path, Self.persons) == expected)
    #expect(expected.count > 1)
    #expect(try AnonymizationTrial.findings(path) == [:])
  }

  @Test func whatIsNotFollowedIsCutAndReported() throws {
    let person = try person
    let friends = try AnonymizationTrial.integers(
      trial.source,
      "SELECT count(*) FROM Z_7FRIENDS WHERE Z_7FRIENDS = \(person) OR REFLEXIVE = \(person)")
    let (path, summary) = try trial.share {
      $0.objects = [ManagedObjectID(entityName: "PersonEntity", primaryKey: person)]
    }
    #expect(try AnonymizationTrial.integers(path, Self.persons) == [person])
    #expect(try AnonymizationTrial.integers(path, "SELECT count(*) FROM Z_7FRIENDS") == [0])
    let cut = summary.cuts.first { $0.relationshipName == "friends" }
    #expect(cut.map { [Int64($0.count)] } == friends)
    #expect(summary.selection.omittedCount == 1999)
    #expect(try AnonymizationTrial.findings(path) == [:])
  }

  @Test func requiredRelationshipsAreFollowedThoughStopped() throws {
    let (path, summary) = try trial.share {
      $0.selection = ObjectSelection(entityNames: ["SettingsEntity"])
      $0.stopped = ["SettingsEntity.person"]
      $0.limit = 1
    }
    let settings = try AnonymizationTrial.integers(path, "SELECT count(*) FROM ZSETTINGSENTITY")
    #expect(try AnonymizationTrial.integers(path, "SELECT count(*) FROM ZPERSONENTITY") == settings)
    #expect(settings != [0])
    #expect(summary.selection.neededCount > 0)
  }

  @Test func allRelationshipsOfEverythingChangeNothing() throws {
    for closure in AnonymizationOptions.Closure.allCases {
      let (path, summary) = try trial.share("\(closure.rawValue).sqlite") { $0.closure = closure }
      #expect(summary.content.objectCount == 2000)
      #expect(summary.cuts == [])
      #expect(try AnonymizationTrial.findings(path) == [:])
    }
  }

  @Test func aLimitEndsWhatIsNotRequired() throws {
    let (path, summary) = try trial.share {
      $0.objects = [ManagedObjectID(entityName: "PersonEntity", primaryKey: 1)]
      $0.closure = .all
      $0.limit = 20
    }
    #expect((20...60).contains(summary.content.objectCount))
    #expect(!summary.cuts.isEmpty)
    #expect(try AnonymizationTrial.findings(path) == [:])
  }

  /// A location that many todos have counts once.
  @Test func aLimitIsReachedThoughManyObjectsLeadToOne() throws {
    func needed(_ name: String, _ limit: Int?) throws -> SelectionSummary {
      try trial.share(name) {
        $0.selection = ObjectSelection(entityNames: ["TodoEntity"])
        $0.followed = ["TodoEntity.location"]
        $0.limit = limit
      }.summary.selection
    }
    let all = try needed("All.sqlite", nil)
    #expect(all.neededCount > 5 && all.selectedCount > 5 * all.neededCount)
    let most = try needed("Most.sqlite", all.selectedCount + all.neededCount - 1)
    #expect(most.neededCount == all.neededCount - 1)
  }

  @Test func aSampleFollowsFromItsSeed() throws {
    func keys(_ seed: UInt64, _ name: String) throws -> [Int64] {
      let (path, summary) = try trial.share(name) {
        $0.selection = ObjectSelection(entityNames: ["PersonEntity"])
        $0.sampleCount = 5
        $0.seed = seed
      }
      #expect(summary.selection.selectedCount == 5)
      return try AnonymizationTrial.integers(path, Self.persons)
    }
    let first = try keys(1, "A.sqlite")
    #expect(try keys(1, "B.sqlite") == first)
    #expect(try keys(2, "C.sqlite") != first)
    #expect(first.count == 5)
  }

  @Test func aConditionChoosesObjects() throws {
    let (path, _) = try trial.share {
      $0.selection = ObjectSelection(entityNames: ["TagEntity"], condition: "color == 1")
    }
    let wanted = "SELECT Z_PK FROM ZTAGENTITY WHERE ZCOLOR = 1 ORDER BY Z_PK"
    #expect(
      try AnonymizationTrial.integers(path, "SELECT Z_PK FROM ZTAGENTITY ORDER BY Z_PK")
        == AnonymizationTrial.integers(trial.source, wanted))
  }

  @Test func everyObjectHasAReason() throws {
    var reasons: [AnonymizedObject] = []
    let (_, summary) = try trial.share(
      "Explained.sqlite", { $0.selection = ObjectSelection(entityNames: ["SettingsEntity"]) },
      explained: { reasons.append($0) })
    #expect(reasons.count == summary.content.objectCount)
    let chosen = reasons.filter { $0.relationship == nil }
    #expect(chosen.count == summary.selection.selectedCount)
    #expect(chosen.allSatisfy { $0.id.entityName == "SettingsEntity" && $0.from == nil })
    let needed = reasons.filter { $0.relationship == "SettingsEntity.person" }
    #expect(needed.count == summary.selection.neededCount)
    #expect(needed.allSatisfy { $0.id.entityName == "PersonEntity" && $0.from != nil })
  }

  /// What shows a finding shows it in the share, too.
  @Test(arguments: [
    Damage.danglingToOne, .oneToOneMismatch, .mandatoryToOneMissing, .danglingPair,
    .duplicateOrderKey, .zeroVersion, .mandatoryAttributeMissing, .blobForText, .strangeBoolean,
    .shortUUID, .invalidText, .uniquenessViolated, .textTooShort, .textTooLong,
    .missingExternalFile, .wrongDerivedCopy,
  ])
  func aFindingSurvives(_ damage: Damage) throws {
    let trial = try AnonymizationTrial(damage)
    let codes = try AnonymizationTrial.findings(trial.source).keys.sorted { $0.text < $1.text }
    let code = try #require(codes.first { $0.severity != .info } ?? codes.first)
    let (path, summary) = try trial.share { $0.findings = [code] }
    #expect(try AnonymizationTrial.findings(path)[code] != nil, "\(code.text)")
    #expect(summary.content.objectCount > 0)
    #expect(try trial.originals(in: path) == [])
  }
}
