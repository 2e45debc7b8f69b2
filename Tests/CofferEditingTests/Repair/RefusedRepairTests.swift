internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferCore
@testable internal import CofferEditing

/// A fix that cannot be made leaves its finding, and nothing else.
@Suite struct RefusedRepairTests {
  /// A store whose model asks for at least four tags: TodoEntity/p1 and p2 have four with a missing one
  /// among them, p3 has the missing one only.
  private static func storeWithTooFewSoundPairs() throws -> SampleCopy {
    let sample = try SampleCopy()
    try Damage.tooFewPairs.apply(to: sample.path)
    try sample.change(
      """
      DELETE FROM Z_4TAGS;
      INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, 999);
      INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) SELECT t, g FROM (SELECT 1 AS t UNION SELECT 2),
      (SELECT 1 AS g UNION SELECT 2 UNION SELECT 3 UNION SELECT 999)
      """)
    return sample
  }

  @Test func aFixThatWouldBringAnErrorIsRefusedForItsFindingAlone() throws {
    let sample = try Self.storeWithTooFewSoundPairs()
    try Damage.staleMaximum.apply(to: sample.path)
    let before = try Verification(of: sample.path).texts
    let repairer = StoreRepairer(options: RepairTests.everything)
    let summary = try repairer.repair(sample.path)
    #expect(summary.unrepairedCounts == [.danglingPair: 2])
    #expect(
      summary.unrepaired.map(\.reason) == [
        "its repair would cause too-few-destinations of TodoEntity/p1.tags",
        "its repair would cause too-few-destinations of TodoEntity/p2.tags",
      ])
    #expect(summary.repairCounts[.danglingPair] == 1)
    #expect(summary.repairCounts[.primaryKeyCounterBehind] == 1)
    let after = try Verification(of: sample.path).texts
    #expect(Set(after).subtracting(before) == [])
    #expect(after.filter { $0.contains("dangling-pair") }.count == 2)
    #expect(try repairer.plan(sample.path).repairCount == 0)
  }

  @Test func aValueThatAnotherObjectHasIsRefusedByName() throws {
    let sample = try SampleCopy()
    let name = try #require(
      SampleCopy.rows(sample.path, "SELECT ZNAME FROM ZTAGENTITY WHERE Z_PK = 1").first?.first)
    guard case .text(let bytes) = name else {
      Issue.record("the tag has no name")
      return
    }
    var options = RepairOptions()
    options.decisions = [
      .set(entity: "TagEntity", attribute: "name", value: String(decoding: bytes, as: UTF8.self))
    ]
    options.condition = "SELF == 2"
    let error = #expect(throws: CofferError.self) {
      try StoreRepairer(options: options).repair(sample.path)
    }
    #expect(error?.code == .refused)
    #expect(error?.place.item == "TagEntity.name")
    #expect(error?.detail.contains("TagEntity/p1 has it") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (Damage.danglingPair, "Z_4TAGS"), (Damage.duplicateOrderKey, "ZATTACHMENTENTITY"),
  ]) func whatATriggerOfTheAppGuardsStaysAlone(_ damage: Damage, _ table: String) throws {
    let sample = try SampleCopy()
    try damage.apply(to: sample.path)
    try Damage.staleMaximum.apply(to: sample.path)
    for event in ["INSERT", "UPDATE", "DELETE"] {
      try sample.change(
        "CREATE TRIGGER Own\(event) AFTER \(event) ON \(table) BEGIN SELECT appFunction(); END")
    }
    let summary = try StoreRepairer(options: RepairTests.everything).repair(sample.path)
    #expect(summary.repairs.map(\.finding.code) == [.primaryKeyCounterBehind])
    #expect(!summary.unrepaired.isEmpty)
    #expect(summary.unrepaired.allSatisfy { $0.reason.contains("its trigger Own") })
  }

  /// What a refused fix has counted in a temporary table goes with it: the next one counts again.
  @Test func eachVersionThatATriggerOfTheAppGuardsIsRefused() throws {
    let sample = try SampleCopy(
      changedBy: """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        SELECT 97 + k, 16001, min(k, 1), (SELECT Z_ENT FROM ZITEMENTITY WHERE Z_PK = 1), 1, 3
        FROM (SELECT 0 AS k UNION SELECT 1 UNION SELECT 2);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_ENT = 16001;
        UPDATE ZITEMENTITY SET Z_OPT = 1 WHERE Z_PK < 3
        """)
    try Damage.staleMaximum.apply(to: sample.path)
    try sample.change(
      "CREATE TRIGGER Own AFTER UPDATE ON ZITEMENTITY BEGIN SELECT appFunction(); END")
    let summary = try StoreRepairer(options: RepairTests.everything).plan(sample.path)
    #expect(summary.repairs.map(\.finding.code) == [.primaryKeyCounterBehind])
    #expect(summary.unrepairedCounts == [.versionBehindHistory: 2])
  }

  @Test func anErrorThatNoFixExplainsIsNamedWithItsDetails() throws {
    let ledger = try RepairLedger { $0 == .danglingPair ? 0 : nil }
    let object = ManagedObjectID(entityName: "Person", primaryKey: 7)
    let known = Finding(.tooFewDestinations, objectID: object, propertyName: "tags", detail: "1")
    let new = Finding(.tooFewDestinations, objectID: object, propertyName: "tags", detail: "2")
    try ledger.add(known, isAfter: false)
    for finding in [known, new] { try ledger.add(finding, isAfter: true) }
    #expect(try ledger.abandonHarmful { _ in nil } == 0)
    #expect(try ledger.newErrors().findings == [new])
  }

  @Test func ofManyRepairsTheSummaryKeepsSomeAndTheReportHasAll() throws {
    let sample = try SampleCopy(
      changedBy: """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) SELECT 100000 + i, 1 FROM n
        """)
    var reported: [Repair] = []
    let summary = try StoreRepairer(options: RepairTests.everything).repair(sample.path) {
      if case .repaired(let repair) = $0 { reported.append(repair) }
    }
    #expect(summary.repairCount == 2500)
    #expect(summary.repairs.count == 1000)
    #expect(reported.count == 2500)
    #expect(Array(reported.prefix(1000)) == summary.repairs)
    #expect(Set(reported).count == 2500)
    #expect(try Verification(of: sample.path).texts == [])
  }

  /// Whoever is told of an interruption may take the store for unchanged.
  @Test func aCancellationAfterTheStoreWasReplacedIsTooLate() async throws {
    let sample = try SampleCopy(
      changedBy: """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) SELECT 100000 + i, 1 FROM n
        """)
    let count = try await Task {
      try StoreRepairer(options: RepairTests.everything).repair(sample.path) { _ in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }.repairCount
    }.value
    #expect(count == 2500)
  }
}
