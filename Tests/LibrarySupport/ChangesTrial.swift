package import CofferKit
internal import CoreDataModel
internal import Foundation
internal import StoreGenerator
package import TestSupport
internal import Testing

/// A folder in which changes are made, written and applied.
package struct ChangesTrial {
  /// The number of chains to try.
  package static let rounds = Effort.tries(16)

  package let directory: TemporaryDirectory

  package init() throws { directory = try TemporaryDirectory() }

  /// A small store with all that a store can hold.
  package func generatedStore(seed: UInt64) throws -> String {
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

  package func edited(_ store: String, seed: UInt64, _ count: Int, as name: String) throws -> String
  {
    let copy = try StoreFiles(store).copy(to: directory.file("\(name).sqlite"))
    var edits = RandomEdits(seed: seed)
    try edits.make(count, in: copy)
    return copy
  }

  @discardableResult
  package func write(from first: String, to second: String, _ name: String) throws -> ChangesSummary
  {
    try StoreComparison().writeChanges(
      from: first, to: second, at: .file(file(name), overwriting: true))
  }

  package func file(_ name: String) -> String { directory.file("\(name).coffer-changes.tar.gz") }

  /// Applies changes to a copy of a store, and compares the result with another.
  package func requireApplied(
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

  package func requireLaws(of first: String, seed: UInt64, edits: Int) throws {
    let label = "seed \(seed), \(first)"
    let second = try edited(first, seed: seed, edits, as: "Second")
    let third = try edited(second, seed: seed &+ 7777, edits, as: "Third")
    try write(from: first, to: second, "A")
    try write(from: second, to: third, "B")
    try requireLaws(of: [first, second, third], [file("A"), file("B")], label)
  }

  /// Requires the laws of two files of changes that lead from the first of three states to the last.
  package func requireLaws(of states: [String], _ changes: [String], _ label: String) throws {
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
