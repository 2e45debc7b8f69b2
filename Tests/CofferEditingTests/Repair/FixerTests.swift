internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// What single fixes make of a store.
@Suite struct FixerTests {
  private static func schema(of path: String) throws -> [String] {
    try GeneratorDatabase(path: path).rows(
      "SELECT name FROM sqlite_master WHERE type IN ('index', 'trigger') ORDER BY name"
    ).map { "\($0)" }
  }

  @Test(arguments: ["missing-index", "missing-unique-index"])
  func aMissingPartOfTheSchemaIsCreatedAsItWas(_ name: String) throws {
    let sample = try SampleCopy()
    let before = try Self.schema(of: sample.path)
    try #require(Damage.named(name)).apply(to: sample.path)
    #expect(try Self.schema(of: sample.path).count < before.count)
    let summary = try StoreRepairer(options: RepairTests.everything).repair(sample.path)
    #expect(summary.repairs.count == 1)
    #expect(try Verification(of: sample.path).texts == [])
    #expect(try Self.schema(of: sample.path) == before)
  }

  @Test func aTriggerOfWhichTheFormIsNotKnownIsNotCreated() throws {
    let sample = try SampleCopy()
    try #require(Damage.named("missing-source-trigger")).apply(to: sample.path)
    let summary = try StoreRepairer().repair(sample.path)
    #expect(summary.repairCount == 0)
    #expect(summary.unrepaired.map(\.reason) == ["its form is not known"])
  }

  @Test func aFileOfChangesHoldsNoChangeOfTheSchema() throws {
    let sample = try SampleCopy()
    try #require(Damage.named("missing-unique-index")).apply(to: sample.path)
    try Damage.staleMaximum.apply(to: sample.path)
    let plan = try StoreRepairer().plan(
      sample.path, writingTo: .file(sample.folder.file("Plan.tar.gz")))
    #expect(plan.repairs.map(\.finding.code) == [.primaryKeyCounterBehind])
    #expect(
      plan.unrepaired.map(\.reason) == ["a change file cannot contain a change of the schema"])
    #expect(try StoreRepairer().plan(sample.path).repairCount == 2)
  }

  @Test func anIndexThatValuesBreakIsNotCreated() throws {
    let sample = try SampleCopy()
    try #require(Damage.named("missing-unique-index")).apply(to: sample.path)
    try sample.change("UPDATE ZTAGENTITY SET ZNAME = 'same'")
    let summary = try StoreRepairer().repair(sample.path)
    #expect(summary.repairs.filter { $0.finding.code == .missingUniqueIndex } == [])
    #expect(summary.unrepaired.contains { $0.finding.code == .missingUniqueIndex })
  }

  @Test func aPlanRecordsWhatItMends() throws {
    let sample = try SampleCopy()
    try Damage.danglingPair.apply(to: sample.path)
    try Damage.staleMaximum.apply(to: sample.path)
    let file = sample.folder.file("Plan.tar.gz")
    let plan = try StoreRepairer(options: RepairTests.everything)
      .plan(sample.path, writingTo: .file(file))
    var recorded: [RecordedRepair] = []
    try StoreChanges(file).repairs { recorded.append($0) }
    #expect(recorded.map(\.codeText) == plan.repairs.map(\.finding.code.text))
    #expect(recorded.map(\.change) == plan.repairs.map(\.change))
    #expect(recorded.map(\.objectText) == plan.repairs.map { $0.finding.objectID?.description })
    let keys = try #require(recorded.first { $0.codeText == "dangling-pair" }?.keys)
    // Each of these objects has a line in the file.
    var changed: Set<String> = []
    try StoreChanges(file).inspect {
      if case .object(let object) = $0 { changed.insert("p\(object.objectID.primaryKey)") }
    }
    #expect(!keys.isEmpty)
    for key in keys.values.flatMap(\.self) { #expect(changed.contains("p\(key)")) }
    try StoreChanges(file).reverse(to: .file(sample.folder.file("Back.tar.gz")))
    var reversed = 0
    try StoreChanges(sample.folder.file("Back.tar.gz")).repairs { _ in reversed += 1 }
    #expect(reversed == 0)
    try StoreChanges(file).verify()
  }
}

