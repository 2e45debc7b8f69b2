internal import CofferCore
internal import CofferEditing
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel
internal import CoreDataPages
internal import CoreDataStore
internal import Foundation
internal import POSIX
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferVault

/// What a machine remembers of the pages of a store, if it is wrong, old, or enough.
@Suite struct RememberedPagesTests {
  /// A store with a backup, and the file with what is remembered of it.
  private func trial() throws -> (VaultTrial, state: String) {
    let trial = try VaultTrial()
    try trial.backup(at: 0)
    return (trial, try #require(trial.states().first))
  }

  /// Writes a file with the records of another, and another end.
  private func write(
    _ description: StateDescription, _ pages: PageSurvey?, version: Int64 = 2, to path: String
  ) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    func length(before end: Int) -> Int {
      bytes[(end - 8)..<end].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func append(length: Int) {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: length >> (8 * shift))) }
    }
    let end = bytes.count - StateFile.digestSize
    bytes.removeLast(bytes.count - (end - 8 - length(before: end)))
    guard case .object(var members) = description.encoded else { return }
    members.members[1].value = .integer(version)
    let text = JSONValue.object(members).bytes(layout: .compact)
    var start = bytes.count
    bytes += (pages?.bytes ?? []) + text
    append(length: text.count)
    if version > 1 { append(length: bytes.count - start) } else { start = 0 }
    var hasher = ContentHasher()
    unsafe bytes[start...].withUnsafeBytes { unsafe hasher.update($0) }
    bytes += Array(hasher.digest.hex.utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test(arguments: [false, true])
  func changesThatPagesDidNotShowAreTold(isFull: Bool) throws {
    let (trial, state) = try trial()
    let first = try Data(contentsOf: URL(fileURLWithPath: state))
    var description = try #require(StateFile(path: state)).description
    try trial.rename("other")
    let second = try trial.backup(at: 1).backup
    // The rows of the first state with the pages of the second.
    let later = try #require(StateFile(path: state))
    description.pages = later.description.pages
    try FileManager.default.removeItem(atPath: "\(trial.vault.location)/\(second.fileName)")
    try first.write(to: URL(fileURLWithPath: state))
    try write(description, later.pages, to: state)
    var options = BackupOptions()
    (options.comparisonInterval, options.isFull) = (1, isFull)
    let error = #expect(throws: CofferError.self) { try trial.backup(at: 2, options: options) }
    #expect(error?.code == .missedChanges)
    #expect(error?.detail.contains("ZTAGENTITY") == true)
    let backups = try trial.vault.backups()
    #expect(backups.count == 2)
    try trial.requireState(of: #require(backups.last))
    // From then on, all is well.
    try trial.rename("third")
    try trial.requireState(of: trial.backup(at: 3).backup)
  }

  @Test func aStateWithoutPagesIsCompared() throws {
    let (trial, state) = try trial()
    var description = try #require(StateFile(path: state)).description
    for table in description.tables.indices { description.tables[table].parts = [] }
    description.pages = nil
    try write(description, nil, version: 1, to: state)
    let old = try #require(StateFile(path: state))
    #expect(old.isWhole && old.pages == nil)
    try trial.rename("other")
    // Without the vault's archive, only this file tells what changed.
    let made = try trial.backup(at: 1)
    #expect(made.fullReason == nil)
    #expect(try trial.changeCount(in: made.backup) == 1)
    try trial.requireState(of: made.backup)
    #expect(StateFile(path: state)?.pages != nil)
  }

  @Test func theFileOfAStateThatLastedStays() throws {
    var options = GeneratorOptions()
    options.objectCount = 200
    let trial = try VaultTrial { try StoreMaker.write(to: $0, options) }
    try trial.backup(at: 0)
    let state = try #require(trial.states().first)
    let first = try Data(contentsOf: URL(fileURLWithPath: state))
    for minute in 1...2 {
      let made = try trial.backup(at: minute)
      #expect(made.fullReason == nil)
      try trial.requireState(of: made.backup)
      #expect(try Data(contentsOf: URL(fileURLWithPath: state)) == first)
    }
    // Without the note, the file is of another backup, and the vault is read.
    let note = try #require(
      FileManager.default.subpathsOfDirectory(atPath: trial.cache).first {
        $0.hasSuffix(".continuation")
      })
    let noteFile = URL(fileURLWithPath: "\(trial.cache)/\(note)")
    let whole = try Data(contentsOf: noteFile)
    for bytes in [whole.prefix(20), Data(), whole] {
      try bytes.write(to: noteFile)
      try trial.rename("name \(bytes.count)")
      let made = try trial.backup(at: 3 + bytes.count)
      #expect(try trial.changeCount(in: made.backup) == 1)
      try trial.requireState(of: made.backup)
    }
  }

  @Test func rowsOfADamagedLeafAreNotTakenForDeletedOnes() throws {
    var options = GeneratorOptions()
    options.objectCount = 500
    let trial = try VaultTrial { try StoreMaker.write(to: $0, options) }
    _ = try GeneratorDatabase(path: trial.store).rows("PRAGMA journal_mode = DELETE")
    try trial.backup(at: 0)
    let map = try PageMap(trial.store)
    let leaf = try #require(map.pages(of: "ZITEMENTITY", .tableLeaf).first)
    let file = URL(fileURLWithPath: trial.store)
    var bytes = try Data(contentsOf: file)
    let place = (leaf.number - 1) * map.pageSize + 3
    bytes.replaceSubrange(place..<place + 2, with: [0, 1])
    try bytes.write(to: file)
    let error = #expect(throws: CofferError.self) { try trial.backup(at: 1) }
    #expect(error?.code == .damagedStore)
    #expect(try trial.vault.backups().count == 1)
  }

  @Test func pagesOfTheSameFilesAreNotRead() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("Store.sqlite")
    try SampleStore.write(to: path)
    // Until a later write would show in the times of the file.
    var identity: ContentIdentity?
    while identity == nil {
      identity = try PersistentStore.opened(path, .inPlace).identity()
      if identity == nil { usleep(50_000) }
    }
    func look(_ path: String, since before: StateFile?) throws -> PageLook {
      let store = try PersistentStore.opened(path, .inPlace)
      return try store.use { database in
        try PageLook(at: StoreRowSource(store, database, StoreTables(store)), since: before)
      }
    }
    let first = try look(path, since: nil)
    #expect(first.identity == identity)
    var pages = try #require(first.pages)
    pages.digests[1] = PageDigest(high: 1, low: 2)
    // A state whose pages are not those of the store.
    let store = try PersistentStore.opened(path, .inPlace)
    var description = try store.use { database in
      try StateDescription(
        ChangesDescription(StoreRowSource(store, database, StoreTables(store))))
    }
    description.pages = StatePages(pages, key: first.key, identity)
    let state = StateFile(try FileIO.open(path), description, pages)
    #expect(try look(path, since: state).pages == pages)
    let copy = directory.file("Copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try look(copy, since: state).pages == first.pages)
    // Under another key, all digests are others.
    let other = try #require(look(copy, since: nil).pages)
    #expect(!zip(other.digests, pages.digests).contains(where: ==))
  }

  @Test func filesThatStayedAreNotRead() throws {
    var options = GeneratorOptions()
    (options.objectCount, options.externalCount) = (200, 5)
    let trial = try VaultTrial { try StoreMaker.write(to: $0, options) }
    func files() throws -> SupportFolder { try SupportFolder(of: StorePaths(store: trial.store)) }
    func settle() throws {
      while try files().files.contains(where: { try files().identity(of: $0) == nil }) {
        usleep(50_000)
      }
    }
    let path = try files().path(of: #require(files().files.first))
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    /// Backs up, and tells how many files are missing.
    func backUp(at minute: Int) throws -> Int {
      try settle()
      let made = try trial.backup(at: minute)
      try trial.requireState(of: made.backup, "minute \(minute)")
      return made.findings.count { $0.code == .missingExternalData }
    }
    #expect(try backUp(at: 0) == 0)
    let state = try #require(trial.states().first)
    #expect(StateFile(path: state)?.description.fileIdentities.count == 5)
    #expect(try backUp(at: 1) == 0)
    // A file with other bytes, a missing one, and all as before.
    try Data(repeating: 7, count: content.count).write(to: URL(fileURLWithPath: path))
    #expect(try backUp(at: 2) == 0)
    try FileManager.default.removeItem(atPath: path)
    for minute in 3...4 { #expect(try backUp(at: minute) == 1) }
    try content.write(to: URL(fileURLWithPath: path))
    for minute in 5...6 { #expect(try backUp(at: minute) == 0) }
    // Whoever remembers another digest does not notice.
    let known = try #require(StateFile(path: state))
    var description = known.description
    let last = try #require(trial.vault.backups().last)
    description.origin?.backup = try #require(trial.vault.identity(of: last))
    let name = try #require(description.files.keys.first)
    description.files[name] = ArchiveDigest(hex: String(repeating: "1", count: 64))
    try write(description, known.pages, to: state)
    #expect(try trial.backup(at: 7).contentDigest != trial.contentDigest())
  }
}
