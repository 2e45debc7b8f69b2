internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import Testing

/// Stores that no program has open.
@Suite struct SnapshotAtRestTests {
  /// A state of a closed store, and the way in which it is read.
  struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let files: [String]
    let method: StoreSnapshot.Method
    var journalMode = StoreSnapshot.JournalMode.wal

    var testDescription: String { name }
  }

  static let situations: [Situation] = [
    Situation(
      name: "frames in the -wal",
      program: "make('wal'); die()", files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "whole schema in the -wal",
      program: """
        c = make('wal')
        assert os.path.getsize(path) == 4096
        die()
        """, files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "closed by Core Data: 0-byte -wal",
      program: "make('wal').execute('pragma wal_checkpoint(truncate)'); die()",
      files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "checkpointed frames in the -wal",
      program: "make('wal').execute('pragma wal_checkpoint(passive)'); die()",
      files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "-shm of zeros",
      program: """
        if os.fork() == 0: make('wal'); die()
        os.wait()
        open(path + '-shm', 'wb').write(bytes(32768))
        """, files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "-shm of noise",
      program: """
        if os.fork() == 0: make('wal'); die()
        os.wait()
        open(path + '-shm', 'wb').write(os.urandom(32768))
        """, files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "empty -shm",
      program: """
        if os.fork() == 0: make('wal'); die()
        os.wait()
        open(path + '-shm', 'wb').close()
        """, files: ["", "-shm", "-wal"], method: .inPlace),
    Situation(
      name: "-wal without a -shm",
      program: """
        if os.fork() == 0: make('wal'); die()
        os.wait()
        os.remove(path + '-shm')
        """, files: ["", "-wal"], method: .copy),
    Situation(
      name: "-shm of a store with everything checkpointed, without the -wal",
      program: """
        if os.fork() == 0: make('wal').execute('pragma wal_checkpoint(truncate)'); die()
        os.wait()
        os.remove(path + '-wal')
        """, files: ["", "-shm"], method: .copy),
    Situation(
      name: "closed by SQLite: no companions",
      program: "make('wal').close()", files: [""], method: .inPlace),
    Situation(
      name: "torn frame at the end of the -wal",
      program: """
        if os.fork() == 0: make('wal'); die()
        os.wait()
        os.remove(path + '-shm')
        open(path + '-wal', 'ab').write(os.urandom(1000))
        """, files: ["", "-wal"], method: .copy),
    Situation(
      name: "rollback mode",
      program: "make('delete').close()", files: [""], method: .copy, journalMode: .rollback),
    Situation(
      name: "rollback mode, not written for an hour",
      program: "make('delete').close(); age()", files: [""], method: .inPlace,
      journalMode: .rollback),
    Situation(
      name: "rollback mode, by a clock that is ahead",
      program: "make('delete').close(); age(-3600)", files: [""], method: .copy,
      journalMode: .rollback),
    Situation(
      name: "rollback mode with a stale journal, not written for an hour",
      program: "make('persist').close(); age()", files: ["", "-journal"], method: .copy,
      journalMode: .rollback),
    Situation(
      name: "rollback mode with a stale journal",
      program: "make('persist').close()", files: ["", "-journal"], method: .copy,
      journalMode: .rollback),
  ]

  @Test(arguments: situations)
  func isReadAndNotTouched(_ situation: Situation) throws {
    let folder = try SnapshotFolder()
    try Python.run(situation.program, folder.store, mayDie: true)
    #expect(try folder.names() == situation.files.map { "Notes.sqlite" + $0 })
    let before = try folder.records()

    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    try expectContent(of: snapshot)
    #expect(snapshot.method == situation.method)
    #expect(snapshot.journalMode == situation.journalMode)
    #expect(snapshot.path == folder.store)
    #expect(try folder.records() == before)
    #expect(try folder.copyNames().isEmpty == (situation.method == .inPlace))
    snapshot.close()
    #expect(try folder.records() == before)
    #expect(try folder.copyNames().isEmpty)
  }

  @Test(arguments: situations)
  func isCopiedAndNotTouched(_ situation: Situation) throws {
    let folder = try SnapshotFolder()
    try Python.run(situation.program, folder.store, mayDie: true)
    let before = try folder.records()
    do {
      let snapshot = try StoreSnapshot(of: folder.store, options: folder.options(.copy))
      try expectContent(of: snapshot)
      #expect(snapshot.method == .copy)
      let copy = try #require(try folder.copyNames().first)
      #expect(copy.hasPrefix("coffer-snapshot-"))
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.copies + "/" + copy)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
    #expect(try folder.records() == before)
    #expect(try folder.copyNames().isEmpty, "the end of its life removes the copy")
  }

  private func expectContent(of snapshot: StoreSnapshot) throws {
    #expect(try snapshot.value("SELECT count(*) FROM ZNOTE")?.integer == 1000)
    #expect(try snapshot.value("PRAGMA quick_check")?.string == "ok")
    #expect(throws: CofferError.self) { try snapshot.value("DELETE FROM ZNOTE") }
  }

  @Test func symbolicLinkLeadsToTheCompanions() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let before = try folder.records()
    let link = folder.copies + "/link.sqlite"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.store)
    let snapshot = try StoreSnapshot(of: link, options: folder.options())
    try expectContent(of: snapshot)
    #expect(snapshot.path == folder.store)
    #expect(try folder.copyNames() == ["link.sqlite"])
    #expect(try folder.records() == before)
  }

  @Test(arguments: [
    "a b.sqlite", "100%25?mode=rw#x&y.store", "file:x.sqlite", "Zoë–ü.sqlite", "no extension",
    "'\"",
  ])
  func nameIsNoPartOfAnURI(_ name: String) throws {
    let folder = try SnapshotFolder(store: name)
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let before = try folder.records()
    for preference in [SnapshotOptions.Preference.inPlace, .copy] {
      let snapshot = try StoreSnapshot(of: folder.store, options: folder.options(preference))
      try expectContent(of: snapshot)
      #expect(snapshot.method == (preference == .copy ? .copy : .inPlace))
    }
    #expect(try folder.records() == before)
  }

  @Test func relativePathIsResolved() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let path = folder.path + "/../source/./Notes.sqlite"
    #expect(try StoreSnapshot(of: path, options: folder.options()).path == folder.store)
  }

  @Test func twoSnapshotsLiveSideBySide() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal'); die()", folder.store, mayDie: true)
    let before = try folder.records()
    let first = try StoreSnapshot(of: folder.store, options: folder.options())
    let second = try StoreSnapshot(of: folder.store, options: folder.options())
    first.close()
    try expectContent(of: second)
    second.close()
    first.close()
    #expect(try folder.records() == before)
    #expect(throws: CofferError.self) { try first.value("SELECT 1") }
  }
}
