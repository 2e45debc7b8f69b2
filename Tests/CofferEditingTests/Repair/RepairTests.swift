internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferComparison
@testable internal import CofferCore
@testable internal import CofferEditing

/// Every damage with an automatic fix is repaired, and nothing else is touched.
@Suite struct RepairTests {
  /// All codes that a repair can fix, including lossy ones and notes.
  static let everything: RepairOptions = {
    var options = RepairOptions()
    options.codes = Set(FindingCode.allCases.filter(\.fix.isAutomatic))
    return options
  }()

  /// The damages that lead to a finding with an automatic fix.
  static let mended = ExpectedFindings.all.filter { expected in
    expected.store.contains(where: isAutomatic)
      && !expected.store.contains { finding in
        ["sqlite-damage", "unreadable-table"].contains { finding.contains($0) }
      }
  }

  /// The findings that stay, because a person has to decide something first.
  private static let refused: [String: String] = Dictionary(
    uniqueKeysWithValues: structure.map { ($0, ofSchema) }
      + withoutModel.map { ($0, "the store has no copy of its model, and none was given") }
  ).merging(values) { $1 }
  private static let structure = [
    "missing-table", "missing-join-table", "missing-column", "missing-version-column",
    "missing-element-column", "missing-to-one-column", "missing-entity-column",
    "missing-order-column", "missing-pair-order-column", "missing-owner-column",
    "missing-primary-key-row", "unknown-primary-key-name",
  ]
  private static let values: [String: String] = [
    "one-to-one-shared": "several objects lead to the other one",
    "mandatory-to-one-dangling": "the relationship is required",
    "short-uuid": "the attribute is required", "text-too-short": "the attribute is required",
    "missing-index": ofSchema, "missing-unique-index": ofSchema,
    "missing-source-trigger": ofSchema, "missing-spatial-trigger": ofSchema,
    "uniqueness-violated": ofSchema, "tuple-not-unique": ofSchema,
  ]
  private static let ofSchema = "a change file cannot contain a change of the schema"
  private static let withoutModel = [
    "missing-model-cache", "missing-model-cache-table", "garbage-model-cache", "cut-model-cache",
  ]

  @Test(arguments: mended) func aDamageIsMendedAndTheUndoLeadsBack(
    _ expected: ExpectedFindings
  ) throws {
    let sample = try SampleCopy()
    try #require(Damage.named(expected.damage)).apply(to: sample.path)
    let damaged = try StoreFiles(sample.path).copy(to: sample.folder.file("Damaged.sqlite"))
    let before = try Verification(of: sample.path).texts
    var options = Self.everything
    options.editing.undo = .file(sample.folder.file("Undo.tar.gz"))
    let repairer = StoreRepairer(options: options)
    let plan = try repairer.plan(sample.path)
    #expect(try StoreComparer.differences(sample.path, damaged) == [], "the plan changed something")

    let summary = try repairer.repair(sample.path)
    #expect(summary.repairs == plan.repairs)
    #expect(summary.differences == plan.differences)
    let after = try Verification(of: sample.path).texts
    #expect(Set(after).subtracting(before) == [], "a repair brought defects")
    let reason = Self.refused[expected.damage]
    if let reason {
      #expect(Set(summary.unrepaired.map(\.reason)) == [reason])
    } else {
      #expect(!summary.repairs.isEmpty)
      #expect(summary.unrepaired == [])
    }
    for text in after where reason == nil {
      #expect(!Self.isAutomatic(text), "\(text) is left")
    }
    #expect(summary.remaining.reduce(0) { $0 + $1.count } == after.count)
    #expect(try repairer.plan(sample.path).repairs == [], "the second plan has repairs")
    if !summary.repairs.isEmpty {
      try ChangesApplier().apply(sample.folder.file("Undo.tar.gz"), to: sample.path)
    }
    #expect(try StoreComparer.differences(sample.path, damaged) == [], "the undo leads elsewhere")
  }

  /// Whether a repair can fix a finding, given as a text.
  static func isAutomatic(_ text: String) -> Bool {
    everything.codes.contains { text.split(separator: " ")[1] == $0.text }
  }