/// An app's own fixes.
@Suite struct ObjectFixTests {
  private struct ShortNames: ObjectCheck {
    let entityName: Name = "TagEntity"
    let propertyNames: [Name] = ["name"]

    func findings(about tag: borrowing CheckedObject) -> [Finding] {
      guard let name = tag.text("name"), name.utf8.count > 3 else { return [] }
      return [Finding(.longName, objectID: tag.id, propertyName: "name")]
    }
  }

  private struct Fix: ObjectFix {
    let code = FindingCode.longName
    let mend: @Sendable (RepairedObject) throws -> String?

    func fix(_ finding: Finding, of object: RepairedObject) throws -> String? { try mend(object) }
  }

  private static func options(
    _ mend: @escaping @Sendable (RepairedObject) throws -> String?
  ) -> RepairOptions {
    var options = RepairOptions()
    options.objectChecks = [ShortNames()]
    options.objectFixes = [Fix(mend: mend)]
    return options
  }

  @Test func aFixChangesTheObjectsOfItsFindings() async throws {
    let sample = try SampleCopy()
    var options = Self.options { tag in
      try tag.set("name", to: .string("t\(tag.id.primaryKey)"))
      return "shorten the name"
    }
    #expect(try await StoreRepairer(options: options).plan(sample.path).repairCount == 0)
    options.codes = [.longName]
    let summary = try await StoreRepairer(options: options).repair(sample.path)
    #expect(summary.repairCount > 0)
    #expect(summary.repairs.allSatisfy { $0.change == "shorten the name" })
    #expect(try await StoreRepairer(options: options).plan(sample.path).remaining == [])
    #expect(try Verification(of: sample.path).texts == [])
  }

  @Test func aFixThatHelpsNotOrHarmsIsLeftOut() throws {
    let sample = try SampleCopy()
    let before = try StoreFiles(sample.path).copy(to: sample.folder.file("Before.sqlite"))
    let cases: [(@Sendable (Int64) -> ModelValue, String)] = [
      ({ .string("still too long \($0)") }, "its repair does not help"),
      ({ _ in .null }, "its repair would cause missing-value"),
      ({ .integer($0) }, "the value does not fit the attribute"),
    ]
    for (value, reason) in cases {
      var options = Self.options { tag in
        try tag.set("name", to: value(tag.id.primaryKey))
        return "change the name"
      }
      options.codes = [.longName]
      let summary = try StoreRepairer(options: options).repair(sample.path)
      #expect(summary.repairCount == 0)
      #expect(!summary.unrepaired.isEmpty)
      #expect(
        summary.unrepaired.allSatisfy { $0.reason.hasPrefix(reason) }, "\(summary.unrepaired)")
    }
    #expect(try StoreComparer.differences(sample.path, before) == [])
  }

  @Test func aFixCanDeleteAnObject() throws {
    let sample = try SampleCopy()
    var options = Self.options { tag in
      try tag.delete()
      return "delete the tag"
    }
    options.codes = [.longName]
    let summary = try StoreRepairer(options: options).repair(sample.path)
    #expect(summary.repairCount > 0)
    let rows = try GeneratorDatabase(path: sample.path).rows(
      "SELECT count(*) FROM ZTAGENTITY WHERE length(ZNAME) > 3")
    #expect(rows.map { $0.map(\.integer) } == [[0]])
    #expect(try Verification(of: sample.path).texts == [])
  }
}

extension FindingCode {
  fileprivate static let longName = FindingCode(
    own: "long-name", severity: .warning, meaning: "the name is long", remedy: "Shorten it.",
    fixKind: .lossy)
}
