internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// Real stores against older states of themselves.
@Suite struct AgainstRealStoreTests {
  private static var options: VerificationOptions {
    var options = VerificationOptions()
    options.checks = [.against]
    return options
  }

  @Test(arguments: RealStores.any) func aStoreIsNoWorseThanItself(_ store: RealStore) throws {
    let folder = try TemporaryDirectory()
    let path = try RealStores.copy(store, to: folder)
    let findings = try Verification(of: path, against: path, options: Self.options).findings
    #expect(findings.filter { $0.code != .checkNotRun } == [])
  }

  /// A photo library, commit by commit: Core Data's own changes are never a finding.
  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func everyCommitOfALibraryIsRight() throws {
    let name = "Test-PhotoScript-10.15.7.photoslibrary/database/Photos.sqlite"
    #expect(try findings(between: try #require(RealStores.named(name)), last: 5) == [])
  }

  /// Somebody replaced a user's number in this fixture by SQL, in the last commit.
  @Test(.enabled(if: RealStores.isAvailable, "needs the real stores"))
  func anEditBySQLIsFound() throws {
    let store = try #require(RealStores.named("UserData_DB_v5/Data.sqlite"))
    let texts = ["warning changed-without-version User/p1"]
    #expect(try findings(between: store, last: 2) == texts)
  }

  /// The findings between the states after each of the last commits in a write-ahead log.
  private func findings(between store: RealStore, last count: Int) throws -> [String] {
    var texts: [String] = []
    var older: (path: String, folder: TemporaryDirectory)?
    let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal")))
    for end in commits(log).suffix(count) {
      let folder = try TemporaryDirectory()
      let path = try RealStores.copy(store, to: folder)
      try Data(log[..<end]).write(to: URL(fileURLWithPath: path + "-wal"))
      if let older {
        texts += try Verification(of: path, against: older.path, options: Self.options).texts
      }
      older = (path, folder)
    }
    return texts
  }

  /// Where the commits of a write-ahead log end.
  ///
  /// Source: <https://sqlite.org/fileformat2.html>.
  private func commits(_ log: [UInt8]) -> [Int] {
    func number(_ place: Int) -> Int { log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    var ends: [Int] = []
    var start = 32
    let frame = 24 + number(8)
    while start + frame <= log.count, log[start + 8..<start + 16] == log[16..<24] {
      if number(start + 4) > 0 { ends.append(start + frame) }
      start += frame
    }
    return ends
  }
}