  /// A lossless repair restores the original, except for versions, history and positions.
  @Test(arguments: [
    "stale-maximum", "stale-history-maximum", "missing-maximum", "maximum-of-subentity",
    "wrong-superentity-number", "wrong-derived-count", "missing-derived-count",
    "wrong-derived-copy", "stray-derived-copy", "missing-derived-copy",
  ])
  func whatOtherDataSaysIsThereAgainExactly(_ name: String) throws {
    let sample = try SampleCopy()
    let sound = try StoreFiles(sample.path).copy(to: sample.folder.file("Sound.sqlite"))
    try #require(Damage.named(name)).apply(to: sample.path)
    var options = RepairOptions()
    options.kinds = [.lossless]
    try StoreRepairer(options: options).repair(sample.path)
    #expect(try StoreComparer.differences(sound, sample.path) == [])
  }

  /// A change of an object counts as one by an app: its version rises, and the history has it.
  @Test(arguments: ["entity-column-mismatch", "entity-column-missing", "entity-column-text"])
  func aChangedObjectHasANewVersionAndAChangeInTheHistory(_ name: String) throws {
    let sample = try SampleCopy()
    let sound = try StoreFiles(sample.path).copy(to: sample.folder.file("Sound.sqlite"))
    try #require(Damage.named(name)).apply(to: sample.path)
    try StoreRepairer().repair(sample.path)
    var comparer = StoreComparer()
    comparer.ignoredTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"]
    let differences = try comparer.differences(sound, sample.path)
    #expect(differences.count == 1)
    #expect(differences.first?.contains("ZATTACHMENTENTITY: row 1, Z_OPT") == true)
    let rows = try GeneratorDatabase(path: sample.path).rows(
      """
      SELECT ZCHANGETYPE, ZENTITYPK FROM ACHANGE WHERE ZTRANSACTIONID = \
      (SELECT max(Z_PK) FROM ATRANSACTION)
      """)
    #expect(rows.map { $0.map(\.integer) } == [[1, 2]])
  }

