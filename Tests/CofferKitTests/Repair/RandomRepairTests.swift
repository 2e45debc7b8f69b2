internal import CofferKit
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The laws of repairs, on stores with several defects at once.
@Suite struct RandomRepairTests {
  private static let count =
    ProcessInfo.processInfo.environment["COFFER_REPAIRS"].flatMap { Int($0) } ?? 6

  @Test(arguments: 0..<count) func aMixOfDamagesIsMended(_ number: Int) throws {
    let seed = UInt64(number) &+ 1
    var random = SeededGenerator(seed: seed)
    let sample = try SampleCopy()
    var names: [String] = []
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      guard let expected = RepairTests.mended.randomElement(using: &random),
        !names.contains(expected.damage), let damage = Damage.named(expected.damage),
        // Damages that bring a model of their own exclude each other.
        !expected.damage.contains("spatial")
      else { continue }
      try damage.apply(to: sample.path)
      names.append(expected.damage)
    }
    let context = Comment(rawValue: "seed \(seed): \(names)")
    let damaged = try StoreFiles(sample.path).copy(to: sample.folder.file("Damaged.sqlite"))
    let before = try Verification(of: sample.path).texts
    var options = RepairTests.everything
    options.editing.undo = .file(sample.folder.file("Undo.tar.gz"))
    let repairer = StoreRepairer(options: options)
    let summary = try repairer.repair(sample.path)
    let after = try Verification(of: sample.path).texts
    let refused = Set(summary.unrepaired.map { Verification.text($0.finding) })
    #expect(Set(after).subtracting(before) == [], context)
    for text in after where RepairTests.isAutomatic(text) {
      #expect(refused.contains(text), context)
    }
    #expect(try repairer.plan(sample.path).repairs == [], context)
    guard !summary.repairs.isEmpty else { return }
    try ChangesApplier().apply(sample.folder.file("Undo.tar.gz"), to: sample.path)
    #expect(try StoreComparer.differences(sample.path, damaged) == [], context)
  }
}
