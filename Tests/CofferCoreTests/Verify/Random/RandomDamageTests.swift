internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever is damaged, wherever: it is found.
@Suite struct RandomDamageTests {
  /// The number of damages for the stores of each maker.
  private static let count = Effort.tries(max(100, 2 * RandomDamage.all.count))

  @Test func damagesOfGeneratedStoresAreFound() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Large.sqlite")
    var options = GeneratorOptions()
    (options.objectCount, options.externalCount, options.journal) = (400, 6, .delete)
    try StoreMaker.write(to: path, options)
    try damage(path, firstSeed: 0)
  }

  @Test(.enabled(if: Oracle.isAvailable, "needs the independent maker of stores"))
  func damagesOfForeignStoresAreFound() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("Foreign.sqlite")
    let result = try Oracle.run(
      "makestore.py", [path, "--objects", "400", "--external", "6", "--blobs", "heavy"])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try Verification(of: path).texts == [])
    try damage(path, firstSeed: 10_000)
  }

  /// Damages copies of a store, one place each, and looks for the expected findings.
  private func damage(_ path: String, firstSeed: UInt64) throws {
    var done: [String: Int] = [:]
    var count = 0
    var seed = firstSeed
    // Not every kind finds a place in every store, nor at every place.
    while count < Self.count, seed < firstSeed + 4 * UInt64(Self.count) {
      let kind = RandomDamage.all[Int(seed) % RandomDamage.all.count]
      if try damage(path, kind, seed) {
        done[kind.description, default: 0] += 1
        count += 1
      }
      seed += 1
    }
    let missing = RandomDamage.all.map(\.description).filter { done[$0] == nil }
    #expect(count == Self.count, "no place for: \(missing)")
  }

  /// Does one damage to a copy; false where the store has no place for it.
  private func damage(_ path: String, _ kind: RandomDamage, _ seed: UInt64) throws -> Bool {
    let folder = try TemporaryDirectory()
    let copy = try StoreFiles(path).copy(to: folder.file("Copy.sqlite"))
    var workshop = try DamageWorkshop(copy, seed: seed)
    guard let expected = try kind.apply(&workshop) else { return false }
    let findings = try Verification(of: copy).findings
    let isFound = findings.contains { finding in
      finding.code.text == expected.code
        && (expected.object == nil || finding.objectID?.description == expected.object)
    }
    let found = findings.map(Verification.text)
    #expect(isFound, "seed \(seed), \(kind): \(expected) is not in \(found)")
    return true
  }
}