  /// Everything else is left alone, bit by bit.
  @Test func withoutAFixAStoreIsNotTouched() throws {
    for name in ["mandatory-attribute-missing", "foreign-entity", "short-uuid", "too-few-pairs"] {
      let damage = try #require(Damage.named(name))
      let sample = try SampleCopy()
      try damage.apply(to: sample.path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: sample.path))
      let summary = try StoreRepairer(options: Self.everything).repair(sample.path)
      #expect(summary.repairs == [], "\(name)")
      #expect(summary.errorCount > 0, "\(name)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path)) == bytes, "\(name)")
    }
  }

  @Test func whatLosesSomethingIsOnlyRepairedWhenItIsNamed() throws {
    let sample = try SampleCopy()
    try Damage.danglingToOne.apply(to: sample.path)
    try Damage.wrongDerivedCopy.apply(to: sample.path)
    try Damage.missingOrderKey.apply(to: sample.path)
    func codes(_ options: RepairOptions) throws -> [FindingCode] {
      try StoreRepairer(options: options).plan(sample.path).repairs.map(\.finding.code)
    }
    var options = RepairOptions()
    #expect(try codes(options) == [.missingOrderKey, .derivedValueMismatch])
    options.kinds = [.lossless]
    #expect(try codes(options) == [.derivedValueMismatch])
    options.codes = [.danglingRelationship]
    #expect(try codes(options) == [.danglingRelationship, .derivedValueMismatch])
    options.kinds = Set(FindingFix.Kind.allCases)
    options.codes = []
    #expect(try codes(options) == [.missingOrderKey, .derivedValueMismatch])
  }

  /// The object that leads to another one determines its inverse.
  @Test(arguments: [
    "UPDATE ZPERSONENTITY SET ZSETTINGS = 'text' WHERE Z_PK = 2",
    "UPDATE ZSETTINGSENTITY SET ZPERSON = 999 WHERE Z_PK = 1",
  ])
  func theOtherSideSaysWhereABrokenRelationshipLeads(_ damage: String) throws {
    let sample = try SampleCopy(changedBy: damage)
    let summary = try StoreRepairer(options: Self.everything).repair(sample.path)
    #expect(summary.repairs.map(\.change) == ["set it to the object that leads to it"])
    #expect(summary.unrepaired == [])
    #expect(try Verification(of: sample.path).texts == [])
    let rows = try GeneratorDatabase(path: sample.path).rows(
      """
      SELECT ZSETTINGS, ZPERSON FROM ZPERSONENTITY, ZSETTINGSENTITY WHERE \
      ZPERSONENTITY.Z_PK = 2 AND ZSETTINGSENTITY.Z_PK = 1
      """)
    #expect(rows.map { $0.map(\.integer) } == [[1, 2]])
  }

  /// Removing the text reveals another defect: the owner of the object, of two, is unknown.
  @Test func aFindingBehindAnotherIsFoundInTheSameRepair() throws {
    let sample = try SampleCopy(
      changedBy: """
        UPDATE ZPERSONENTITY SET ZSETTINGS = 'text' WHERE Z_PK = 2;
        UPDATE ZSETTINGSENTITY SET ZPERSON = 2
        """)
    let repairer = StoreRepairer(options: Self.everything)
    let summary = try repairer.repair(sample.path)
    #expect(summary.repairs.first?.finding.code == .invalidReference)
    #expect(summary.repairs.first?.change == "unset the relationship")
    #expect(summary.unrepaired.count > 1)
    #expect(Set(summary.unrepaired.map(\.finding.code)) == [.inverseMissing, .inverseMismatch])
    #expect(
      Set(summary.unrepaired.map(\.reason)) == [
        "several objects lead to the other one", "the other side is broken itself",
      ])
    #expect(try repairer.plan(sample.path).repairs == [])
  }

  /// The positions of a list are only made sound where that was asked for.
  @Test func aMissingPositionStaysBesideOneThatClashes() throws {
    let sample = try SampleCopy()
    try Damage.duplicateOrderKey.apply(to: sample.path)
    try sample.change("UPDATE ZATTACHMENTENTITY SET Z_FOK_ITEM = 'first' WHERE Z_PK = 3")
    let before = try Verification(of: sample.path).texts
    try StoreRepairer().repair(sample.path)
    let after = try Verification(of: sample.path).texts
    #expect(after == before.filter { !$0.contains("duplicate-order-key") })
    #expect(after != before)
  }

  /// Of two objects at one position, the finding names the second: that one moves.
  @Test func theFirstOfTwoAtOnePositionKeepsIt() throws {
    let sample = try SampleCopy()
    try Damage.duplicateOrderKey.apply(to: sample.path)
    let query = "SELECT Z_PK, Z_FOK_ITEM FROM ZATTACHMENTENTITY ORDER BY Z_PK"
    let before = try GeneratorDatabase(path: sample.path).rows(query).map { $0.map(\.integer) }
    let summary = try StoreRepairer().repair(sample.path)
    let after = try GeneratorDatabase(path: sample.path).rows(query).map { $0.map(\.integer) }
    let moved = zip(before, after).filter { $0 != $1 }.compactMap { $0.0[0] }
    #expect(moved == summary.repairs.compactMap { $0.finding.objectID?.primaryKey })
  }

  /// The other side has no destination: it does not show that this side is wrong.
  @Test func aSideThatIsInOrderStaysBesideABrokenOne() throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE ZSETTINGSENTITY SET ZPERSON = 999 WHERE Z_PK = 1")
    var options = RepairOptions()
    options.codes = [.inverseMismatch]
    let before = try Verification(of: sample.path).texts
    let summary = try StoreRepairer(options: options).repair(sample.path)
    #expect(summary.repairs == [])
    #expect(summary.unrepaired.map(\.reason) == ["the other side is broken itself"])
    #expect(try Verification(of: sample.path).texts == before)
  }

  /// It may be the row of the destination that is wrong.
  @Test func theEntityOfADestinationThatIsNotAllowedIsNotStored() throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE ZITEMENTITY SET Z_ENT = 777 WHERE Z_PK = "
        + "(SELECT ZITEM FROM ZATTACHMENTENTITY WHERE Z_PK = 2)")
    let summary = try StoreRepairer().repair(sample.path)
    #expect(summary.repairs.filter { $0.finding.code == .wrongDestinationEntity } == [])
  }

  @Test func theCopyOfAMissingObjectStaysWhenAnotherRelationshipIsRepaired() throws {
    let sample = try SampleCopy(
      changedBy: """
        UPDATE ZITEMENTITY SET ZLOCATION = 999, Z4_PARENT = 4 WHERE Z_PK = 1;
        UPDATE ZITEMENTITY SET ZLOCATIONNAME = 'Rome' WHERE Z_PK = 1
        """)
    try StoreRepairer().repair(sample.path)
    let rows = try GeneratorDatabase(path: sample.path).rows(
      "SELECT ZLOCATION, CAST(ZLOCATIONNAME AS BLOB) = CAST('Rome' AS BLOB), Z4_PARENT "
        + "FROM ZITEMENTITY WHERE Z_PK = 1")
    #expect(rows.map { $0.map(\.integer) } == [[999, 1, nil]])
  }

  @Test func aCounterLeavesKeysAloneThatAreStillNamed() throws {
    let sample = try SampleCopy(
      changedBy: """
        UPDATE ZITEMENTITY SET ZLOCATION = 999 WHERE Z_PK = 5;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'LocationEntity'
        """)
    try StoreRepairer().repair(sample.path)
    let rows = try GeneratorDatabase(path: sample.path).rows(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'LocationEntity'")
    #expect(rows.map { $0.map(\.integer) } == [[999]])
  }

  @Test func whatATriggerOfTheAppGuardsStays() throws {
    let sample = try SampleCopy()
    try Damage.duplicateOrderKey.apply(to: sample.path)
    try Damage.wrongDerivedCopy.apply(to: sample.path)
    try sample.change(
      "CREATE TRIGGER Own AFTER UPDATE ON ZATTACHMENTENTITY BEGIN SELECT appFunction(); END")
    let summary = try StoreRepairer().repair(sample.path)
    #expect(summary.repairs.map(\.finding.code) == [.derivedValueMismatch])
    #expect(Set(summary.unrepaired.map(\.finding.code)) == [.duplicateOrderKey])
    #expect(summary.unrepaired.allSatisfy { $0.reason.contains("Own") })
  }

  @Test func thePlanIsAFileOfChangesThatDoesTheSame() throws {
    let sample = try SampleCopy()
    try Damage.danglingPair.apply(to: sample.path)
    try Damage.staleMaximum.apply(to: sample.path)
    let other = try StoreFiles(sample.path).copy(to: sample.folder.file("Other.sqlite"))
    let repairer = StoreRepairer(options: Self.everything)
    let file = sample.folder.file("Plan.tar.gz")
    let plan = try repairer.plan(sample.path, writingTo: .file(file, overwriting: false))
    #expect(plan.plan?.differences.isEqual == false)
    try ChangesApplier().apply(file, to: other)
    #expect(try repairer.plan(other).repairs == [])
    #expect(throws: CofferError.self) { try ChangesApplier().apply(file, to: other) }
  }

  @Test func withoutAModelOnlyCountersAreRepaired() throws {
    let sample = try SampleCopy()
    for damage in [Damage.missingModelCache, .staleMaximum] {
      try damage.apply(to: sample.path)
    }
    let summary = try StoreRepairer(options: Self.everything).repair(sample.path)
    #expect(summary.repairs.map(\.finding.code) == [.primaryKeyCounterBehind])
    #expect(
      Set(summary.unrepaired.map(\.reason)) == [
        "the store has no copy of its model, and none was given"
      ])
    #expect(summary.unrepairedCounts == [.missingModelCache: 1])
  }

  @Test(arguments: [
    Damage.missingModelCache, .missingModelCacheTable, .garbageModelCache, .cutModelCache,
  ])
  func aGivenModelRepairsWhatTheOwnOneWould(_ damage: Damage) throws {
    let sample = try SampleCopy()
    let model = try ModelLoader.load(from: sample.path)
    try Damage.danglingToOne.apply(to: sample.path)
    try damage.apply(to: sample.path)
    var options = Self.everything
    options.environment.model = model
    let summary = try StoreRepairer(options: options).repair(sample.path)
    #expect(summary.repairCounts[.danglingRelationship] == 1)
    #expect(summary.unrepaired == [])
    #expect(try Verification(of: sample.path).texts == [])
    #expect(try ModelLoader.load(from: sample.path).model == model.model)
  }

  @Test func aStoreWithDamagedPagesIsRefused() throws {
    let sample = try SampleCopy(journal: .delete)
    try Damage.staleMaximum.apply(to: sample.path)
    try Damage.brokenPage.apply(to: sample.path)
    let error = #expect(throws: CofferError.self) { try StoreRepairer().repair(sample.path) }
    #expect(error?.code == .damagedStore)
  }

  @Test func everyAutomaticFixIsMade() {
    var codes = StructureFixer.codes
    for fixer in FixerList.all { codes += fixer.codes }
    #expect(Set(codes) == Self.everything.codes)
    #expect(codes.count == Self.everything.codes.count, "two fixers mend the same")
    for code in codes { #expect(code.fix.kind != .none, "\(code.text)") }
  }
}
