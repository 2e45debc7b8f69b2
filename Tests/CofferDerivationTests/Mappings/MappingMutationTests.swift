internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The mapping models of real apps, changed at random, against the oracle.
@Suite(
  .enabled(
    if: !RealMapping.all.isEmpty && Oracle.isAvailable, "needs the real mapping models and oracles"
  ))
struct MappingMutationTests {
  /// What came of the changed mapping models.
  private struct Tally {
    var carriedOut = 0
    var refused: [String: Int] = [:]
    var forms: [String: Int] = [:]
  }

  /// The result is what the oracle gives, and a refusal has a reason that the oracle finds too.
  @Test func changedMappingModelsAreWhatTheOracleGives() throws {
    var tally = Tally()
    for real in RealMapping.all { try change(real, &tally) }
    let tries = RealMapping.all.count * Effort.tries(2)
    let refused = tally.refused.values.reduce(0, +)
    #expect(tally.carriedOut + refused == tries)
    #expect(tally.carriedOut > tries / 4, "\(tally)")
    #expect(tally.forms.count > (Effort.isLong ? 5 : 2), "\(tally)")
    if Effort.isLong { print("seed \(Effort.seed(1)): \(tries) mapping models, \(tally)") }
  }

  private func change(_ real: RealMapping, _ tally: inout Tally) throws {
    let (bundle, old, new) = try real.versions()
    let folder = try TemporaryDirectory()
    let mapping = try MappingModel(path: real.path)
    let source = try ModelLoader.model(from: bundle, version: old)
    let target = try ModelLoader.model(from: bundle, version: new)
    let (store, empty) = (folder.file("Old.sqlite"), folder.file("Empty.sqlite"))
    var fixture = FixtureOptions(objectCount: 24, seed: Effort.seed(1))
    fixture.modelVersion = old
    try FixtureMaker(options: fixture).make(bundle, at: store)
    try SampleStoreBuilder(path: empty, model: target, journal: .delete).finish()
    for number in 0..<Effort.tries(2 as UInt64) {
      let seed = Effort.seed(1) &* 1_000_003 &+ number
      let mutation = MappingMutation(mapping, from: source, to: target, seed: seed)
      for form in mutation.forms { tally.forms[form, default: 0] += 1 }
      let path = folder.file("\(number).xcmappingmodel")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let text = MappingFile(mutation.mapping, from: source, to: target).text
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/xcmapping.xml"))
      var options = MigrationOptions(version: new)
      options.mapping = path
      options.storeModel = old
      (options.keepsNames, options.allowsLoss) = (true, true)
      options.defaultPolicies = mutation.mapping.entities.compactMap(\.policyClass)
      let made = folder.file("New\(number).sqlite")
      var problems: [MappingProblem] = []
      do {
        try StoreMigrator(options: options).migrate(store, to: bundle, at: made)
        tally.carriedOut += 1
      } catch let error as CofferError where error.code == .impossibleMigration {
        problems = error.problems
        tally.refused[problems.first?.code.text ?? "", default: 0] += 1
      }
      let result = try MappingOracle.compare(
        store, problems.isEmpty ? made : empty,
        models: ("\(bundle)/\(old).xcdatamodel", "\(bundle)/\(new).xcdatamodel"), mapping: path,
        isRefused: !problems.isEmpty)
      #expect(
        result.status == 0,
        "\(real), seed \(seed): \(result.output)\(result.errorOutput)\(problems.map(\.sentence))")
    }
  }
}
