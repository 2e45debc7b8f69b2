internal import Foundation
internal import Fuzzing
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// Whatever was done to the bytes of a store: an archive that an export completes can be restored.
@Suite struct ImportableExportTests {
  private static let count = Effort.tries(40)
  private static let first: UInt64 = Effort.seed(0)
  /// The maximum number of bytes of a store to try.
  private static let maxBytes = 250_000

  @Test func whatIsExportedCanBeImported() throws {
    let stores = try Self.stores()
    try #require(!stores.isEmpty)
    let folder = try TemporaryDirectory()
    var kinds: [String: [UInt64]] = [:]
    for seed in Self.first..<Self.first + UInt64(Self.count) {
      var random = SeededGenerator(seed: seed)
      var bytes = stores[random.below(stores.count)]
      FuzzFolder.use {
        for _ in 0...random.below(3) { try? StoreMutation.apply(to: &bytes, &random) }
      }
      let path = try folder.write(bytes, to: "Changed.sqlite")
      do {
        try StoreLaws.holdImportable(path, in: folder.path)
      } catch {
        kinds["\(error)", default: []].append(seed)
      }
    }
    for (kind, seeds) in kinds { Issue.record("seeds \(seeds.prefix(5)): \(kind)") }
  }

  /// The bytes of small stores of all eras, and of generated ones.
  private static func stores() throws -> [[UInt8]] {
    let folder = try TemporaryDirectory()
    try SampleStore.write(to: folder.file("Sample.sqlite"), journal: .delete)
    let paths = RealStores.any.map(\.path) + [folder.file("Sample.sqlite")]
    return try paths.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
      .filter { !$0.isEmpty && $0.count <= maxBytes }
  }
}
