import Foundation
import Testing
import TodoBackups

/// The stores that the app ships and creates are sound.
@Suite struct StoreIntegrityTests {
  /// A backup that the app made once; a store of the app, or `Bundle.module`, would do as well.
  private static let backup = Bundle.module.path(
    forResource: "Todo.coffer.tar", ofType: "gz", inDirectory: "Fixtures")

  @Test func theStoreHasNoDefects() async throws {
    let path = try #require(Self.backup)
    for try await finding in Verifier().findings(in: path) {
      #expect(finding.severity < .error, "\(finding)")
    }
  }

  @Test func itemsChangeAfterTheyAreMade() async throws {
    let path = try #require(Self.backup)
    var options = VerificationOptions()
    options.objectChecks = [ItemsChangeAfterTheyAreMade()]
    let rejected: Set<FindingCode> = [.changedBeforeItWasMade, .checkNotRun]
    for try await finding in Verifier(options: options).findings(in: path) {
      #expect(!rejected.contains(finding.code), "\(finding)")
    }
  }

  @Test func itemsThatChangedBeforeTheyWereMadeAreMended() async throws {
    let path = try #require(Self.backup)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let store = folder.appending(path: "Todo.sqlite").path
    try await StoreImporter().import(path, to: store)
    var options = RepairOptions()
    options.objectChecks = [ItemsChangeAfterTheyAreMade()]
    options.objectFixes = [ChangeItemsWhenTheyAreMade()]
    options.codes = [.changedBeforeItWasMade]
    let plan = try await StoreRepairer(options: options).plan(store)
    for repair in plan.repairs { print(repair.finding, repair.change) }
    #expect(plan.repairCount == 0)
  }
}
