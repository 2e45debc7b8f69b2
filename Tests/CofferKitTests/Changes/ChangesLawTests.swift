internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// The laws of changes, on random edits, as a comparer sees them that shares no code with the product.
@Suite struct ChangesLawTests {
  /// `COFFER_CHANGES_ROUNDS` asks for more, `COFFER_CHANGES_SEED` for others.
  static let seeds = {
    let environment = ProcessInfo.processInfo.environment
    let first = Int(environment["COFFER_CHANGES_SEED"] ?? "") ?? 1
    return first..<first + (Int(environment["COFFER_CHANGES_ROUNDS"] ?? "") ?? 20)
  }()

  @Test func changesLeadFromOneStateToTheOtherAndBack() throws {
    for seed in Self.seeds {
      let trial = try ChangesTrial()
      let first = try trial.generatedStore(seed: UInt64(seed))
      try trial.requireLaws(of: first, seed: UInt64(seed), edits: 1 + seed % 40)
    }
  }

  @Test func equalStatesHaveNoChanges() throws {
    let trial = try ChangesTrial()
    let store = try trial.generatedStore(seed: 3)
    let summary = try trial.write(from: store, to: store, "None")
    #expect(summary.differences.isEqual)
  }
}

/// A folder in which changes are made, written and applied.
struct ChangesTrial {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A small store with all that a store can hold.
  func generatedStore(seed: UInt64) throws -> String {
    let path = directory.file("First.sqlite")
    if seed % 2 == 0 {
      try SampleStore.write(to: path, journal: seed % 4 == 0 ? .wal : .delete)
    } else {
      var options = GeneratorOptions()
      options.objectCount = 60
      options.seed = seed
      options.externalCount = 3
      try StoreMaker.write(to: path, options)
    }
    return path
  }

  func edited(_ store: String, seed: UInt64, _ count: Int, as name: String) throws -> String {
    let copy = try StoreFiles(store).copy(to: directory.file("\(name).sqlite"))
    var edits = RandomEdits(seed: seed)
    try edits.make(count, in: copy)
    return copy
  }

  @discardableResult
  func write(from first: String, to second: String, _ name: String) throws -> ChangesSummary {
    try StoreComparison().writeChanges(
      from: first, to: second, at: .file(file(name), overwriting: true))
  }

  func file(_ name: String) -> String { directory.file("\(name).coffer-changes.tar.gz") }

  /// Applies changes to a copy of a store, and compares the result with another.
  func requireApplied(
    _ changes: String, to store: String, gives other: String, reversed: Bool = false,
    _ label: String
  ) throws {
    let target = directory.file("Result-\(UUID().uuidString).sqlite")
    var options = ApplyOptions()
    options.isReversed = reversed
    try ChangesApplier(options: options).apply(changes, to: store, at: target)
    #expect(try StoreComparer.differences(target, other) == [], "\(label)")
    try StoreFiles(target).remove()
  }

  func requireLaws(of first: String, seed: UInt64, edits: Int) throws {
    let label = "seed \(seed), \(first)"
    let second = try edited(first, seed: seed, edits, as: "Second")
    let third = try edited(second, seed: seed &+ 7777, edits, as: "Third")
    try write(from: first, to: second, "A")
    try write(from: second, to: third, "B")
    try requireLaws(of: [first, second, third], [file("A"), file("B")], label)
  }

  /// Requires the laws of two files of changes that lead from the first of three states to the last.
  func requireLaws(of states: [String], _ changes: [String], _ label: String) throws {
    try requireApplied(changes[0], to: states[0], gives: states[1], label)
    try requireApplied(changes[0], to: states[1], gives: states[0], reversed: true, label)
    try StoreChanges(changes[0]).reverse(to: .file(file("Back")))
    try requireApplied(file("Back"), to: states[1], gives: states[0], label)
    try StoreChanges.concatenate(changes, to: .file(file("Both")))
    try requireApplied(file("Both"), to: states[0], gives: states[2], label)
    // Back and forth is nothing.
    let nothing = try StoreChanges.concatenate(
      [changes[0], file("Back")], to: .file(file("Nothing")))
    #expect(nothing.differences.isEqual, "\(label)")
  }
}
