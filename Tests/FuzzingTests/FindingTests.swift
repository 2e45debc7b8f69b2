internal import Foundation
internal import Fuzzing
internal import Testing

/// Inputs that once were findings, and some that are hard by design, stay without one.
///
/// `Fixtures/Fuzz/TARGET` holds those of a target.
@Suite struct FindingTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Fuzz")

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix(".") && $0 != "README.md" }
  }

  @Test func noOldInputIsAFinding() throws {
    var count = 0
    for name in try Self.names(in: Self.folder) {
      let target = try #require(FuzzTarget.named(name), "\(name) is no target")
      let folder = Self.folder.appendingPathComponent(name)
      for file in try Self.names(in: folder) {
        let input = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
        #expect(throws: Never.self, "\(name)/\(file)") { try target.run(input) }
        count += 1
      }
    }
    #expect(count > 0)
  }
}
