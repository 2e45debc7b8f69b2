internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The laws of repairs, on stores with several defects at once.
@Suite struct RandomRepairTests {
  private static let count = Effort.tries(6)

  /// Damages that exclude others: damaged pages, damages with their own model, and damages that the
  /// comparer cannot read, or finds in every copy.
  private static let damages = Damage.all.filter { damage in
    !["spatial", "page", "header", "log", "journal", "too-few", "model", "free-list", "collation"]
      .contains {
        damage.name.contains($0)
      }
  }

  @Test(arguments: 0..<count) func aMixOfDamagesIsMended(_ number: Int) throws {
    let seed = UInt64(number) &+ 1
    var random = SeededGenerator(seed: seed)
    let sample = try SampleCopy()
    var names: [String] = []
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      // Damages can exclude each other, such as damages to one external file.
      guard let damage = Self.damages.randomElement(using: &random), !names.contains(damage.name),
        !damage.name.contains("external")
          || !names.contains(where: { $0.contains("external") }),
        (try? damage.apply(to: sample.path)) != nil
      else { continue }
      names.append(damage.name)
    }
    var options = RepairOptions()
    if Bool.random(using: &random) { options.kinds = [.lossless] }
    options.codes = RepairTests.everything.codes.filter { _ in
      Int.random(in: 0..<4, using: &random) > 0
    }
    // With an undo file, the schema does not change.
    if number % 3 > 0 { options.editing.undo = .file(sample.folder.file("Undo.tar.gz")) }
    try Self.check(sample, options, Comment(rawValue: "seed \(seed): \(names)"))
  }

  private static func check(
    _ sample: SampleCopy, _ options: RepairOptions, _ context: Comment
  ) throws {
    let damaged = try StoreFiles(sample.path).copy(to: sample.folder.file("Damaged.sqlite"))
    let digest = digest(of: sample.path)
    let repairer = StoreRepairer(options: options)
    let plan = options.editing.undo.map { _ in sample.folder.file("Plan.tar.gz") }
    let planned: RepairSummary
    do {
      planned = try repairer.plan(sample.path, writingTo: plan.map { .file($0) })
    } catch let error as CofferError {
      // Without a model or metadata, nothing can be planned.
      let codes: [CofferError.Code] = [
        .unknownStoreModel, .damagedStore, .notCoreData, .notSQLite, .refused,
      ]
      #expect(codes.contains(error.code), "\(context): \(error)")
      return
    }
    #expect(try StoreComparer.differences(sample.path, damaged) == [], context)
    let before = try Verification(of: sample.path).texts
    let summary = try repairer.repair(sample.path)
    let after = try Verification(of: sample.path)

    #expect(Set(after.texts.filter { !$0.hasPrefix("info") }).subtracting(before) == [], context)
    var counts: [FindingCode: Int] = [:]
    for finding in after.findings { counts[finding.code, default: 0] += 1 }
    let left = Dictionary(uniqueKeysWithValues: planned.remaining.map { ($0.code, $0.count) })
    #expect(counts == left, context)
    let refused = Set(summary.unrepaired.map { Verification.text($0.finding) })
    for finding in after.findings where options.repairs(finding.code) {
      #expect(refused.contains(Verification.text(finding)), context)
    }
    #expect(try repairer.plan(sample.path).repairs == [], context)
    #expect(summary.repairs == planned.repairs, context)
    guard summary.repairCount > 0, let plan else { return }

    // The repair has looked only at the rows that it changed.
    var comparison = StoreComparison()
    comparison.options.matchesByObjectID = true
    let whole = try comparison.compare(damaged, sample.path)
    let told = summary.differences
    #expect(told.entities == whole.entities && told.relationships == whole.relationships, context)
    #expect(told.tables == whole.tables && told.store == whole.store, context)
    #expect(told.externalData == whole.externalData, context)

    let applied = try StoreFiles(damaged).copy(to: sample.folder.file("Applied.sqlite"))
    try applyIndependently(plan, to: applied, in: sample.folder)
    var comparer = StoreComparer()
    // Its rows have the time of the repair.
    comparer.ignoredTables = ["ATRANSACTION"]
    #expect(try comparer.differences(applied, sample.path) == [], context)

    try ChangesApplier().apply(sample.folder.file("Undo.tar.gz"), to: sample.path)
    #expect(try StoreComparer.differences(sample.path, damaged) == [], context)
    #expect(self.digest(of: sample.path) == digest, context)
  }

  /// The content digest; nil for a store that cannot be exported.
  private static func digest(of path: String) -> String? {
    try? StoreExporter().contentDigest(of: PersistentStore(readingFrom: path))
  }

  /// Applies a plan with the applier in Python, or with the library if there is no Python.
  private static func applyIndependently(
    _ plan: String, to store: String, in folder: TemporaryDirectory
  ) throws {
    guard let python = ProcessRunner.find("python3") else {
      try ChangesApplier().apply(plan, to: store)
      return
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let result = try ProcessRunner(python, directory: folder.path)
      .run([root.appendingPathComponent("Examples/apply-changes.py").path, plan, store])
    #expect(result.status == 0, "\(result.errorOutput)")
  }
}
