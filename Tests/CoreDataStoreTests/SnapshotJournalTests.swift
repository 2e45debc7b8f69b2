internal import CoreDataStore
internal import Foundation
internal import Testing

/// Rollback journals that a crash left behind.
@Suite struct SnapshotJournalTests {
  /// Dies in the middle of a transaction, a part of which is in the main file already.
  private static let crash = """
    c = make('delete', 3000)
    c.execute('pragma cache_size=5')
    c.execute('begin'); c.execute('update ZNOTE set ZCOUNT = 2')
    die()
    """

  private static let sum = "SELECT sum(ZCOUNT) FROM ZNOTE"

  private func crashed() throws -> SnapshotFolder {
    let folder = try SnapshotFolder()
    try Python.run(Self.crash, folder.store, mayDie: true)
    #expect(try folder.names() == ["Notes.sqlite", "Notes.sqlite-journal"])
    return folder
  }

  @Test func hotJournalIsRolledBackInACopy() throws {
    let folder = try crashed()
    let before = try folder.records()
    let dirty = try Python.run(
      """
      c = sqlite3.connect('file:' + path + '?immutable=1', uri=True)
      print(c.execute('select sum(ZCOUNT) from ZNOTE').fetchone()[0])
      """, folder.store)
    #expect(Int(dirty) ?? 0 > 3000, "the main file holds half of the transaction")
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .copy)
    #expect(snapshot.journalMode == .rollback)
    #expect(try snapshot.value(Self.sum)?.integer == 3000)
    #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
    #expect(try folder.records() == before)
    snapshot.close()
    #expect(try folder.records() == before)
    #expect(try folder.copyNames().isEmpty)
  }

  @Test(arguments: ["f.truncate(0)", "f.write(bytes(28))", "f.write(b'x' * 28)"])
  func journalWithoutHeaderIsNotHot(_ change: String) throws {
    let folder = try SnapshotFolder()
    try Python.run(
      """
      if os.fork() == 0:
        c = make('delete')
        c.execute('begin immediate'); c.execute('update ZNOTE set ZCOUNT = 2')
        die()
      os.wait()
      f = open(path + '-journal', 'r+b'); \(change); f.close()
      """, folder.store)
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value(Self.sum)?.integer == 1000)
    #expect(try folder.records() == before)
  }

  /// Lets the journal name a super-journal, as a transaction over several databases does.
  private func nameSuperJournal(_ path: String, in folder: SnapshotFolder) throws {
    try Python.run(
      """
      name = sys.argv[2].encode()
      number = lambda n: n.to_bytes(4, 'big')
      with open(path + '-journal', 'ab') as f:
        f.write(number(0x40000000 // 4096 + 1) + name + number(len(name)) + number(sum(name)))
        f.write(bytes.fromhex('d9d505f920a163d7'))
      """, folder.store, path)
  }

  @Test func fileNamedAsSuperJournalIsNotDeleted() throws {
    let folder = try crashed()
    let victim = folder.path + "/letter.txt"
    try Data("dear".utf8).write(to: URL(filePath: victim))
    try nameSuperJournal(victim, in: folder)
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value(Self.sum)?.integer == 3000)
    snapshot.close()
    #expect(try folder.records() == before)
  }

  @Test(arguments: [2, 3]) func fileNamedBelowAnotherNameIsNotDeletedEither(_ count: Int) throws {
    let folder = try crashed()
    let victim = folder.path + "/letter.txt"
    try Data("dear".utf8).write(to: URL(filePath: victim))
    for _ in 0..<count { try nameSuperJournal(victim, in: folder) }
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value(Self.sum)?.integer == 3000)
    snapshot.close()
    #expect(try folder.records() == before)
  }

  @Test func journalWithoutItsSuperJournalWasCommitted() throws {
    let folder = try crashed()
    try nameSuperJournal(folder.path + "/gone", in: folder)
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try snapshot.value(Self.sum)?.integer ?? 0 > 3000)
    #expect(try folder.records() == before)
  }

  @Test func hotJournalBesideALogIsRolledBackToo() throws {
    let folder = try crashed()
    try Python.run(
      "open(path + '-wal', 'wb').close(); open(path + '-shm', 'wb').close()", folder.store)
    let before = try folder.records()
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(snapshot.method == .copy)
    #expect(try snapshot.value(Self.sum)?.integer == 3000)
    #expect(try folder.records() == before)
  }
}
