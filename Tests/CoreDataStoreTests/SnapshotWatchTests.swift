internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import Testing

@testable internal import CoreDataStore

/// Idle stores that are read in place, and writers that come meanwhile.
@Suite struct SnapshotWatchTests {
  private static let sum = "SELECT sum(ZCOUNT) FROM ZNOTE"

  /// A store without companions that is read in place.
  private func open(_ program: String) throws -> (SnapshotFolder, StoreSnapshot) {
    let folder = try SnapshotFolder()
    try Python.run(program, folder.store)
    let snapshot = try StoreSnapshot(of: folder.store, options: folder.options())
    try #require(snapshot.method == .inPlace)
    return (folder, snapshot)
  }

  private func openLogged() throws -> (SnapshotFolder, StoreSnapshot) {
    try open("make('wal').close()")
  }

  private func expectBusy(_ snapshot: StoreSnapshot) {
    for check in [snapshot.requireUnchanged, snapshot.requireInPlace] {
      let error = #expect(throws: CofferError.self) { try check() }
      #expect(error?.code == .storeBusy)
      #expect(error?.hint != nil)
    }
  }

  @Test func whatNobodyChangesIsUnchanged() throws {
    let (folder, snapshot) = try openLogged()
    #expect(try snapshot.value(Self.sum)?.integer == 1000)
    try snapshot.requireUnchanged()
    try snapshot.requireInPlace()
    #expect(try folder.names() == ["Notes.sqlite"])
  }

  /// A writer's commits are in the `-wal`, and the snapshot does not change.
  @Test func aWriterThatComesIsNotSeen() throws {
    let (folder, snapshot) = try openLogged()
    try Python.run(
      "connect().execute('update ZNOTE set ZCOUNT = 2'); die()", folder.store, mayDie: true)
    #expect(try folder.names().contains("Notes.sqlite-wal"))
    #expect(try snapshot.value(Self.sum)?.integer == 1000)
    try snapshot.requireUnchanged()
    try snapshot.requireInPlace()
    #expect(try snapshot.logDefect() == nil)
    let later = try StoreSnapshot(of: folder.store, options: folder.options())
    #expect(try later.value(Self.sum)?.integer == 2000)
  }

  /// The lock keeps the last connection that closes from a checkpoint.
  @Test func aWriterThatComesAndGoesIsNotSeen() throws {
    let (folder, snapshot) = try openLogged()
    try Python.run(
      "c = connect(); c.execute('update ZNOTE set ZCOUNT = 2'); c.close()", folder.store)
    #expect(try snapshot.value(Self.sum)?.integer == 1000)
    try snapshot.requireInPlace()
  }

  @Test(arguments: ["passive", "full", "restart", "truncate"])
  func aCheckpointIsNoticed(_ kind: String) throws {
    let (folder, snapshot) = try openLogged()
    try Python.run(
      """
      c = connect(); c.execute('update ZNOTE set ZCOUNT = 2')
      print(c.execute('pragma wal_checkpoint(\(kind))').fetchone())
      """, folder.store)
    expectBusy(snapshot)
  }

  /// Not only a checkpoint: whatever somebody does to the file.
  @Test(arguments: [
    "f = open(path, 'r+b'); f.seek(8000); f.write(b'x'); f.close()",
    "os.truncate(path, 8192)",
    "open(path, 'ab').write(bytes(4096))",
    """
    state = os.stat(path)
    f = open(path, 'r+b'); f.seek(8000); f.write(b'x'); f.close()
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    """,
    "import shutil; shutil.copy2(path, path + '2'); os.rename(path + '2', path)",
  ])
  func anyChangeIsNoticed(_ change: String) throws {
    for program in ["make('wal').close()", "make('delete').close(); age()"] {
      let (folder, snapshot) = try open(program)
      try Python.run(change, folder.store)
      expectBusy(snapshot)
    }
  }

  /// Errors from a changing store do not show its state.
  @Test func anErrorIsTakenForAChange() throws {
    let (folder, snapshot) = try openLogged()
    let size = try #require(try FileState.look(at: folder.store)).size
    try Python.run(
      "f = open(path, 'r+b'); f.seek(4096); f.write(os.urandom(\(size - 4096)))", folder.store)
    let error = #expect(throws: CofferError.self) {
      try snapshot.value("SELECT sum(length(ZTEXT)) FROM ZNOTE")
    }
    #expect(error?.code == .storeBusy)
  }

  @Test func inRollbackModeAWriterWaitsForTheEnd() throws {
    let (folder, snapshot) = try open("make('delete').close(); age()")
    let program = """
      try:
        c = connect(); c.execute('update ZNOTE set ZCOUNT = 2'); print('written')
      except sqlite3.OperationalError as error: print(error)
      """
    #expect(try Python.run(program, folder.store) == "database is locked")
    #expect(try snapshot.value(Self.sum)?.integer == 1000)
    try snapshot.requireInPlace()
    snapshot.close()
    #expect(try Python.run(program, folder.store) == "written")
  }

  @Test func inRollbackModeNobodyWaitsForAPipe() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('delete').close(); age()", folder.store)
    var options = folder.options()
    options.mayKeepWritersWaiting = false
    #expect(try StoreSnapshot(of: folder.store, options: options).method == .copy)
  }

  @Test func afterTheEndNobodyIsKeptFromAnything() throws {
    let (folder, snapshot) = try openLogged()
    snapshot.close()
    try Python.run(
      "c = connect(); c.execute('update ZNOTE set ZCOUNT = 2'); c.close()", folder.store)
    #expect(try folder.names() == ["Notes.sqlite"])
  }

  /// A store that is written in that moment is copied, or read beside its writer, but never as it is.
  @Test func theLibraryCopies() throws {
    let folder = try SnapshotFolder()
    try Python.run("make('wal').close()", folder.store)
    #expect(try StoreSnapshot(of: folder.store, options: folder.options(.copy)).method == .copy)
  }
}
