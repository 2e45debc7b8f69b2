#if os(Linux)
  internal import Foundation
  internal import TestSupport
  internal import Testing

  /// A file is on the disk before it gets its name, and the name exists before the command reports
  /// success.
  @Suite(.enabled(if: FaultLibrary.isAvailable, "needs a C compiler"))
  struct SyncOrderTests {
    private static let watched = Fault([.write, .resize, .sync, .rename, .remove], .fail)

    @Test(arguments: FaultScenario.exports, ["a"])
    func anArchiveIsSynchronizedBeforeItGetsItsName(
      _ scenario: FaultScenario, _ name: String
    ) throws {
      try expectOrder(scenario, name)
    }

    @Test(
      arguments: FaultScenario.imports + FaultScenario.edits
        + FaultScenario.shares.filter(\.makesStore), ["R.sqlite"])
    func aStoreIsSynchronizedBeforeItGetsItsName(_ scenario: FaultScenario, _ name: String) throws {
      try expectOrder(scenario, name)
    }

    private func expectOrder(_ scenario: FaultScenario, _ name: String) throws {
      let scene = try FaultScene(scenario)
      let outcome = try scene.run(Self.watched)
      #expect(outcome.result.status == 0)
      let calls = outcome.calls
      let target = "/out/\(name)"
      let naming = try #require(
        calls.lastIndex { $0.callClass == .rename && ($0.paths.last ?? "").hasSuffix(target) })
      var unsynchronized: Set<String> = []
      for call in calls[..<naming] {
        guard let path = call.paths.first, path.contains("/out/") else { continue }
        switch call.callClass {
        case .write, .resize: unsynchronized.insert(path)
        case .sync, .remove: unsynchronized.remove(path)
        default: break
        }
      }
      #expect(unsynchronized == [], "written, but not synchronized before the file got its name")
      let rest = calls[(naming + 1)...]
      #expect(
        rest.contains { $0.callClass == .sync && $0.paths[0].hasSuffix("/out") },
        "the folder was not synchronized after the file got its name")
      #expect(
        !rest.contains { $0.callClass == .write && $0.paths[0].contains("/out/") },
        "something was written after the file got its name")
    }
  }
#endif
