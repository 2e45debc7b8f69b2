internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Every real store goes out and comes back, and neither coffer's comparison nor two independent judges
/// find a difference; the last is asked where `COFFER_ORACLES` names it.
@Suite struct RoundTripRealStoreTests {
  @Test(.timeLimit(.minutes(10)))
  func everyRealStoreComesBackTheSame() async throws {
    let stores = RealStores.any
    let workers = max(2, ProcessInfo.processInfo.activeProcessorCount)
    var count = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<workers {
        group.addTask { @concurrent in
          let own = stride(from: worker, to: stores.count, by: workers).map { stores[$0] }
          for store in own {
            let problems = try Self.problems(store)
            #expect(problems == [], "\(store)")
          }
          return own.count
        }
      }
      for try await compared in group { count += compared }
    }
    #expect(count == stores.count)
    guard RealStores.isAvailable else { return }
    #expect(count == RealStores.expectedCount)
    print("compared \(count) of \(RealStores.expectedCount) real stores")
  }

  /// What is wrong with the round trip of a store, in words.
  private static func problems(_ store: RealStore) throws -> [String] {
    let place = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
    let support = URL(fileURLWithPath: StoreFiles(store.path).supportFolder).lastPathComponent
    // The folder may hold much that is not of this store; of that the names are enough.
    let before = try FolderState(of: place, bytesOf: [store.fileName, support])
    let trip = try RoundTrip(of: store.path)
    var found = try trip.problems()
    if try PersistentStore.opened(store.path, .copy).pagesAddUp() == false {
      found.append("\(store.path): the bytes of its pages do not add up")
    }
    // To a comparison, too, the store, its archive and its copy are the same.
    for (first, second) in [
      (store.path, trip.archive), (trip.archive, store.path), (store.path, trip.copy),
    ] {
      found += try differences(first, second).texts.map { "\(first), \(second): \($0)" }
    }
    if Oracle.isAvailable {
      let judgement = try Oracle.run("samestore.py", [store.path, trip.copy])
      if judgement.status != 0 { found.append("samestore.py: \(judgement.output)") }
      if !judgement.errorOutput.isEmpty { found.append(judgement.errorOutput) }
    }
    if try FolderState(of: place, bytesOf: [store.fileName, support]) != before {
      found.append("the folder of the source changed")
    }
    let broken = trip.imported.findings.filter { $0.code == .primaryKeyCounterRaised }
    if !broken.isEmpty { found.append("a counter was raised: \(broken)") }
    return found
  }
}
